import GRDB
import Workload

/// One query for the owners and one for the items of each, all in one access to the database.
final class WalkOwners: Work {
  private static let sql = Item.select + " WHERE \"owner_id\" = ?"

  private let store: ItemStore
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    var sum = 0
    try store.queue.read { database in
      let owners = try Owner.fetchAll(database.cachedStatement(sql: Owner.select))
      let statement = try database.cachedStatement(sql: Self.sql)
      for owner in owners {
        let items = try Item.fetchAll(statement, arguments: [owner.id])
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
