import Hummingbird
import ServiceLifecycle

/// Refuses requests once the program is stopping.
struct StoppingMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if Task.isShuttingDownGracefully {
      throw HTTPError(.serviceUnavailable, headers: [.connection: "close", .retryAfter: "1"])
    }
    return try await next(request, context)
  }
}
