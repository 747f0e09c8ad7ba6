import CSQLite
import Workload

/// One query for the owners and one for the items of each.
final class WalkOwners: Work {
  private let ownersStatement: Statement
  private let itemsStatement: Statement
  private var found: [(owner: Owner, items: [Item])] = []

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
      found.append((owner, items))
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    var digest = Digest()
    for (owner, items) in found {
      let number = Seeds.ownerNumber(ofName: owner.name)
      for item in items {
        digest.add(item)
        digest.ownership += item.count * number
      }
    }
    return .objects(digest)
  }
}
