import Hummingbird

/// The reason why a request is refused, with a message for the user.
enum CardError: Error, Equatable {
  case invalid(field: String, String)
  /// Another page has saved a different text since the editor was opened.
  case changed(field: String, value: String)
  /// The deck, card or import does not exist.
  case gone(String)
  case importRunning
  case fileTooLarge
  case unknownToken
}

extension CardError: HTTPResponseError {
  private struct Content: Encodable {
    var field: String?
    var message: String
    var value: String?
  }

  var status: HTTPResponse.Status {
    switch self {
    case .invalid: .unprocessableContent
    case .changed, .importRunning: .conflict
    case .gone: .notFound
    case .fileTooLarge: .contentTooLarge
    case .unknownToken: .forbidden
    }
  }

  private var content: Content {
    switch self {
    case .invalid(let field, let message): Content(field: field, message: message)
    case .changed(let field, let value):
      Content(field: field, message: "This text was changed on another page. Save again to replace it.", value: value)
    case .gone(let what): Content(message: "This \(what) does not exist any more.")
    case .importRunning:
      Content(field: "file", message: "Another import is running. Wait for its end, or cancel it.")
    case .fileTooLarge: Content(field: "file", message: "The file is too large: 50 MB at most.")
    case .unknownToken: Content(message: "This page is out of date. Reload it.")
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    try JSONResponse.make(content, status: status)
  }
}
