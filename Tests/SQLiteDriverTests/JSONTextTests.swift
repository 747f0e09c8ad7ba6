import Relational
import SQLiteDriver
import Testing

@Suite("Texts in JSON that may contain a zero byte")
struct JSONTextTests {
  private func text(in json: String, _ key: Value) throws -> Value? {
    let database = try SQLiteDatabase.inMemory()
    return try database.read { try $0.rows("SELECT swiftdata_json_text(?, ?)", [.text(json), key]) }.first
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
    "Invalid JSON has no texts",
    arguments: [
      "", "[", "[\"", "[\"a", "[\"\\", "[\"\\u", "{\"a", "{\"a\"", "{\"a\":", "{a:1", "[,", "]", "nonsense", "\"a\"",
    ])
  func damaged(json: String) throws {
    for key: Value in [.integer(0), .integer(1), .text("a"), .text(""), .null, .real(1)] {
      #expect(try text(in: json, key) == .null)
    }
  }
}
