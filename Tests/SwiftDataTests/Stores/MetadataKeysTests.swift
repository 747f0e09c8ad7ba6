import Foundation
import Relational
import Testing

@testable import SwiftData

@Suite("Keys of the JSON in a store's metadata")
struct MetadataKeysTests {
  private func recode<Value: Codable>(_ type: Value.Type, _ json: String) throws -> String {
    try SchemaRecord.json(JSONDecoder().decode(type, from: Data(json.utf8)))
  }

  private static let column = #"""
    {"isNullable":true,"isPrimaryKey":false,"meaning":"","name":"title","originalName":"","type":"text"}
    """#

  @Test("A revision of the history has the keys that stores have")
  func historyRevision() throws {
    let json = #"""
      [{"changes":{"Trip":{"name":{"former":[\#(Self.column)],"name":"title","present":[\#(Self.column)]}}},"last":7}]
      """#
    let revisions = try JSONDecoder().decode([HistoryRevision].self, from: Data(json.utf8))
    #expect(revisions.first?.changes["Trip"]?["name"]?.previous.map(\.name) == ["title"])
    #expect(try recode([HistoryRevision].self, json) == json)
  }

  @Test("Archived values have the keys that stores have")
  func archivedValues() throws {
    let json = #"""
      [{"columns":[\#(Self.column)],"linkKey":["a","b"],"originalName":"old","otherName":"other",\#
      "source":"Trip","table":"swiftdata_kept_Trip_name"}]
      """#
    #expect(try recode([ArchivedValues].self, json) == json)
  }

  @Test("A table has the keys that stores have")
  func table() throws {
    let json = try SchemaRecord.json([
      TableDefinition(name: "Trip", columns: [.init(name: "title", type: .text, isNullable: true)])
    ])
    for key in ["name", "columns", "indexes"] { #expect(json.contains("\"\(key)\":")) }
    #expect(json.contains(Self.column))
  }

  @Test("A record of a commit has the keys that files have")
  func commitRecord() throws {
    let json = #"{"members":[{"copy":"c","digest":5,"layoutIdentifier":"L","store":"s"}]}"#
    #expect(try recode(CommitRecord.self, json) == json)
  }
}
