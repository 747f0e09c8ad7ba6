import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("Bound and read values")
struct ValueTests {
  @Test(
    "A value is read as it was bound, with its type",
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(.infinity), .real(-.infinity),
      .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), .real(0.1), .text(""), .text("a\0b"),
      .text("👩‍👩‍👧‍👦 é e\u{301}"), .text(String(repeating: "x", count: 100_000)), .blob(Data()),
      .blob(Data([0, 1, 255])),
    ] as [Value])
  func types(value: Value) throws {
    let database = try SQLiteDatabase.inMemory()
    #expect(try database.read { try $0.rows("SELECT ?", [value]) } == [value])
    try database.execute("CREATE TABLE t (x)")
    try database.write { try $0.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try database.read { try $0.rows("SELECT x FROM t") } == [value])
  }

  @Test("Negative zero keeps its sign")
  func negativeZero() throws {
    let rows = try SQLiteDatabase.inMemory().read { try $0.rows("SELECT ?", [.real(-0.0)]) }
    #expect(rows.count == 1)
    guard case .real(let real)? = rows.first else { return #expect(Bool(false)) }
    #expect(real.sign == .minus)
  }

  @Test("NaN is stored as null")
  func nan() throws {
    #expect(try SQLiteDatabase.inMemory().read { try $0.rows("SELECT ?", [.real(.nan)]) } == [.null])
  }

  @Test("Accessors of null return the empty value of their type")
  func null() throws {
    try SQLiteDatabase.inMemory().read { connection in
      try connection.forEachRow("SELECT NULL") { row in
        #expect(row.isNull(0))
        #expect(row.integer(0) == 0)
        #expect(row.real(0) == 0)
        #expect(row.text(0) == "")
        #expect(row.withBlob(0) { $0.count } == 0)
      }
    }
  }

  @Test("Text that is not well-formed is repaired when it is read")
  func malformedText() throws {
    let rows = try SQLiteDatabase.inMemory().read { try $0.rows("SELECT CAST(X'61FF62' AS TEXT)") }
    #expect(rows == [.text("a\u{FFFD}b")])
  }

  @Test("Binding a missing parameter is an error at the next step")
  func missingParameter() throws {
    try SQLiteDatabase.inMemory().read { connection throws in
      #expect(throws: DatabaseError.self) { try connection.run("SELECT ?", [.integer(1), .integer(2)]) }
      #expect(try connection.rows("SELECT ?", [.integer(1)]) == [.integer(1)])
    }
  }
}
