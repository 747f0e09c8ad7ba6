import Dispatch
import Foundation
import Support
import SwiftData

/// Prevents all other saves to the stores of a container, from a thread of its own, until it is lifted.
final class SavingBarrier: Sendable {
  private let isLifted = DispatchSemaphore(value: 0)
  private let state = Mutex(false)

  /// Whether other saves are prevented by now.
  var isDown: Bool { state.withLock { $0 } }

  init(_ container: ModelContainer) {
    Thread.detachNewThread { [self] in
      try? ModelContext(container).transaction {
        state.withLock { $0 = true }
        isLifted.wait()
      }
    }
  }

  func lift() {
    isLifted.signal()
  }
}
