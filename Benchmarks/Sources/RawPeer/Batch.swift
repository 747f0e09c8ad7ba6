import Foundation
import Workload

/// The items to change or delete in a copy of a store, and the statement that changes or deletes one of them.
struct Batch {
  let file: URL
  let connection: Connection
  let items: [Item]
  let statement: Statement
  let transaction: Transactions

  init(in copy: StoreCopy, sql: (ItemTable) -> String) throws {
    file = try copy.make()
    let store = try ItemStore(file)
    connection = store.connection
    let select = store.table.select + " ORDER BY \"created\" LIMIT \(Selection.batch.count)"
    items = try connection.prepare(select).items()
    statement = try connection.prepare(sql(store.table))
    transaction = try Transactions(connection)
  }
}
