import Dispatch
import Foundation

/// Carries something to another thread, which lets go of it.
///
/// `@unchecked Sendable` because who hands it over uses it no more.
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

/// Whether an object goes away, at once or in a moment: on a busy machine another thread may still be at the end of
/// what it does with it.
func isGone(_ object: @autoclosure () -> AnyObject?, isolation: isolated (any Actor)? = #isolation) async -> Bool {
  await comesTrue { object() == nil }
}
