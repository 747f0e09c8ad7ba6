import CSQLite

/// The text in a column, decoded once, or nil for NULL.
@inline(__always)
func text(_ row: OpaquePointer, _ column: Int32) -> String? {
  guard let bytes = sqlite3_column_text(row, column) else { return nil }
  let count = Int(sqlite3_column_bytes(row, column))
  return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

/// Binds text in place: it is valid only until `body` returns, which has to run the statement.
@inline(__always)
func withText<Result>(
  _ text: String, boundTo statement: OpaquePointer, _ index: Int32, _ body: () throws -> Result
) rethrows -> Result {
  var text = text
  return try text.withUTF8 { bytes in
    try bytes.withMemoryRebound(to: CChar.self) { characters in
      // A null pointer would bind NULL, and an empty string may have no storage.
      if characters.isEmpty {
        sqlite3_bind_text(statement, index, "", 0, nil)
      } else {
        sqlite3_bind_text(statement, index, characters.baseAddress, Int32(characters.count), nil)
      }
      return try body()
    }
  }
}
