import Dispatch
package import Relational
import Support

/// Notifies the processes that use a schema of commits of others, by notices of the server.
///
/// A notice is sent after its commit, by another connection, and is lost when the process ends in between: the observers are
/// also called every second.
struct PostgresSignal: DatabaseSignal {
  let notices: NoticeThread
  let channel: String

  func ring() {
    notices.notify(channel)
  }

  func observe(_ body: @escaping @Sendable () -> Void) throws -> any DatabaseObservation {
    notices.listen(channel, body)
  }
}

/// Merges the notices that arrive during a call, and keeps calls off the thread that receives them.
final class NoticeObservation: DatabaseObservation {
  private let thread: NoticeThread
  private let identifier: Int
  private let queue = DispatchQueue(label: "NoticeObservation")
  private let isCallPending = Mutex(false)
  private let body: @Sendable () -> Void

  init(_ thread: NoticeThread, _ identifier: Int, _ body: @escaping @Sendable () -> Void) {
    self.thread = thread
    self.identifier = identifier
    self.body = body
  }

  deinit {
    cancel()
  }

  func call() {
    let isFirst = isCallPending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
    guard isFirst else { return }
    queue.async { [weak self] in
      guard let self else { return }
      isCallPending.withLock { $0 = false }
      body()
    }
  }

  func cancel() {
    thread.remove(identifier)
  }
}

extension PostgresDatabase {
  package var signal: (any DatabaseSignal)? {
    PostgresSignal(notices: notices, channel: "swiftdata \(schema)")
  }
}
