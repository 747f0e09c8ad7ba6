import ServiceLifecycle

/// Stops after the server in its service group, so that the store stays open until the last request is answered.
struct StoreService: Service {
  let catalogs: Catalogs

  func run() async throws {
    try await gracefulShutdown()
    try await catalogs.finish()
  }
}
