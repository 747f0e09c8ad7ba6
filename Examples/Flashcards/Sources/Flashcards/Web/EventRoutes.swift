import Hummingbird
import Logging
import ServiceLifecycle

/// The event streams of pages.
struct EventRoutes {
  let feeds: Feeds
  let logger: Logger

  func add(to router: Router<BasicRequestContext>) {
    router.get("events") { request, _ in
      let query = PageQuery(request)
      // A reconnecting page sends the identifier of its last event; a new page that of its content.
      let seen = request.headers[.lastEventID] ?? request.uri.queryParameters["seen"].map(String.init)
      let stream = try await feeds.open(query, seen: seen)
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          do {
            try await send(stream, query, of: request, to: &writer)
          } catch {
            logger.debug("An event stream ended: \(error)")
          }
          await feeds.close(stream, query)
          try await writer.finish(nil)
        })
    }
  }

  private func send(
    _ stream: EventStream, _ query: PageQuery, of request: Request, to writer: inout any ResponseBodyWriter
  ) async throws {
    try await withGracefulShutdownHandler {
      try await request.body.consumeWithInboundCloseHandler { _ in
        for await _ in stream.wakeups {
          let text = if let text = stream.take() { text } else { try await feeds.takeAll(stream, query) }
          try await writer.write(ByteBuffer(string: text))
        }
      } onInboundClosed: {
        stream.finish()
      }
    } onGracefulShutdown: {
      stream.finish()
    }
  }
}
