import Hummingbird

/// Lets only pages of this program change the document: other sites cannot read the token, and have another origin.
struct TokenMiddleware<Context: RequestContext>: RouterMiddleware {
  let token: String

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if request.method != .get, request.method != .head {
      let origin = request.headers[.origin]
      let isOwn = origin == nil || origin == request.head.authority.map { "http://\($0)" }
      guard isOwn, Self.isEqual(request.headers[.pageToken] ?? "", token) else { throw CardError.unknownToken }
    }
    return try await next(request, context)
  }

  /// Compares in constant time, so that the time reveals nothing about the token.
  private static func isEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
