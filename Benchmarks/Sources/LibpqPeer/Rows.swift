import CLibpq

/// The binary rows of a result.
struct Rows: ~Copyable {
  let result: OpaquePointer
  let count: Int32

  init(_ result: OpaquePointer?, doing task: String) throws {
    let status = PQresultStatus(result)
    guard let result, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      defer { PQclear(result) }
      throw LibpqFailure(result: result, doing: task)
    }
    self.result = result
    count = PQntuples(result)
  }

  deinit {
    PQclear(result)
  }

  /// The number of rows that the statement has written.
  var written: Int {
    PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  @inline(__always)
  func isNull(_ row: Int32, _ column: Int32) -> Bool {
    PQgetisnull(result, row, column) != 0
  }

  /// The value of a `bigint`.
  @inline(__always)
  func integer(_ row: Int32, _ column: Int32) -> Int64 {
    Int64(bigEndian: UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(as: Int64.self))
  }

  /// The value of a `double precision`.
  @inline(__always)
  func real(_ row: Int32, _ column: Int32) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column)))
  }

  /// The value of a `boolean`.
  @inline(__always)
  func flag(_ row: Int32, _ column: Int32) -> Bool {
    PQgetvalue(result, row, column)[0] != 0
  }

  /// The value of a `text`.
  @inline(__always)
  func text(_ row: Int32, _ column: Int32) -> String {
    let bytes = UnsafeRawPointer(PQgetvalue(result, row, column)).assumingMemoryBound(to: UInt8.self)
    let count = Int(PQgetlength(result, row, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
