import Foundation
import SwiftData

/// The models that the conformance suite saves.
enum ConformanceModels {
  @Model
  final class Author {
    var name: String
    var rank: Int
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
    @Relationship(deleteRule: .nullify, inverse: \Card.author) var card: Card?

    init(_ name: String, rank: Int = 0) {
      self.name = name
      self.rank = rank
    }
  }

  @Model
  final class Book {
    var title: String
    var pages: Int
    var author: Author?
    var shelf: Shelf?
    var tags: [Tag] = []

    init(_ title: String, pages: Int = 0, author: Author? = nil) {
      self.title = title
      self.pages = pages
      self.author = author
    }
  }

  @Model
  final class Card {
    var number: Int
    var author: Author?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Shelf {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Book.shelf) var books: [Book] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Tag {
    var word: String
    @Relationship(inverse: \Book.tags) var books: [Book] = []

    init(_ word: String) {
      self.word = word
    }
  }

  @Model
  final class Code {
    @Attribute(.unique) var text: String
    var amount: Int

    init(_ text: String, amount: Int) {
      self.text = text
      self.amount = amount
    }
  }

  /// A text whose encoding may fail.
  struct Passage: Codable, Hashable, Sendable {
    struct Unencodable: Error {}

    var text: String
    /// The text that `encode(to:)` refuses.
    static let unencodable = "unencodable"

    enum CodingKeys: String, CodingKey {
      case text
    }

    func encode(to encoder: any Encoder) throws {
      if text == Self.unencodable { throw Unencodable() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(text, forKey: .text)
    }
  }

  @Model
  final class Draft {
    var title: String
    var passage: Passage

    init(_ title: String) {
      self.title = title
      passage = Passage(text: "old")
    }
  }

  static let library = Schema([Author.self, Book.self, Card.self, Shelf.self, Tag.self])
  static let drafts = Schema([Author.self, Book.self, Card.self, Draft.self, Shelf.self, Tag.self])
  static let codes = Schema([Code.self])
  static let values = Schema([Values.self])
}
