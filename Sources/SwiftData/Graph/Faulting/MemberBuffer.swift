/// Collects the models of members by position while their rows arrive in the order of keys.
final class MemberBuffer {
  struct Member {
    var key: Int64
    var position: Int
    /// Whether an owner will retain it.
    var isNeeded: Bool
  }

  /// What the context has in memory for a member.
  enum Registration {
    case absent
    case fault(any PersistentModel)
    case loaded(any PersistentModel)
  }

  /// In the order of their keys.
  private var members: [Member]
  private let firstPosition: Int
  /// The index in `members` at which the next row is expected.
  @exclusivity(unchecked) private var cursor = 0
  /// One slot for each position from `firstPosition` on, each with a +1 reference that `take` transfers. `init` relies on
  /// `members` being sorted by position.
  private let models: UnsafeMutableBufferPointer<Unmanaged<AnyObject>?>

  /// - Parameter firstPosition: The lowest position.
  init(_ members: [Member], firstPosition: Int) {
    self.firstPosition = firstPosition
    self.members = members.sorted { $0.key < $1.key }
    let end = members.last.map { $0.position + 1 } ?? firstPosition
    models = .allocate(capacity: end - firstPosition)
    models.initialize(repeating: nil)
  }

  deinit {
    for model in models { model?.release() }
    models.deallocate()
  }

  /// Stores the registered models in their slots, and returns the keys of the rows to read, in ascending order.
  func retainRegistered(_ registration: (Int64) -> Registration) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(members.count)
    for member in members {
      switch registration(member.key) {
      case .loaded(let model): put(model, at: member.position)
      case .fault(let model):
        put(model, at: member.position)
        if keys.last != member.key { keys.append(member.key) }
      case .absent: if member.isNeeded, keys.last != member.key { keys.append(member.key) }
      }
    }
    return keys
  }

  /// The first position of the member with a key.
  func position(of key: Int64) -> Int? {
    // Rows usually arrive in this order.
    if cursor >= members.count || members[cursor].key != key { cursor = firstIndex(of: key) }
    return cursor < members.count && members[cursor].key == key ? members[cursor].position : nil
  }

  private func firstIndex(of key: Int64) -> Int {
    var range = 0..<members.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = members[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Stores the model of the row that `position(of:)` found, at all of its positions.
  func put(_ model: any PersistentModel, _ key: Int64) {
    while cursor < members.count, members[cursor].key == key {
      put(model, at: members[cursor].position)
      cursor += 1
    }
  }

  private func put(_ model: any PersistentModel, at position: Int) {
    models[position - firstPosition]?.release()
    models[position - firstPosition] = .passRetained(model)
  }

  /// Removes and returns the models at some positions of the members; members without a row are left out.
  func take(_ positions: Range<Int>) -> [AnyObject] {
    // See `ObjectBuffer.take`.
    if positions.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: positions.count) { buffer, count in
      for position in positions {
        guard let model = models[position - firstPosition] else { continue }
        // The reference is moved, so that the model is not accessed. The buffer has the capacity for all positions, so it
        // has an address.
        (buffer.baseAddress.unsafelyUnwrapped + count).initialize(to: model.takeRetainedValue())
        models[position - firstPosition] = nil
        count += 1
      }
    }
  }
}
