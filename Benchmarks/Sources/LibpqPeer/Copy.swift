import CLibpq

/// Binary rows that are on their way to the server.
final class Copy {
  private static let chunkSize = 1 << 16

  private let connection: Connection
  private var rows = Parameters()

  /// - Parameter target: The table and its columns.
  init(into target: String, _ connection: Connection) throws {
    self.connection = connection
    let result = PQexec(connection.handle, "COPY \(target) FROM STDIN (FORMAT binary)")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_IN else { throw LibpqFailure(connection.handle, doing: "COPY") }
    rows.write("PGCOPY\n")
    rows.write(0xFF0D_0A00 as UInt32)
    // No flags, and no further header.
    rows.write(0 as UInt64)
  }

  func add(_ item: Item) throws {
    rows.write(8 as Int16)
    add(item.id)
    rows.write(sized: item.name)
    if let detail = item.detail { rows.write(sized: detail) } else { rows.write(-1 as Int32) }
    add(Int64(item.count))
    add(Int64(bitPattern: item.price.bitPattern))
    add(Int64(bitPattern: item.created.timeIntervalSinceReferenceDate.bitPattern))
    rows.write(1 as Int32)
    rows.write((item.flag ? 1 : 0) as UInt8)
    if let ownerID = item.ownerID { add(ownerID) } else { rows.write(-1 as Int32) }
    if rows.count >= Self.chunkSize { try send() }
  }

  /// Adds a row of a key and a text.
  func add(_ key: Int64, _ text: String) throws {
    rows.write(2 as Int16)
    add(key)
    rows.write(sized: text)
    if rows.count >= Self.chunkSize { try send() }
  }

  private func add(_ value: Int64) {
    rows.write(8 as Int32)
    rows.write(value)
  }

  private func send() throws {
    guard rows.send({ PQputCopyData(connection.handle, $0, $1) }) == 1 else {
      throw LibpqFailure(connection.handle, doing: "COPY")
    }
  }

  /// Waits until the server has stored all rows.
  func end() throws {
    rows.write(-1 as Int16)
    try send()
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw LibpqFailure(connection.handle, doing: "COPY") }
    let result = PQgetResult(connection.handle)
    _ = try Rows(result, doing: "COPY")
    while let rest = PQgetResult(connection.handle) { PQclear(rest) }
  }
}

extension Parameters {
  fileprivate var count: Int { bytes.count }

  /// Passes the bytes to `body` and removes them.
  fileprivate mutating func send(_ body: (UnsafePointer<CChar>?, Int32) -> Int32) -> Int32 {
    defer { removeBytes() }
    return bytes.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count)) }
  }
}
