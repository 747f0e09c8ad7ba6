import Foundation

/// The kinds of requests of the load test.
enum Workload: String, CaseIterable, Sendable {
  /// One book by its ISBN.
  case get
  /// A page of 20 books, in the order of their titles.
  case list
  /// The first page of a search in titles and authors.
  case search
  /// An order of one copy of one book: reads it, changes it, and adds a sale.
  case sell
  /// A new book.
  case add

  /// The request with a number; the same number gives the same request, apart from `add`.
  ///
  /// - Parameters:
  ///   - books: How many sample books the shop has.
  ///   - run: The number of the first book to add, which no other run has added.
  func request(_ number: Int, books: Int, run: Int) -> ShopRequest {
    // A step without a common factor with most numbers of books spreads the requests over all books.
    let book = number * 7919 % books
    switch self {
    case .get: return ShopRequest("GET", "/books/\(SampleBook(book).isbn)")
    case .list: return ShopRequest("GET", "/books?page=\(book / 20 + 1)")
    case .search: return ShopRequest("GET", "/books?search=\(SampleBook(book).word)")
    case .sell: return ShopRequest("POST", "/orders", #"[{"isbn":"\#(SampleBook(book).isbn)","copies":1}]"#)
    case .add: return ShopRequest("POST", "/books", SampleBook(run + number).json)
    }
  }
}

/// A request to the shop.
struct ShopRequest: Sendable {
  let method: String
  let path: String
  let body: String?

  init(_ method: String, _ path: String, _ body: String? = nil) {
    self.method = method
    self.path = path
    self.body = body
  }
}

/// A made-up book for each number below 10^12.
struct SampleBook: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }

  var isbn: String {
    let digits = String(1_000_000_000_000 + number % 1_000_000_000_000).dropFirst()
    let sum = digits.utf8.enumerated().reduce(0) { sum, digit in
      sum + (Int(digit.element) - 48) * (digit.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return digits + String((10 - sum % 10) % 10)
  }

  /// A word that one title in 40 has.
  var word: String { Self.nouns[number % 40 % 8] + Self.endings[number % 40 / 8] }

  var json: String {
    #"{"isbn":"\#(isbn)","title":"The \#(word) of \#(number)","author":"Author \#(number % 100)","#
      + #""year":\#(1900 + number % 120),"copies":1000000}"#
  }

  private static let nouns = ["River", "Stone", "Lantern", "Garden", "Harbour", "Winter", "Orchard", "Mirror"]
  private static let endings = ["", "side", "light", "keeper", "song"]
}
