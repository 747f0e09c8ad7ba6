import CSQLite
import Workload

/// Fetches transactions of one change each from a table that a trigger fills.
final class FetchTransactions: Work {
  private let select: Statement
  private var changes: [RowChange] = []

  init(_ store: ItemStore) throws {
    let connection = store.connection
    try connection.execute(ChangeTable.definition)
    select = try connection.prepare(ChangeTable.select)
    let next = try connection.prepare(ChangeTable.nextTransaction)
    let change = try connection.prepare(ChangeTable.changeItem)
    let transaction = try Transactions(connection)
    for key in try store.keys().prefix(Selection.singleChanges + 1) {
      try transaction {
        try next.run()
        sqlite3_bind_int64(change.handle, 1, key)
        try change.run()
      }
    }
  }

  func run() throws -> Int {
    sqlite3_bind_int64(select.handle, 1, ChangeTable.firstTransaction)
    try select.forEachRow { changes.append(RowChange(row: $0)) }
    return changes.reduce(0) { $0 + $1.columns.nonzeroBitCount }
  }

  func finish() throws -> Outcome {
    changes = []
    return .nothing
  }
}
