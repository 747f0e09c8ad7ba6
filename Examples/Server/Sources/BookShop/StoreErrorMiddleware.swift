import Hummingbird
import SwiftData

/// Responses when the store fails: the status shows clients whether to try again, and the log has the reason.
struct StoreErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as SwiftDataError {
      context.logger.error("The store failed: \(error)")
      let reason = error.details?.storeFailureReason
      throw HTTPError(Self.status(for: reason), headers: reason == .busy ? [.retryAfter: "1"] : [:])
    }
  }

  static func status(for reason: SwiftDataError.StoreFailureReason?) -> HTTPResponse.Status {
    switch reason {
    case .busy, .moved, .cannotOpen, .readOnly: .serviceUnavailable
    case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    default: .internalServerError
    }
  }
}
