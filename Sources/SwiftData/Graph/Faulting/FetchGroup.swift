/// The models of one fetch, as keys of one entity tree. They are neighbours: a fault of one reads ahead for the others.
@usableFromInline
class FetchGroup {
  /// Only the map's graph uses it, for one of its models: a model leaves the group when it leaves the context.
  unowned(unsafe) let map: IdentityMap
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private(set) final var keys = KeySeries()
  /// The number of models that have the group. The first of them retains the group, and the last releases it.
  @exclusivity(unchecked) private var modelCount = 0
  /// The position of each model among the keys, by index; empty while they are in the order in which they were added.
  private var positions: [Int32] = []
  private var walks: [Lack: Walk] = [:]
  /// The to-many relationships whose members the program also reads.
  private var readThrough: Set<ObjectIdentifier> = []

  init(map: IdentityMap) {
    self.map = map
  }

  /// Adds a model, and returns its index, which the model has to store.
  @inline(__always)
  final func add(_ key: Int64) -> Int32 {
    keys.append(key)
    return Int32(truncatingIfNeeded: keys.count - 1)
  }

  /// Counts a model, which has to call `dismiss` when it leaves, and returns its index.
  ///
  /// - Parameter index: The index, if the model was added already.
  @inline(__always)
  final func admit(_ key: Int64, at index: Int32?) -> Int32 {
    if modelCount == 0 { _ = Unmanaged.passRetained(self) }
    modelCount += 1
    return index ?? add(key)
  }

  @inline(__always)
  final func dismiss() {
    modelCount -= 1
    if modelCount == 0 { Unmanaged.passUnretained(self).release() }
  }

  /// Orders the models as they will be enumerated, given as indices into the present order.
  final func reorder(_ indices: [Int]) {
    var positions = [Int32](repeating: 0, count: indices.count)
    for (position, index) in indices.enumerated() { positions[index] = Int32(truncatingIfNeeded: position) }
    keys = KeySeries(indices.lazy.map { [keys] in keys[$0] })
    self.positions = positions
  }

  /// The kind of missing content that a read ahead brings.
  enum Lack: Hashable {
    case row
    /// The targets of a property: rows of a to-one, keys of a to-many.
    case property(ObjectIdentifier)
    /// The members of a to-many with their rows.
    case members(ObjectIdentifier)
  }

  /// The number of models that one read ahead serves. It starts small enough that a fault of one model in a large result
  /// does not read all, and grows each time the enumeration continues.
  struct Pace {
    var first: Int
    var growth: Int
    var largest: Int

    static let rows = Pace(first: 1024, growth: 8, largest: 1 << 16)

    /// For the keys of members, when a model has about `count`.
    static func keys(members count: Int) -> Pace {
      Pace(first: max(64, min(rows.first, 16 * rows.first / max(1, count))), growth: 8, largest: rows.largest)
    }

    /// For members with their rows, when a model has about `count`.
    static func members(_ count: Int) -> Pace {
      let largest = max(1, min(1 << 14, (rows.largest << 1) / max(1, count)))
      return Pace(first: max(1, min(64, rows.first * 8 / max(1, count))), growth: 16, largest: largest)
    }
  }

  /// The position at which an enumeration will miss content next, and the number of models that were read last.
  private struct Walk {
    var next = 0
    var window = 0
  }

  /// The positions around an index with missing content, including its own.
  final func window(around index: Int32, for lack: Lack, at pace: Pace = .rows) -> Range<Int> {
    guard keys.indices.contains(Int(index)) else { return 0..<0 }
    let position = positions.isEmpty ? Int(index) : Int(positions[Int(index)])
    let walk = walks[lack] ?? Walk()
    let isWalking = position == walk.next
    let start = isWalking ? position : position - position % pace.first
    let size = isWalking ? min(max(pace.first, walk.window * pace.growth), pace.largest) : pace.first
    // A small remainder at the end is read too.
    let end = start + size + size / 2 < keys.count ? start + size : keys.count
    walks[lack] = Walk(next: end, window: size)
    return start..<end
  }

  /// Records that the content before a position was read in addition to a window.
  final func skip(to index: Int, for lack: Lack) {
    walks[lack]?.next = index
  }

  /// Records that the program also reads the rows of a to-many's members.
  final func recordTraversal(ofMembers property: any RelationshipProperty) {
    readThrough.insert(ObjectIdentifier(property))
  }

  /// Whether the members of a to-many are read with their rows.
  final func isReadThrough(_ property: any RelationshipProperty) -> Bool {
    readThrough.contains(ObjectIdentifier(property))
  }

  /// The models around an index that are still in memory, including its own.
  final func neighbours(of index: Int32, for lack: Lack, at pace: Pace = .rows) -> [any PersistentModel] {
    keys[window(around: index, for: lack, at: pace)].compactMap { map.model($0) }
  }
}

#if DEBUG
  extension FetchGroup {
    /// Descriptions of violated invariants.
    ///
    /// - Parameter models: All models that have the group.
    final func brokenInvariants(_ models: [any PersistentModel]) -> [String] {
      var broken: [String] = []
      func check(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append("Fetch group: \(rule)") } }
      check(modelCount == models.count, "it counts \(modelCount) models and \(models.count) have it")
      check(positions.isEmpty || positions.count == keys.count, "\(positions.count) positions of \(keys.count) keys")
      check(positions.isEmpty || Set(positions) == Set(0..<Int32(keys.count)), "two keys have one position")
      for model in models {
        let (key, index) = model._$withState { ($0.key, Int($0.groupPosition)) }
        guard keys.indices.contains(index), positions.isEmpty || positions.indices.contains(index) else {
          check(false, "the model \(key) has the index \(index)")
          continue
        }
        let found = keys[positions.isEmpty ? index : Int(positions[index])]
        check(found == key, "the index of the model \(key) has the key \(found)")
        check(model._$withState { $0.withBinding { $0.map === map } } == true, "the model \(key) knows another map")
      }
      return broken + ((self as? MemberGroup)?.brokenSections ?? [])
    }
  }
#endif
