import CSQLite

final class Owner {
  let id: Int64
  let name: String

  init(row: OpaquePointer) {
    id = sqlite3_column_int64(row, 0)
    name = text(row, 1) ?? ""
  }
}
