import Foundation
import PostgresDriver
import Relational
import Testing

@Suite("Values in PostgreSQL's types", .needsServer)
struct ValueTests {
  struct RoundTrip: Sendable, CustomTestStringConvertible {
    var type: String
    var values: [Value]
    var testDescription: String { type }
  }

  static let roundTrips: [RoundTrip] = [
    RoundTrip(type: "boolean", values: [.integer(0), .integer(1), .null]),
    RoundTrip(type: "smallint", values: [.integer(-32_768), .integer(32_767), .integer(0), .null]),
    RoundTrip(type: "integer", values: [.integer(-2_147_483_648), .integer(2_147_483_647), .null]),
    RoundTrip(type: "bigint", values: [.integer(.min), .integer(.max), .integer(0), .integer(-1), .null]),
    RoundTrip(type: "oid", values: [.integer(0), .integer(4_294_967_295)]),
    RoundTrip(type: "real", values: [.real(0.5), .real(-.infinity), .text("NaN"), .null]),
    RoundTrip(
      type: "double precision",
      values: [
        .real(0.1), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
        .real(.greatestFiniteMagnitude), .text("NaN"), .null,
      ]),
    RoundTrip(
      type: "numeric",
      values: [
        "0", "1", "-1", "12.5", "10000", "9999", "10000.0001", "0.0001", "-0.00012", "123456789012345678901234567890.5",
        "1" + String(repeating: "0", count: 127), "0." + String(repeating: "0", count: 127) + "1", "NaN",
        "99999999999999999999999999999999999999", "-0.9999", "1000000.001",
      ].map(Value.text) + [.null]),
    RoundTrip(
      type: "numeric(20,0)",
      values: [
        .integer(0), .integer(.max), .integer(12_345_678), .blob(Data([0x80, 0, 0, 0, 0, 0, 0, 0])),
        .blob(Data(repeating: 0xff, count: 8)), .null,
      ]),
    RoundTrip(type: "uuid", values: [.blob(Data(0..<16)), .null]),
    RoundTrip(
      type: "bytea", values: [.blob(Data()), .blob(Data([0, 1, 255])), .blob(Data(count: 1 << 20)), .null]),
    RoundTrip(type: "text", values: texts + [.null]),
    RoundTrip(type: "varchar", values: texts + [.null]),
    RoundTrip(
      type: "jsonb",
      values: [
        "null", "{}", #"["\u0000"]"#, #"["a\u0000b\u0001c\u0000\u0001"]"#, #"["\\u0000"]"#, #"["\\\u0000"]"#,
        #"["\u0001\u0002"]"#, #"{"k\u0000": "é👩‍👩‍👧‍👦"}"#, #"["\u0002"]"#,
      ].map(Value.text) + [.null]),
    RoundTrip(type: "json", values: [.text(#"{"b": 1,  "a": "\u0000"}"#), .null]),
  ]

  private static let texts: [Value] = [
    "", "a", "a\0b", "\0", "\u{1}", "\u{1}\u{2}", "\u{1}\u{3}\0\0\u{1}", "é e\u{301} 👩‍👩‍👧‍👦", "\u{10ffff}\u{2}\u{7f}",
    "12345678", "1234567\0", String(repeating: "x", count: 1 << 20), String(repeating: "\0", count: 1000), "' \" \\ $1",
  ].map(Value.text)

  @Test("A value is read as it was written", arguments: roundTrips, [true, false])
  func roundTrip(_ trip: RoundTrip, isPrepared: Bool) throws {
    let schema = try TestSchema { $0.preparedStatements = isPrepared }
    let database = schema.database
    try database.execute("CREATE TABLE \"\(schema.name)\".t (_id bigint PRIMARY KEY, x \(trip.type))")
    try database.write { connection in
      for (key, value) in trip.values.enumerated() {
        try connection.run("INSERT INTO t VALUES ($1, $2)", [.integer(Int64(key)), value])
      }
    }
    let read = try database.rows("SELECT x FROM t ORDER BY _id").map { $0[0] }
    #expect(read == trip.values)
    try checkAccess(database, trip.values)
    // The same in arrays.
    try database.write { connection in
      let batch = RowBatch(width: 1)
      for (key, value) in trip.values.enumerated() {
        batch.addRow(Int64(key) + 1000)
        batch.bind(value, at: 1)
      }
      try connection.statement("INSERT INTO t SELECT * FROM unnest($1::bigint[], $2::\(trip.type)[])").run(batch)
    }
    #expect(try database.rows("SELECT x FROM t WHERE _id >= 1000 ORDER BY _id").map { $0[0] } == trip.values)
    try database.close()
  }

  /// The functions for rows find the same values as the accessors.
  private func checkAccess(_ database: PostgresDatabase, _ values: [Value]) throws {
    try database.readStatement(preferring: nil) { connection in
      var row = 0
      try connection.forEachRow("SELECT x FROM t ORDER BY _id") { statement in
        let access = statement.access
        let kind = access.kind(access.row, 0)
        switch values[row] {
        case .null:
          #expect(kind == 5 && access.integer(access.row, 0) == 0 && access.text(access.value(access.row, 0)) == nil)
        case .integer(let integer): #expect(kind == 1 && access.integer(access.row, 0) == integer)
        case .real(let real):
          #expect(kind == 2 && access.real(access.row, 0).bitPattern == real.bitPattern)
        case .text(let text):
          let value = access.value(access.row, 0)
          let start = try #require(access.text(value))
          let bytes = UnsafeBufferPointer(start: start, count: Int(access.length(value)))
          #expect(kind == 3 && String(decoding: bytes, as: UTF8.self) == text)
          if text == "NaN" { #expect(access.real(access.row, 0).isNaN) }
        case .blob: #expect(kind == 4)
        }
        row += 1
      }
    }
  }

  @Test("A negative zero is read as zero, as from SQLite")
  func negativeZero() throws {
    let schema = try TestSchema()
    try schema.database.readStatement(preferring: nil) { connection in
      try connection.forEachRow("SELECT $1::float8", [.real(-0.0)]) { #expect($0.real(0).sign == .plus) }
    }
  }

  @Test(
    "A number in a numeric column is read as a decimal text",
    arguments: [
      (.integer(12), "12"), (.integer(.min), "-9223372036854775808"), (.real(0.1), "0.1"),
      (.real(1e20), "100000000000000000000"),
      (.real(.nan), "NaN"), (.text("1.50"), "1.5"), (.text("1e-128"), "0." + String(repeating: "0", count: 127) + "1"),
    ] as [(Value, String)])
  func numeric(value: Value, text: String) throws {
    let schema = try TestSchema()
    #expect(try schema.database.rows("SELECT $1::numeric", [value]) == [[.text(text)]])
  }

  @Test("Decimals are converted by the configured functions")
  func decimals() throws {
    let schema = try TestSchema {
      $0.decimals = .init(
        fromPlain: { "<\($0)>" }, toPlain: { $0.first == "<" ? String($0.dropFirst().dropLast()) : nil })
    }
    #expect(try schema.database.rows("SELECT $1::numeric", [.text("<2.5>")]) == [[.text("<2.5>")]])
    let error = #expect(throws: DatabaseError.self) { try schema.database.rows("SELECT $1::numeric", [.text("2.5")]) }
    // The caller can evaluate a query itself.
    #expect(error?.reason == .tooComplex)
    try schema.database.readStatement(preferring: nil) { connection in
      try connection.forEachRow("SELECT 7::numeric, 2.9::numeric") {
        #expect($0.integer(0) == 7)
        #expect($0.integer(1) == 2)
        #expect($0.real(1) == 2.9)
      }
    }
  }

  @Test(
    "A value that the type cannot take is an error, which does not show it",
    arguments: [
      ("boolean", .integer(7777)), ("boolean", .text("true")), ("integer", .integer(77_777_777_777)),
      ("bigint", .text("7777")),
      ("bigint", .real(7777)), ("text", .integer(7777)), ("text", .blob(Data([7]))), ("uuid", .blob(Data([7]))),
      ("bytea", .text("7777")), ("numeric", .text("7777x")), ("double precision", .text("7777")),
    ] as [(String, Value)])
  func refused(type: String, value: Value) throws {
    let schema = try TestSchema()
    let error = #expect(throws: DatabaseError.self) { try schema.database.rows("SELECT $1::\(type)", [value]) }
    // The caller can evaluate a query itself.
    #expect(error?.reason == .tooComplex)
    #expect(error?.message.contains("7777") == false)
    #expect(error?.message.contains(type) == true)
  }

  @Test("A type without a conversion is written as text, and has to be cast to be read")
  func otherTypes() throws {
    let schema = try TestSchema()
    let rows = try schema.database.rows(
      "SELECT ($1::date + 1)::text, $2::inet::text", [.text("2024-02-28"), .text("10.0.0.1")])
    #expect(rows == [[.text("2024-02-29"), .text("10.0.0.1/32")]])
    #expect(throws: DatabaseError.self) { try schema.database.rows("SELECT now()") }
    try schema.database.execute("CREATE TYPE \"\(schema.name)\".mood AS ENUM ('sad', 'glad')")
    #expect(try schema.database.rows("SELECT $1::mood", [.text("glad")]) == [[.text("glad")]])
  }
}
