import Hummingbird

// The values that are sent over HTTP and leave the actor: never models.

/// A book as clients see it.
struct BookContent: Codable, Equatable, Sendable, ResponseEncodable {
  var isbn: String
  var title: String
  var author: String?
  var year: Int
  var copies: Int

  init(_ book: Book) {
    isbn = book.isbn
    title = book.title
    author = book.author?.name
    year = book.year
    copies = book.copies
  }
}

/// One page of a list, and how long the list is.
struct BookPage: Codable, Equatable, Sendable, ResponseEncodable {
  var books: [BookContent]
  var page: Int
  var size: Int
  var total: Int
}

/// The books of a list, by the query of its URL.
struct BookQuery: Decodable, Sendable {
  /// A text in the title or in the author's name; case and accents are ignored.
  var search: String?
  /// Counted from 1.
  var page: Int?
  var size: Int?
}

/// A book that a client wants to add.
struct BookDraft: Codable, Sendable {
  var isbn: String
  var title: String
  var author: String
  var year: Int
  var copies: Int
}

/// A client's changes to a book; missing fields stay unchanged.
struct BookChanges: Codable, Sendable {
  var title: String?
  var author: String?
  var year: Int?
  var copies: Int?
}

/// A line of an order.
struct OrderLine: Codable, Sendable {
  var isbn: String
  var copies: Int
}

/// The response of the health check.
struct Health: Codable, Sendable, ResponseEncodable {
  var books: Int
}
