import Hummingbird
import Logging
import NIOCore
import SwiftData

/// The Hummingbird application of the shop over an open store.
enum BookShop {
  static func application(
    catalogs: Catalogs, address: BindAddress = .hostname("127.0.0.1", port: 8080), logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      router: BookRoutes(catalogs: catalogs).router(),
      configuration: ApplicationConfiguration(address: address),
      // Services stop in reverse order, and the server comes last: it has stopped before the store closes.
      services: [StoreService(catalogs: catalogs)],
      onServerRunning: onServerRunning,
      logger: logger)
  }

  /// Opens the store, or creates it when there is none.
  static func open(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(for: Book.self, Author.self, Sale.self, configurations: configuration)
  }
}
