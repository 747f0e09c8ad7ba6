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
  @exclusivity(unchecked) private var arrivals: [Arrival] = []
  /// Each has a reference of its own, which the owner takes over.
  @exclusivity(unchecked) private var models: [Unmanaged<AnyObject>] = []

  init(_ group: FetchGroup) {
    self.group = group
  }

  deinit {
    for model in models { model.release() }
  }

  /// Adds a member, which was added to the group last.
  func add(_ model: any PersistentModel, rank: Int64, owner: Int) {
    arrivals.append(Arrival(owner: owner, rank: rank))
    models.append(.passRetained(model))
  }

  /// Calls `body` for each owner in turn with its members in their order, which is that of the group from then on.
  func distribute(to owners: Int, _ body: (_ owner: Int, _ members: [AnyObject]) -> Void) {
    var (order, ends) = sorted(owners)
    var start = 0
    for end in ends {
      sort(&order, start..<end)
      start = end
    }
    group.reorder(order)
    let models = self.models
    self.models = []
    start = 0
    for (owner, end) in ends.enumerated() {
      let places = start..<end
      let members = [AnyObject](unsafeUninitializedCapacity: places.count) { buffer, count in
        for place in places {
          buffer.initializeElement(at: count, to: models[order[place]].takeRetainedValue())
          count += 1
        }
      }
      start = end
      body(owner, members)
    }
  }

  /// The arrivals, one owner's after the other's, and where those of each owner end.
  private func sorted(_ owners: Int) -> (order: [Int], ends: [Int]) {
    var ends = [Int](repeating: 0, count: owners)
    for arrival in arrivals { ends[arrival.owner] += 1 }
    var total = 0
    for owner in ends.indices {
      total += ends[owner]
      ends[owner] = total - ends[owner]
    }
    // Until here where the owner's first goes. It moves on with each that does.
    var order = [Int](repeating: 0, count: total)
    for (index, arrival) in arrivals.enumerated() {
      order[ends[arrival.owner]] = index
      ends[arrival.owner] += 1
    }
    return (order, ends)
  }

  /// Sorts one owner's members. Rows mostly come in the order that members were added in.
  private func sort(_ order: inout [Int], _ places: Range<Int>) {
    func precedes(_ first: Int, _ second: Int) -> Bool {
      (arrivals[first].rank, group.keys[first]) < (arrivals[second].rank, group.keys[second])
    }
    guard places.dropFirst().contains(where: { precedes(order[$0], order[$0 - 1]) }) else { return }
    order[places].sort(by: precedes)
  }
}
