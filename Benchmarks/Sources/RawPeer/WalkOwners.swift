import CSQLite
import Workload

/// One query for the owners and one for the items of each.
final class WalkOwners: Work {
  private let ownersStatement: Statement
  private let itemsStatement: Statement
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) throws {
    ownersStatement = try store.connection.prepare(store.table.selectOwners)
    itemsStatement = try store.connection.prepare(store.table.select + " WHERE \(store.table.owner) = ?")
  }

  func run() throws -> Int {
    var owners: [Owner] = []
    try ownersStatement.forEachRow { owners.append(Owner(row: $0)) }
    var sum = 0
    for owner in owners {
      sqlite3_bind_int64(itemsStatement.handle, 1, owner.id)
      let items = try itemsStatement.items()
      for item in items { sum += item.count }
      found.append(OwnedItems(owner: owner, items: items))
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    return .objects(Digest(of: found))
  }
}
