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
    PostgresObservation(notices, channel, body)
  }
}

/// Merges the notices that arrive during a call, and keeps calls off the thread that receives them.
private final class PostgresObservation: DatabaseObservation {
  private let queue = DispatchQueue(label: "PostgresObservation")
  private let isCallPending = Mutex(false)
  private let observation = Mutex<NoticeObservation?>(nil)
  private let body: @Sendable () -> Void

  init(_ notices: NoticeThread, _ channel: String, _ body: @escaping @Sendable () -> Void) {
    self.body = body
    let observation = notices.listen(channel) { [weak self] in self?.call() }
    self.observation.withLock { $0 = observation }
  }

  private func call() {
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
    observation.withLock { $0.take() }?.stop()
  }
}

extension PostgresDatabase {
  package var signal: (any DatabaseSignal)? {
    PostgresSignal(notices: notices, channel: "swiftdata \(schema)")
  }
}
