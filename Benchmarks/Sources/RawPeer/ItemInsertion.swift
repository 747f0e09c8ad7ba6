import CSQLite

/// Inserts items one after the other with one statement.
struct ItemInsertion {
  private let statement: Statement
  private let connection: Connection

  init(_ store: ItemStore) throws {
    connection = store.connection
    statement = try connection.prepare(store.table.insert)
  }

  func callAsFunction(_ item: Item) throws {
    let handle = statement.handle
    sqlite3_bind_int64(handle, 3, Int64(item.count))
    sqlite3_bind_double(handle, 4, item.price)
    sqlite3_bind_double(handle, 5, item.created.timeIntervalSinceReferenceDate)
    sqlite3_bind_int(handle, 6, item.flag ? 1 : 0)
    if let ownerID = item.ownerID {
      sqlite3_bind_int64(handle, 7, ownerID)
    } else {
      sqlite3_bind_null(handle, 7)
    }
    try withText(item.name, boundTo: handle, 1) {
      if let detail = item.detail {
        try withText(detail, boundTo: handle, 2) { try statement.run() }
      } else {
        sqlite3_bind_null(handle, 2)
        try statement.run()
      }
    }
    item.id = sqlite3_last_insert_rowid(connection.handle)
  }
}
