import GRDB
import Workload

/// One query for the owners and one for all items, grouped afterwards.
final class PrefetchOwners: Work {
  private static let sql = Item.select + " WHERE \"owner_id\" IS NOT NULL"

  private let store: ItemStore
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    try store.queue.read { database in
      var places: [Int64: Int] = [:]
      found = try Owner.fetchAll(database.cachedStatement(sql: Owner.select)).map { OwnedItems(owner: $0, items: []) }
      for place in found.indices { places[found[place].owner.id] = place }
      let items = try Item.fetchCursor(database.cachedStatement(sql: Self.sql))
      while let item = try items.next() {
        guard let ownerID = item.ownerID, let place = places[ownerID] else { continue }
        found[place].items.append(item)
      }
    }
    return found.reduce(0) { sum, entry in entry.items.reduce(sum) { $0 + $1.count } }
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    return .objects(Digest(of: found))
  }
}
