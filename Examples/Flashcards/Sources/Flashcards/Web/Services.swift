import ServiceLifecycle

/// Stops after the server in its service group: the document is saved and closed when the last request is answered.
struct DocumentService: Service {
  let document: OpenDocument
  let imports: Imports

  func run() async throws {
    try? await gracefulShutdown()
    await imports.stop()
    try await document.close()
  }
}

/// Writes to silent event streams, so that the streams of closed pages end.
struct HeartbeatService: Service {
  let feeds: Feeds

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: .seconds(15))
        await feeds.heartbeat()
      }
    }
  }
}
