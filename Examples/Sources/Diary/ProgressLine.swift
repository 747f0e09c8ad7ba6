import Foundation

/// Shows a progress on standard error until it is ended: a bar in a terminal, and nothing elsewhere.
final class ProgressLine: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let ended = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ progress: Progress) {
    guard isTerminal else { return }
    let (ended, isDone) = (ended, isDone)
    Thread.detachNewThread {
      while ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut { Self.draw(progress.fractionCompleted) }
      Self.draw(1)
      FileHandle.standardError.write(Data("\n".utf8))
      isDone.signal()
    }
  }

  func end() {
    guard isTerminal else { return }
    ended.signal()
    isDone.wait()
  }

  private static func draw(_ fraction: Double) {
    let filled = Int(max(0, min(fraction, 1)) * 40)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
    FileHandle.standardError.write(Data("\r\(bar) \(Int(fraction * 100)) %".utf8))
  }
}
