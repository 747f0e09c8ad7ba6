import GRDB
import Workload

/// One request for the owners and one for the items of each, all in one access to the database.
final class WalkOwners: Work {
  private let store: ItemStore
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    var sum = 0
    try store.queue.read { database in
      for owner in try Owner.order(Owner.Columns.name).fetchAll(database) {
        let items = try Item.filter(Item.Columns.ownerID == owner.id).fetchAll(database)
        for item in items { sum += item.count }
        found.append(OwnedItems(owner: owner, items: items))
      }
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    return .objects(Digest(of: found))
  }
}
