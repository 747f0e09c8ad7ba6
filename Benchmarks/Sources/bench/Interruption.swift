import Foundation
import Synchronization

/// Cleans up when a signal ends the run: otherwise workers would continue, and the stores would stay.
final class Interruption: Sendable {
  private let folder: URL
  private let workers = Mutex<[Process]>([])
  // Only the initializer uses it, to keep the sources alive.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  init(removing folder: URL) {
    self.folder = folder
    for number in [SIGINT, SIGTERM] {
      // Not `SIG_IGN`, because workers would inherit that.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [unowned self] in end() }
      source.resume()
      sources.append(source)
    }
  }

  /// Ends `process` together with this one.
  func watch(_ process: Process) {
    workers.withLock { $0.append(process) }
  }

  func forget(_ process: Process) {
    workers.withLock { $0.removeAll { $0 === process } }
  }

  private func end() {
    for worker in workers.withLock({ $0 }) { worker.terminate() }
    try? FileManager.default.removeItem(at: folder)
    exit(130)
  }
}
