import GRDB
import Workload

/// Fetches transactions of one change each from a table that a trigger fills.
final class FetchTransactions: Work {
  private static let sql = "SELECT \"_id\" FROM \"Item\" ORDER BY \"created\" LIMIT ?"

  private let store: ItemStore
  private var changes: [RowChange] = []

  init(_ store: ItemStore) throws {
    self.store = store
    try store.queue.write { try $0.execute(sql: ChangeTable.definition) }
    let keys = try store.queue.read {
      try Int64.fetchAll($0, sql: Self.sql, arguments: [Selection.singleChanges + 1])
    }
    for key in keys {
      try store.queue.write { database in
        try database.execute(sql: ChangeTable.nextTransaction)
        try database.execute(sql: ChangeTable.changeItem, arguments: [key])
      }
    }
  }

  func run() throws -> Int {
    changes = try store.queue.read { database in
      try RowChange.fetchAll(
        database.cachedStatement(sql: ChangeTable.select), arguments: [ChangeTable.firstTransaction])
    }
    return changes.reduce(0) { $0 + $1.columns.nonzeroBitCount }
  }

  func finish() throws -> Outcome {
    changes = []
    return .nothing
  }
}
