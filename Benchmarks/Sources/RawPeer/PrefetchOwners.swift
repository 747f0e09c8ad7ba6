import CSQLite
import Workload

/// One query for the owners and one for all items, in the order of the table: following the index to each row costs more than
/// grouping the rows afterwards.
final class PrefetchOwners: Work {
  private let ownersStatement: Statement
  private let itemsStatement: Statement
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) throws {
    ownersStatement = try store.connection.prepare(store.table.selectOwners)
    itemsStatement = try store.connection.prepare(store.table.select + " WHERE \(store.table.owner) IS NOT NULL")
  }

  func run() throws -> Int {
    var places: [Int64: Int] = [:]
    try ownersStatement.forEachRow { row in
      let owner = Owner(row: row)
      places[owner.id] = found.count
      found.append(OwnedItems(owner: owner, items: []))
    }
    try itemsStatement.forEachRow { row in
      let item = Item(row: row)
      guard let ownerID = item.ownerID, let place = places[ownerID] else { return }
      found[place].items.append(item)
    }
    return found.reduce(0) { sum, entry in entry.items.reduce(sum) { $0 + $1.count } }
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    return .objects(Digest(of: found))
  }
}
