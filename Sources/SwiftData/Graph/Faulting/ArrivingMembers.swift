/// The members of several owners, whose rows come in any order.
///
/// A model is touched when its row comes and not again: by the time it finds its place, it has left the processor's cache.
final class ArrivingMembers {
  private struct Arrival {
    var owner: Int
    var rank: Int64
  }

  /// What arrived, in that order until it is distributed.
  let group: FetchGroup
  // Exclusivity is unchecked below: `distribute` has taken an owner's models out before it calls anybody.
  @exclusivity(unchecked) private var arrivals: [Arrival] = []
  /// The last arrival of each owner.
  private var last: [(rank: Int64, key: Int64)]
  /// The owners whose members came in another order than their own.
  private var unsorted: Set<Int> = []
  /// What arrived, until its owner takes it over.
  @exclusivity(unchecked) private var models: [AnyObject?] = []

  /// - Parameter expected: How many members there may be in all, for which room is made at once up to a point.
  init(_ group: FetchGroup, owners: Int, expected: Int) {
    self.group = group
    last = Array(repeating: (.min, .min), count: owners)
    let room = min(expected, 1 << 17)
    arrivals.reserveCapacity(room)
    models.reserveCapacity(room)
  }

  var count: Int { arrivals.count }

  /// Adds a member, which was added to the group last.
  func add(_ model: consuming AnyObject, _ key: Int64, rank: Int64, owner: Int) {
    // Rows mostly come in the order that members were added in.
    if (rank, key) < last[owner] { unsorted.insert(owner) } else { last[owner] = (rank, key) }
    arrivals.append(Arrival(owner: owner, rank: rank))
    models.append(consume model)
  }

  /// Calls `body` for each owner in turn with its members in their order, which is that of the group from then on.
  func distribute(_ body: (_ owner: Int, _ members: [AnyObject]) -> Void) {
    var (order, ends) = sorted()
    for owner in unsorted { sort(&order, (owner == 0 ? 0 : ends[owner - 1])..<ends[owner]) }
    group.reorder(order)
    var start = 0
    for (owner, end) in ends.enumerated() {
      body(owner, take(order[start..<end]))
      start = end
    }
  }

  /// The models that arrived at some places, which one owner takes over.
  private func take(_ places: ArraySlice<Int>) -> [AnyObject] {
    // See `ObjectBuffer.take`.
    if places.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: places.count) { buffer, count in
      for place in places {
        guard let model = models[place].take() else { continue }
        buffer.initializeElement(at: count, to: model)
        count += 1
      }
    }
  }

  /// The arrivals, one owner's after the other's, and where those of each owner end.
  private func sorted() -> (order: [Int], ends: [Int]) {
    var ends = [Int](repeating: 0, count: last.count)
    for arrival in arrivals { ends[arrival.owner] += 1 }
    var total = 0
    for owner in ends.indices {
      total += ends[owner]
      ends[owner] = total - ends[owner]
    }
    // At first where each owner's members begin. It moves on with each member that is placed, and so is the end at
    // last.
    var order = [Int](repeating: 0, count: total)
    for (index, arrival) in arrivals.enumerated() {
      order[ends[arrival.owner]] = index
      ends[arrival.owner] += 1
    }
    return (order, ends)
  }

  /// Sorts one owner's members.
  private func sort(_ order: inout [Int], _ places: Range<Int>) {
    func precedes(_ first: Int, _ second: Int) -> Bool {
      (arrivals[first].rank, group.keys[first]) < (arrivals[second].rank, group.keys[second])
    }
    order[places].sort(by: precedes)
  }
}
