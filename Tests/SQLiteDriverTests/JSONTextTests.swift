import Relational
import SQLiteDriver
import Testing

@Suite("Texts in JSON that may have a zero byte")
struct JSONTextTests {
  private func text(in json: String, _ key: Value) throws -> Value? {
    let database = try SQLiteDatabase.inMemory()
    return try database.read { try $0.rows("SELECT swiftdata_json_text(?, ?)", [.text(json), key]) }.first
  }

  static let arrays: [(json: String, texts: [String?])] = [
    (#"["a\u0000b","\u0000","",null,1,"x"]"#, ["a\0b", "\0", "", nil, nil, "x"]),
    (#" [ "]" , {"a":["\"}",{}]} , "\\" , [[],"\u0000"] , "\\u0000" ] "#, ["]", nil, "\\", nil, "\\u0000"]),
    (
      #"["\"\\\/\b\f\n\r\t","é\u00e9\uD83D\uDE00\u0000","\uD83D","\uDE00\uD83D","\uD83Dx"]"#,
      ["\"\\/\u{8}\u{C}\n\r\t", "éé😀\0", "\u{FFFD}", "\u{FFFD}\u{FFFD}", "\u{FFFD}x"]
    ),
    ("[\"\u{FEFF}\",\"\u{FEFF}a\\u0000\",\"🇩🇪🇫🇷\\u0000\",\"🇪\"]", ["\u{FEFF}", "\u{FEFF}a\0", "🇩🇪🇫🇷\0", "🇪"]),
    ("[]", []),
  ]

  @Test("A text of an array is found by its place, scalar by scalar", arguments: arrays)
  func places(json: String, texts: [String?]) throws {
    for (index, expected) in texts.enumerated() {
      guard case .text(let found)? = try text(in: json, .integer(Int64(index))) else {
        #expect(expected == nil, "\(json) at \(index)")
        continue
      }
      #expect(expected.map { Array($0.unicodeScalars) } == Array(found.unicodeScalars), "\(json) at \(index)")
    }
    for index in [-1, Int64(texts.count), .max, .min] { #expect(try text(in: json, .integer(index)) == .null) }
  }

  @Test("A text of an object is found by its key")
  func keys() throws {
    let json = #"{"":"empty","a":{"b":"inner"},"b":"\u0000","\u0061\u0000":"zero","c":[1,"b",{"d":"x"}],"d":"last"}"#
    for (key, expected) in ["": "empty", "b": "\0", "a\0": "zero", "d": "last"] {
      #expect(try text(in: json, .text(key)) == .text(expected))
    }
    for key in ["a", "c", "x", "inner"] { #expect(try text(in: json, .text(key)) == .null) }
    #expect(try text(in: json, .integer(0)) == .null)
  }

  @Test(
    "What is no JSON has no texts",
    arguments: [
      "", "[", "[\"", "[\"a", "[\"\\", "[\"\\u", "{\"a", "{\"a\"", "{\"a\":", "{a:1", "[,", "]", "nonsense", "\"a\"",
    ])
  func damaged(json: String) throws {
    for key: Value in [.integer(0), .integer(1), .text("a"), .text(""), .null, .real(1)] {
      #expect(try text(in: json, key) == .null)
    }
  }
}
