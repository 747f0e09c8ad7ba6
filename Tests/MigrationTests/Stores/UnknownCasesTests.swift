import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum TileFinish: Int, Codable, CaseIterable {
  case plain = 1
  case glazed
}

enum NumberedTiles {
  struct Look: Codable, Equatable {
    var finish: Int
  }

  @Model
  final class Tile {
    var number: Int
    var finish: Int?
    var look: Look

    init(_ number: Int, _ finish: Int?, _ look: Look) {
      self.number = number
      self.finish = finish
      self.look = look
    }
  }
}

enum FinishedTiles {
  struct Look: Codable, Equatable {
    var finish: TileFinish
  }

  @Model
  final class Tile {
    var number: Int
    var finish: TileFinish?
    var look: Look

    init(_ number: Int, _ finish: TileFinish?, _ look: Look) {
      self.number = number
      self.finish = finish
      self.look = look
    }
  }
}

@Suite("Raw values that become an enumeration")
struct UnknownCasesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func write(_ finishes: [Int?], look: Int = 1) throws {
    let context = try store.open([NumberedTiles.Tile.self]).freshContext()
    for (number, finish) in finishes.enumerated() {
      context.insert(NumberedTiles.Tile(number, finish, .init(finish: look)))
    }
    try context.save()
  }

  private func refusal() throws -> [SwiftDataError.Issue] {
    try expectRefusal(in: store.folder) { try store.open([FinishedTiles.Tile.self]) }?.details?.issues ?? []
  }

  private func tiles() throws -> [FinishedTiles.Tile] {
    try store.open([FinishedTiles.Tile.self]).freshContext().all(FinishedTiles.Tile.self, by: \.number)
  }

  @Test("Values without a case are reported with the number of their models, and nothing is changed")
  func unknownValues() throws {
    try write([1, 7, nil, 5, 7])
    let issues = try refusal()
    #expect(issues.map(\.entity) == ["Tile"])
    #expect(issues.map(\.property) == ["finish"])
    let words =
      "from Int to TileFinish, and 3 models of the store have values of it without a case: 5 (1 model), 7 (2 models)."
    #expect(issues.first?.message.contains(words) == true)
    try StoreFiles.execute("UPDATE Tile SET finish = 2 WHERE finish > 2", at: store.url)
    for _ in 0..<2 { #expect(try tiles().map(\.finish) == [.plain, .glazed, nil, .glazed, .glazed]) }
  }

  @Test("At most ten values are reported")
  func severalValues() throws {
    try write((11...21).map { Optional($0) })
    let message = try #require(try refusal().first?.message)
    #expect(message.contains("11 models of the store have values of it"))
    #expect(message.contains("20 (1 model), and others."))
  }

  @Test("Values in the fields of structures are checked as well")
  func fields() throws {
    try write([1], look: 3)
    let issues = try refusal()
    #expect(issues.map(\.property) == ["look.finish"])
    #expect(
      issues.first?.message.contains("1 model of the store has a value of it without a case: 3 (1 model).") == true)
    try StoreFiles.execute("UPDATE Tile SET look_finish = 2", at: store.url)
    #expect(try tiles().map(\.look.finish) == [.glazed])
  }
}

@Suite("Texts that become an enumeration")
struct UnknownTextCasesTests {
  @Test("Texts without a case are reported in quotation marks")
  func texts() throws {
    let store = try MigratingStore()
    let context = try store.open([SuitTexts.Hand.self]).freshContext()
    for (number, text) in ["spades", "y", "x", "y"].enumerated() { context.insert(SuitTexts.Hand(number, text)) }
    try context.save()
    let error = try expectRefusal(in: store.folder) { try store.open([SuitCases.Hand.self]) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["suit"])
    #expect(issues.first?.message.contains(#"without a case: "x" (1 model), "y" (2 models)."#) == true)
    #expect(try store.texts("SELECT suit FROM Hand ORDER BY number") == ["spades", "y", "x", "y"])
  }
}
