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

  static let library = Schema([Author.self, Book.self, Card.self, Shelf.self, Tag.self])
  static let codes = Schema([Code.self])
  static let values = Schema([Values.self])
}
