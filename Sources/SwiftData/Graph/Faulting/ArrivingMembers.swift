/// The members of several owners, whose rows arrive in any order.
///
/// A model is accessed when its row arrives and not again: by the time it gets its position, it is no longer in the
/// processor's cache.
final class ArrivingMembers {
  private struct Arrival {
    var owner: Int
    var order: Int64
  }

  /// The members in the order of arrival; in the owners' order after `distribute`.
  let group: FetchGroup
  // Exclusivity is unchecked below: `distribute` removes an owner's models before it calls other code.
  @exclusivity(unchecked) private var arrivals: [Arrival] = []
  /// The last member of each owner that arrived.
  private var last: [(order: Int64, key: Int64)]
  /// The owners whose members did not arrive in order.
  private var unsorted: Set<Int> = []
  /// The members, until their owner retains them.
  @exclusivity(unchecked) private var models: [AnyObject?] = []

  /// - Parameter expected: The expected number of members. Up to a limit, memory for them is reserved at once.
  init(_ group: FetchGroup, owners: Int, expected: Int) {
    self.group = group
    last = Array(repeating: (.min, .min), count: owners)
    let capacity = min(expected, 1 << 17)
    arrivals.reserveCapacity(capacity)
    models.reserveCapacity(capacity)
  }

  var count: Int { arrivals.count }

  /// Adds a member that was just added to the group.
  func add(_ model: consuming AnyObject, _ key: Int64, order: Int64, owner: Int) {
    // Rows usually arrive in the order in which members were added to the relationship.
    if (order, key) < last[owner] { unsorted.insert(owner) } else { last[owner] = (order, key) }
    arrivals.append(Arrival(owner: owner, order: order))
    models.append(consume model)
  }

  /// Calls `body` for each owner in turn with its members in order. The group has that order afterwards.
  func distribute(_ body: (_ owner: Int, _ members: [AnyObject]) -> Void) {
    var (indices, ends) = sorted()
    for owner in unsorted { sort(&indices, (owner == 0 ? 0 : ends[owner - 1])..<ends[owner]) }
    group.reorder(indices)
    var start = 0
    for (owner, end) in ends.enumerated() {
      body(owner, take(indices[start..<end]))
      start = end
    }
  }

  /// Removes and returns the models at some positions of the arrivals, for one owner.
  private func take(_ positions: ArraySlice<Int>) -> [AnyObject] {
    // See `ObjectBuffer.take`.
    if positions.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: positions.count) { buffer, count in
      for position in positions {
        guard let model = models[position].take() else { continue }
        buffer.initializeElement(at: count, to: model)
        count += 1
      }
    }
  }

  /// The arrivals grouped by owner, and the end of each owner's group.
  private func sorted() -> (indices: [Int], ends: [Int]) {
    var ends = [Int](repeating: 0, count: last.count)
    for arrival in arrivals { ends[arrival.owner] += 1 }
    var total = 0
    for owner in ends.indices {
      total += ends[owner]
      ends[owner] = total - ends[owner]
    }
    // First the start of each owner's group. Each member that is assigned moves it forward, so that it is the end of the
    // group at last.
    var indices = [Int](repeating: 0, count: total)
    for (index, arrival) in arrivals.enumerated() {
      indices[ends[arrival.owner]] = index
      ends[arrival.owner] += 1
    }
    return (indices, ends)
  }

  /// Sorts one owner's members.
  private func sort(_ indices: inout [Int], _ positions: Range<Int>) {
    func precedes(_ first: Int, _ second: Int) -> Bool {
      (arrivals[first].order, group.keys[first]) < (arrivals[second].order, group.keys[second])
    }
    indices[positions].sort(by: precedes)
  }
}
