import Hummingbird

/// Refuses requests for other host names, by which another site could reach this machine (DNS rebinding).
struct HostMiddleware<Context: RequestContext>: RouterMiddleware {
  private let names: Set<String>

  /// - Parameter host: The address that the server listens on.
  init(host: String) {
    names = ["127.0.0.1", "localhost", "[::1]", host.contains(":") ? "[\(host)]" : host.lowercased()]
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let authority = request.head.authority, isOwn(authority) else { throw HTTPError(.misdirectedRequest) }
    return try await next(request, context)
  }

  /// Whether a name, with or without a port, is one of this machine.
  func isOwn(_ authority: String) -> Bool { names.contains(Self.name(authority)) }

  /// The name without the port.
  private static func name(_ authority: String) -> String {
    var name = authority[...]
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) {
      name = name[..<colon]
    }
    return name.lowercased()
  }
}
