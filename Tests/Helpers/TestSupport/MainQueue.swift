import Dispatch
import Support

extension MainQueue {
  /// Lets the main queue run its waiting jobs.
  static func turn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
}
