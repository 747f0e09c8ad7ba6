import GRDB
import Workload

final class FetchFiltered: Work {
  private static let sql = Item.select + " WHERE \"count\" < ? ORDER BY \"price\" LIMIT ?"

  private let store: ItemStore
  private var items: [Item] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    items = try store.queue.read { database in
      try Item.fetchAll(
        database.cachedStatement(sql: Self.sql), arguments: [Selection.smallCount, Selection.limit])
    }
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
