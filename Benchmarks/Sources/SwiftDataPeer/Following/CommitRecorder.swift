package import Foundation
import Observation
import SwiftData
import Synchronization
import Timing

/// Records when an observer of the history is notified of commits by other processes.
///
/// `@unchecked Sendable` because all else is constant or guarded by a mutex, and the context is only used on the observer's own
/// queue.
package final class CommitRecorder: @unchecked Sendable {
  private let observer: HistoryObserver
  private let context: ModelContext
  private let received = Mutex<[CommitNotice]>([])

  /// Opens the store and observes it from now on.
  package init(to file: URL) throws {
    let store = try ItemStore(file, history: .usual)
    context = store.makeContext()
    observer = try HistoryObserver(modelContainer: store.container)
    observe()
  }

  /// The notices until that of a transaction, or after some seconds.
  package func notices(until transaction: Int64) -> [CommitNotice] {
    for _ in 0..<200 {
      let notices = received.withLock { $0 }
      if notices.contains(where: { $0.transaction >= transaction }) { return notices }
      usleep(10_000)
    }
    return received.withLock { $0 }
  }

  private func observe() {
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: { [weak self] in
      self?.receive()
    }
  }

  private func receive() {
    let time = MonotonicClock.now
    observe()
    // The last transaction that a fetch finds because of the notice. Zero after a failure.
    let transaction = try? context.lastTransaction()?.transactionIdentifier
    received.withLock { $0.append(CommitNotice(time: time, transaction: transaction ?? 0)) }
  }
}
