import Dispatch
import Support

extension MainQueue {
  /// Lets the main queue do what was put there before.
  static func turn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
}
