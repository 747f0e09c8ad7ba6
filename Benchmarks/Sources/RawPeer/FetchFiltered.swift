import CSQLite
import Workload

final class FetchFiltered: Work {
  private let statement: Statement
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select + " WHERE \"count\" < ? ORDER BY \"price\" LIMIT ?")
  }

  func run() throws -> Int {
    sqlite3_bind_int64(statement.handle, 1, Int64(Selection.smallCount))
    sqlite3_bind_int64(statement.handle, 2, Int64(Selection.limit))
    items = try statement.items()
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
