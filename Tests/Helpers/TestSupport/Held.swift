import Dispatch
import Foundation

/// Passes a value to another thread, which releases it.
///
/// `@unchecked Sendable` because the sender does not use it any more.
final class Held<Value>: @unchecked Sendable {
  private(set) var value: Value?
  private let stream = AsyncStream<Void>.makeStream()

  init(_ value: Value?) {
    self.value = value
  }

  func put(_ value: Value) {
    self.value = value
  }

  func drop() {
    value = nil
    stream.continuation.finish()
  }

  func dropped() async {
    for await _ in stream.stream {}
  }

  func dropElsewhere() async {
    DispatchQueue.global().async { self.drop() }
    await dropped()
  }

  func dropOnThread() {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      self.drop()
      isDone.signal()
    }
    isDone.wait()
  }
}

/// Whether an object is released, at once or soon: on a busy machine another thread may still hold it.
func isGone(_ object: @autoclosure () -> AnyObject?, isolation: isolated (any Actor)? = #isolation) async -> Bool {
  await comesTrue { object() == nil }
}
