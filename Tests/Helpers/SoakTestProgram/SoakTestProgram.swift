import Foundation
import Logging
import SoakTestModels
import SwiftData

/// Changes the reefs of a store for a while, beside other processes, and compares its models with the store at the end.
@main
@MainActor
enum SoakTestProgram {
  /// What the main context does besides explicit saves.
  private enum Mode: String {
    case undo, autosave
  }

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let mode = Mode(rawValue: arguments[2]), let seconds = Double(arguments[3]),
      let seed = UInt64(arguments[4])
    else { fail("usage: SoakTestProgram STORE MODE SECONDS SEED") }
    // The log is not read before the end, and a full pipe would block the writer.
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    // Ends this program if its parent has ended.
    alarm(UInt32(seconds) + 900)
    // From here on threads of the pool serve the main queue. The thread sanitizer does not know that the thread of `main` has
    // passed it on, and would report its earlier accesses as races with the queue's next job.
    await Task.yield()
    do {
      try await work(at: URL(fileURLWithPath: arguments[1]), mode, seconds, seed)
    } catch {
      fail("\(error)")
    }
  }

  private static func work(at store: URL, _ mode: Mode, _ seconds: Double, _ seed: UInt64) async throws {
    let container = try openReefs(at: store)
    let habits = ReefWriter.Habits(autosaves: mode == .autosave, undoes: mode == .undo, holdsAll: true)
    let writer = ReefWriter("process \(mode)", container.mainContext, habits, seed: seed)
    say("ready")
    let tally = await writer.work(until: Date(timeIntervalSinceNow: seconds))
    if let complaint = tally.complaint { fail(complaint) }
    say("\(tally.added)")
    await untilWritersEnd()
    let stored = try StoredReefs(at: store)
    let finding = await writer.finding(against: stored, until: Date(timeIntervalSinceNow: 30))
    if let finding { fail(finding) }
  }

  /// Waits for the line that says that all writers are done. The main queue is free meanwhile.
  private static func untilWritersEnd() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        _ = readLine()
        continuation.resume()
      }
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func fail(_ complaint: String) -> Never {
    FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    exit(2)
  }
}
