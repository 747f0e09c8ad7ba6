package import Foundation
import Observation
import SwiftData
import Synchronization
import Timing

/// Notes when an observer of the history is told of what others commit.
///
/// `@unchecked Sendable` because all else is constant or behind a lock, and the context is used where the observer counts,
/// which is a queue of its own.
package final class CommitListener: @unchecked Sendable {
  private let observer: HistoryObserver
  private let context: ModelContext
  private let heard = Mutex<[CommitNotice]>([])

  /// Opens the store and listens from now on.
  package init(to file: URL) throws {
    let store = try ItemStore(file, history: .usual)
    context = store.makeContext()
    observer = try HistoryObserver(modelContainer: store.container)
    listen()
  }

  /// What was heard until there was word of a transaction, or some seconds were over.
  package func notices(until transaction: Int64) -> [CommitNotice] {
    for _ in 0..<200 {
      let notices = heard.withLock { $0 }
      if notices.contains(where: { $0.transaction >= transaction }) { return notices }
      usleep(10_000)
    }
    return heard.withLock { $0 }
  }

  private func listen() {
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: { [weak self] in
      self?.hear()
    }
  }

  private func hear() {
    let time = MonotonicClock.now
    listen()
    // What somebody finds who looks because of the notice. A failure finds nothing.
    let transaction = try? context.lastTransaction()?.transactionIdentifier
    heard.withLock { $0.append(CommitNotice(time: time, transaction: transaction ?? 0)) }
  }
}
