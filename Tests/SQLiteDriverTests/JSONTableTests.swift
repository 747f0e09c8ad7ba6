import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("The elements of JSON as rows")
struct JSONTableTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  private func values(_ sql: String, _ parameters: Value...) throws -> [Value] {
    try database.read { try $0.rows(sql, parameters) }
  }

  private func elements(of json: String) throws -> [Value] {
    try values("SELECT value FROM swiftdata_elements(?)", .text(json))
  }

  static let arrays: [(json: String, texts: [String?])] = [
    (#"["a\u0000b","\u0000","",null,1,"x"]"#, ["a\0b", "\0", "", nil, nil, "x"]),
    (#" [ "]" , {"a":["\"}",{}]} , "\\" , [[],"\u0000"] , "\\u0000" ] "#, ["]", nil, "\\", nil, "\\u0000"]),
    (
      #"["\"\\\/\b\f\n\r\t","é\u00e9\uD83D\uDE00\u0000","\uD83D","\uDE00\uD83D","\uD83Dx"]"#,
      ["\"\\/\u{8}\u{C}\n\r\t", "éé😀\0", "\u{FFFD}", "\u{FFFD}\u{FFFD}", "\u{FFFD}x"]
    ),
    ("[\"\u{FEFF}\",\"\u{FEFF}a\\u0000\",\"🇩🇪🇫🇷\\u0000\",\"🇪\"]", ["\u{FEFF}", "\u{FEFF}a\0", "🇩🇪🇫🇷\0", "🇪"]),
    ("[]", []), (" [ ] ", []),
  ]

  @Test("Texts of an array are complete, scalar by scalar", arguments: arrays)
  func texts(json: String, texts: [String?]) throws {
    let found = try elements(of: json)
    #expect(found.count == texts.count)
    for (value, expected) in zip(found, texts) {
      guard let expected else { continue }
      guard case .text(let text) = value else {
        Issue.record("\(value) is no text")
        continue
      }
      #expect(Array(text.unicodeScalars) == Array(expected.unicodeScalars), "\(json)")
    }
  }

  @Test("Keys of an object are complete, and elements of an array have indexes")
  func keys() throws {
    let json = #"{"":1,"a\u0000":{"b":"inner"}, "\\u0000" : null,"\u00e9":[1, 2]}"#
    #expect(
      try values("SELECT key FROM swiftdata_elements(?)", .text(json)) == ["", "a\0", "\\u0000", "é"].map { .text($0) })
    #expect(try elements(of: json) == [.integer(1), .text(#"{"b":"inner"}"#), .null, .text("[1, 2]")])
    #expect(try values("SELECT key FROM swiftdata_elements('[7,8,9]')") == [.integer(0), .integer(1), .integer(2)])
    #expect(try values("SELECT value FROM swiftdata_elements('[7,8,9]') WHERE key = 1") == [.integer(8)])
  }

  @Test("Null has no elements, and each row of a table has the elements of its own JSON")
  func rows() throws {
    #expect(try values("SELECT value FROM swiftdata_elements(NULL)").isEmpty)
    try database.execute("CREATE TABLE t (j); INSERT INTO t VALUES ('[1,2]'), (NULL), ('[]'), ('{\"a\":3}')")
    let counts = try values("SELECT (SELECT count(*) FROM swiftdata_elements(t.j)) FROM t ORDER BY t.rowid")
    #expect(counts == [2, 0, 0, 1].map { .integer($0) })
    let pairs = "SELECT a.value * 10 + b.value FROM swiftdata_elements('[1,2]') a, swiftdata_elements('[3,4]') b"
    #expect(try values(pairs) == [13, 14, 23, 24].map { .integer($0) })
  }

  @Test("Numbers and literals have SQLite's values")
  func scalars() throws {
    let json = """
      [0, -0, 9223372036854775807, -9223372036854775808, 9223372036854775808, 1.0, -1.5e3, 1E+2, 1e400, -1e400, 1e-400, true,
      false, null, "1", 0.1, 12345678901234567890123456789]
      """
    let ours = "SELECT typeof(value) || coalesce(value, '') FROM swiftdata_elements(?)"
    let theirs = "SELECT typeof(value) || coalesce(value, '') FROM json_each(?)"
    let expected = try values(theirs, .text(json))
    #expect(expected.count == 17)
    #expect(try values(ours, .text(json)) == expected)
  }

  @Test("JSON that is no array or object is an error")
  func damaged() throws {
    for json in [
      "", " ", "[", "[\"", "[\"a", "[\"\\", "[\"\\u", "[\"\\u12", "{\"a", "{\"a\"", "{\"a\":", "{a:1}", "[,", "]",
      "nonsense",
      "\"a\"", "1", "null", "[1,]", "[1 2]", "{\"a\":1,}", "[1]]", "[1]x", "[01]", "[1.]", "[-]", "[.5]", "[1e]",
      "[+1]",
      "[tru]", "[\"\\x\"]", "[\"\\u00g0\"]", "[\"a\u{1}\"]", "[\"\n\"]", "\u{FEFF}[]", "[}", "{]", "[1:2]", "{\"a\",1}",
      "[\0]", "[]\0",
    ] {
      let error = #expect(throws: DatabaseError.self, "\(json.debugDescription)") { try elements(of: json) }
      #expect(error?.message.contains("malformed JSON") == true)
    }
    for argument in [Value.integer(1), .real(1), .blob(Data("[]".utf8))] {
      #expect(throws: DatabaseError.self) { try values("SELECT value FROM swiftdata_elements(?)", argument) }
    }
    // The connection stays usable.
    #expect(try elements(of: "[1]") == [.integer(1)])
  }

  @Test("Of randomly changed JSON the same elements are read as by SQLite")
  func randomDamage() throws {
    var state: UInt64 = 26
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let letters = Array(#"[]{},:"\u01aetrfn-+. "#.utf8)
    let whole = Array(#"[1,"a\n\u00e9",{"b":[true,null,-1.5e3]},[],{}, "x" ,0]"#.utf8)
    try database.read { connection in
      var validCount = 0
      for _ in 0..<4_000 {
        var bytes = whole
        for _ in 0...random(3) {
          let place = random(bytes.count)
          switch random(3) {
          case 0: bytes[place] = letters[random(letters.count)]
          case 1: bytes.insert(letters[random(letters.count)], at: place)
          default: bytes.remove(at: place)
          }
        }
        let json = Value.text(String(decoding: bytes, as: UTF8.self))
        let isOne = "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) IN ('array', 'object') ELSE 0 END"
        let isValid = try connection.rows(isOne, [json]) == [.integer(1)]
        let count = try? connection.rows("SELECT count(*) FROM swiftdata_elements(?)", [json])
        #expect((count != nil) == isValid, "\(json)")
        guard isValid else { continue }
        validCount += 1
        let ours = try connection.rows("SELECT value FROM swiftdata_elements(?)", [json])
        let theirs = try connection.rows("SELECT value FROM json_each(?)", [json])
        #expect(count == [.integer(Int64(theirs.count))] && ours.count == theirs.count, "\(json)")
        guard ours.count == theirs.count else { continue }
        let types = try connection.rows("SELECT type FROM json_each(?)", [json])
        for (index, type) in types.enumerated() {
          let isNested = [.text("array"), .text("object")].contains(type)
          let value = isNested ? try connection.rows("SELECT json(?)", [ours[index]]).first : ours[index]
          #expect(value == theirs[index], "\(json)")
        }
      }
      #expect(validCount > 300)
    }
  }

  @Test("JSON nested too deeply is an error")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try elements(of: nested(900)).count == 1)
    for json in [
      nested(1_002), nested(1_000_000), String(repeating: "[", count: 1_000_000),
      String(repeating: "{\"a\":", count: 500_000),
    ] {
      #expect(throws: DatabaseError.self) { try elements(of: json) }
    }
  }

  @Test("JSON is parsed once for all of its elements", .timeLimit(.minutes(5)))
  func manyElements() throws {
    // Searching for each of them from the beginning would take hours.
    let json = "[" + (0..<200_000).map { "\"\($0)\"" }.joined(separator: ",") + #","\u0000"]"#
    #expect(
      try values("SELECT count(*) FROM swiftdata_elements(?) WHERE value <> 'x'", .text(json)) == [.integer(200_001)])
    #expect(
      try values("SELECT key FROM swiftdata_elements(?) WHERE value = ?", .text(json), .text("\0")) == [
        .integer(200_000)
      ])
  }
}
