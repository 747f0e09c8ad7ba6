import Dispatch
import Foundation

/// The main queue of Dispatch, which is that of the main actor.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Whether the caller runs on it. After `dispatchMain()`, which an asynchronous `main` calls, other threads than the
  /// main one serve the queue.
  package static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil
  }
}
