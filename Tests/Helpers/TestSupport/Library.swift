import Foundation
import SwiftData

// Models that many tests share: authors with books, books with tags, and a chain of nodes.

@Model
final class Author {
  var name: String
  var born: Int?
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(name: String, born: Int? = nil) {
    self.name = name
    self.born = born
  }
}

@Model
final class Book {
  @Attribute(.unique) var isbn: String
  var title: String
  var pages = 0
  var author: Author?
  @Relationship(inverse: \Tag.books) var tags: [Tag] = []

  init(isbn: String, title: String, pages: Int = 0, author: Author? = nil) {
    self.isbn = isbn
    self.title = title
    self.pages = pages
    self.author = author
  }
}

@Model
final class Tag {
  var word: String
  var books: [Book] = []

  init(_ word: String) {
    self.word = word
  }
}

/// A container of the shared models in memory.
func makeLibrary() throws -> ModelContainer {
  try ModelContainer(
    for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}
