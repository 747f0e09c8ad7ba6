import CSQLite
import Workload

final class CountFiltered: Work {
  private let statement: Statement

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare("SELECT count(*) FROM \"Item\" WHERE \"flag\" AND \"count\" < ?")
  }

  func run() throws -> Int {
    sqlite3_bind_int64(statement.handle, 1, Int64(Selection.mediumCount))
    var count = 0
    try statement.forEachRow { count = Int(sqlite3_column_int64($0, 0)) }
    return count
  }
}
