import Foundation
import Hummingbird
import Logging
import NIOCore
import SwiftData

/// The document as a Hummingbird application.
struct FlashcardsServer: Sendable {
  let document: OpenDocument
  let feeds: Feeds
  let imports: Imports
  let host: String
  let token: String
  let logger: Logger

  @MainActor
  init(_ document: OpenDocument, host: String = "127.0.0.1", logger: Logger) {
    var generator = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in String(generator.next(), radix: 36) }.joined()
    let feeds = Feeds(document, token: token)
    self.document = document
    self.feeds = feeds
    self.host = host
    self.token = token
    self.logger = logger
    imports = Imports(document.context.container, logger: logger) { progress in
      do { try feeds.show(progress) } catch { logger.error("An event was not sent: \(error)") }
    }
    document.didChange = {
      do { try feeds.showState() } catch { logger.error("An event was not sent: \(error)") }
    }
  }

  func application(
    port: Int = 8080, onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      router: router(), configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
      // Services stop in reverse order, and the server comes last: it has stopped before the document closes.
      services: [DocumentService(document: document, imports: imports), HeartbeatService(feeds: feeds)],
      onServerRunning: onServerRunning, logger: logger)
  }

  private func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.addMiddleware {
      SecurityMiddleware()
      StoppingMiddleware()
      HostMiddleware(host: host)
      TokenMiddleware(token: token)
      ErrorMiddleware()
    }
    StaticRoutes().add(to: router)
    PageRoutes(document: document, feeds: feeds, token: token).add(to: router)
    EventRoutes(feeds: feeds, logger: logger).add(to: router)
    EditingRoutes(document: document).add(to: router)
    ImportRoutes(document: document, imports: imports).add(to: router)
    return router
  }
}
