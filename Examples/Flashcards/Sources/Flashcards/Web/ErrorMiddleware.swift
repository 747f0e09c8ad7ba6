import Hummingbird
import SwiftData

/// The response when the store fails: the page shows a message, and the log has the reason.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as any HTTPResponseError {
      throw error
    } catch {
      context.logger.error("A request failed: \(error)")
      let reason = (error as? SwiftDataError)?.details?.storeFailureReason
      return try JSONResponse.make(["message": Self.message(reason)], status: .internalServerError)
    }
  }

  private static func message(_ reason: SwiftDataError.StoreFailureReason?) -> String {
    switch reason {
    case .busy: "Another program is using the document. Nothing was changed: try again."
    case .diskFull: "The disk is full. Nothing was changed."
    case .moved: "The document was moved or deleted. Nothing was changed."
    case nil: "This change could not be saved. Nothing of it was kept."
    default: "The document could not be read or written. Nothing was changed."
    }
  }
}
