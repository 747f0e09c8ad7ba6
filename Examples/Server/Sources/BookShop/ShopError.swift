import Hummingbird

/// The reason why the shop refuses a request.
enum ShopError: Error, Equatable {
  case invalid([String])
  case noSuchBook(isbn: String)
  case isbnTaken(ISBN)
  case soldOut(ISBN, copiesLeft: Int)

  static func malformedISBN(_ text: String) -> String {
    "“\(text.prefix(40))” is not an ISBN of 13 digits."
  }
}

extension ShopError: HTTPResponseError {
  var status: HTTPResponse.Status {
    switch self {
    case .invalid: .unprocessableContent
    case .noSuchBook: .notFound
    case .isbnTaken, .soldOut: .conflict
    }
  }

  /// The reasons, in sentences for the client's developer.
  var reasons: [String] {
    switch self {
    case .invalid(let faults): faults
    case .noSuchBook(let isbn): ["There is no book “\(isbn.prefix(40))”."]
    case .isbnTaken(let isbn): ["There is a book \(isbn) already."]
    case .soldOut(let isbn, let copiesLeft): ["Of the book \(isbn) there are \(copiesLeft) copies left."]
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var response = try context.responseEncoder.encode(["reasons": reasons], from: request, context: context)
    response.status = status
    return response
  }
}
