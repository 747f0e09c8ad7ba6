import Hummingbird
import SwiftData

/// Answers for a store that fails: clients learn whether to try again, and the log has the reason.
struct StoreErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let failure as StoreFailure {
      context.logger.error("The store failed: \(failure)")
      throw HTTPError(Self.status(for: failure.reason), headers: failure.reason == .busy ? [.retryAfter: "1"] : [:])
    } catch let error as SwiftDataError {
      context.logger.error("The store refused: \(error)")
      throw HTTPError(.internalServerError)
    }
  }

  static func status(for reason: StoreFailure.Reason) -> HTTPResponse.Status {
    switch reason {
    case .busy, .moved, .cannotOpen, .readOnly: .serviceUnavailable
    case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    default: .internalServerError
    }
  }
}
