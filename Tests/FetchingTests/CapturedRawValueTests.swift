import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Raw {
  /// Equal in any case of the letters.
  struct RawTag: RawRepresentable, Hashable, Codable, Sendable {
    var rawValue: String

    static func == (left: Self, right: Self) -> Bool {
      left.rawValue.lowercased() == right.rawValue.lowercased()
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(rawValue.lowercased())
    }
  }

  /// Equal as texts are.
  struct RawWord: RawRepresentable, Hashable, Codable, Sendable {
    var rawValue: String
  }

  @Model
  final class RawItem {
    var tag: RawTag
    var word: RawWord

    init(_ tag: String, _ word: String) {
      self.tag = RawTag(rawValue: tag)
      self.word = RawWord(rawValue: word)
    }
  }
}

@Suite("Captured RawRepresentable values")
struct CapturedRawValueTests {
  typealias Item = Raw.RawItem
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Item.self)
    let context = ModelContext(container)
    for (tag, word) in [("a", "caf\u{e9}"), ("A", "cafe\u{301}"), ("b", "tea")] { context.insert(Item(tag, word)) }
    try context.save()
  }

  private func tags(_ tag: String) throws -> [String] {
    let tag = Raw.RawTag(rawValue: tag)
    return try container.freshContext().fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.tag == tag }))
      .map(\.tag.rawValue)
  }

  private func words(_ word: String) throws -> [[UInt8]] {
    let word = Raw.RawWord(rawValue: word)
    return try container.freshContext().fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.word == word }))
      .map { Array($0.word.rawValue.utf8) }
  }

  @Test("A fetch does not depend on earlier ones for values with a custom equality")
  func ownEquality() throws {
    let first = try tags("A")
    for _ in 0..<4 { _ = try tags("a") }
    #expect(try tags("A") == first)
  }

  @Test("A fetch does not depend on earlier ones for texts that are equal with different bytes")
  func forms() throws {
    let first = try words("cafe\u{301}")
    for _ in 0..<4 { _ = try words("caf\u{e9}") }
    #expect(try words("cafe\u{301}") == first)
  }
}
