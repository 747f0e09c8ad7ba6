import Synchronization

/// The events that one page has not received yet.
///
/// Feeds send on the main actor. The connection waits for ``wakeups`` and takes the pending events, which needs no actor.
final class EventStream: Sendable {
  /// A page that reads more slowly gets the whole content instead of the missed events.
  static let limit = 1 << 20

  let wakeups: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let pending = Mutex(Pending())

  private struct Pending {
    var text = ""
    var hasMissedEvents = false
  }

  init() {
    (wakeups, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func send(_ event: ServerSentEvent) {
    pending.withLock { pending in
      if pending.hasMissedEvents { return }
      pending.hasMissedEvents = pending.text.utf8.count + event.text.utf8.count > Self.limit
      if pending.hasMissedEvents { pending.text = "" } else { pending.text += event.text }
    }
    continuation.yield()
  }

  /// - Returns: Nil when events were missed: ``Feeds/takeAll(_:_:)`` replaces them.
  func take() -> String? {
    pending.withLock { pending in
      if pending.hasMissedEvents { return nil }
      defer { pending.text = "" }
      return pending.text
    }
  }

  /// Clears the mark for missed events.
  func restart() {
    pending.withLock { $0 = Pending() }
  }

  func finish() {
    continuation.finish()
  }
}
