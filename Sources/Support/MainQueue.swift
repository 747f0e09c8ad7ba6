import Dispatch
import Foundation

/// The main actor's queue.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Whether the current thread runs the main queue.
  ///
  /// After `dispatchMain()`, which an asynchronous `main` calls, threads other than the main one serve the queue.
  package static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil
  }
}
