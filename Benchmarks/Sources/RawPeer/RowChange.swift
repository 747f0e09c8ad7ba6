import CSQLite

/// One change of one row, recorded by a trigger.
struct RowChange {
  let transaction: Int64
  let table: String
  let row: Int64
  let kind: Int
  /// A bit for each column.
  let columns: Int

  /// Decodes a row of `ChangeTable.select`.
  init(row values: OpaquePointer) {
    transaction = sqlite3_column_int64(values, 0)
    table = text(values, 1) ?? ""
    row = sqlite3_column_int64(values, 2)
    kind = Int(sqlite3_column_int64(values, 3))
    columns = Int(sqlite3_column_int64(values, 4))
  }
}
