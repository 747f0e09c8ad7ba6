import Foundation
import SwiftData

@Model
final class Author {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .nullify, inverse: \Book.author) var books: [Book] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Book {
  #Index<Book>([\.title])

  /// The key in URLs. Row keys and identifiers stay inside the program.
  @Attribute(.unique) var isbn: String
  var title: String
  var year: Int
  /// The number of copies left to sell.
  var copies: Int
  var author: Author?
  @Relationship(deleteRule: .cascade, inverse: \Sale.book) var sales: [Sale] = []

  init(isbn: String, title: String, year: Int, copies: Int) {
    self.isbn = isbn
    self.title = title
    self.year = year
    self.copies = copies
  }
}

@Model
final class Sale {
  var date: Date
  var copies: Int
  var book: Book?

  init(copies: Int, date: Date) {
    self.copies = copies
    self.date = date
  }
}
