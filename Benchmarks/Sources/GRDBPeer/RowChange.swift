import GRDB

/// One change of one row, recorded by a trigger.
struct RowChange: FetchableRecord {
  let transaction: Int64
  let table: String
  let row: Int64
  let kind: Int
  /// A bit for each column.
  let columns: Int

  /// Decodes a row of `ChangeTable.select`.
  init(row values: Row) {
    transaction = values[0]
    table = values[1]
    row = values[2]
    kind = values[3]
    columns = values[4]
  }
}
