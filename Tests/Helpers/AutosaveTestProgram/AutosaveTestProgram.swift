import Dispatch
import Foundation
import KillTestModels
import SwiftData

/// Changes models without an explicit save. Then it keeps running, or exits in the requested way.
@main
@MainActor
enum AutosaveTestProgram {
  /// How the main queue is served.
  private enum Loop: String {
    case none, dispatch, runLoop
  }

  private enum Ending: String {
    case never, ofMain, signal, otherThread, transaction
    /// An actor exits, or works during the exit: for a while, or for long.
    case actor, busyActor, stuckActor
  }

  // Retained until exit.
  private static var container: ModelContainer?
  private static var termination: (any DispatchSourceSignal)?

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let loop = Loop(rawValue: arguments[2]), let ending = Ending(rawValue: arguments[3])
    else { fail("usage: AutosaveTestProgram STORE LOOP ENDING") }
    let container = try openLedgers(at: URL(fileURLWithPath: arguments[1]))
    Self.container = container
    if loop == .none { return try run(ending, container) }
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        do { try run(ending, container) } catch { fail("\(error)") }
      }
    }
    if loop == .dispatch { dispatchMain() }
    RunLoop.main.run()
  }

  private static func fail(_ complaint: String) -> Never {
    FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    exit(2)
  }

  private static func run(_ ending: Ending, _ container: ModelContainer) throws {
    switch ending {
    case .never:
      change(container)
      startActor(container) {}
    case .ofMain:
      change(container)
    case .signal:
      awaitSignal(container)
    case .otherThread:
      change(container)
      Thread.detachNewThread { exit(0) }
      // The main queue is busy until the other thread has called `exit`.
      usleep(300_000)
    case .transaction:
      let context = container.mainContext
      try context.transaction {
        context.insert(Mark(word: "transaction"))
        exit(0)
      }
    case .actor:
      startActor(container) { exit(0) }
    case .busyActor:
      change(container)
      // The exit comes meanwhile, and waits that long.
      startActor(container) { usleep(300_000) }
    case .stuckActor:
      change(container)
      // The exit does not wait that long.
      startActor(container) { sleep(60) }
    }
  }

  private static func change(_ container: ModelContainer) {
    container.mainContext.insert(Mark(word: "main"))
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.insert(Mark(word: "made"))
  }

  private static func awaitSignal(_ container: ModelContainer) {
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated { change(container) }
      exit(0)
    }
    source.setRegistrationHandler {
      FileHandle.standardOutput.write(Data("ready\n".utf8))
    }
    source.activate()
    termination = source
  }

  /// Has an actor change something and then do `work`, and returns in between.
  private static func startActor(_ container: ModelContainer, _ work: @escaping @Sendable () -> Void) {
    let hasChanged = DispatchSemaphore(value: 0)
    let scribe = Scribe(modelContainer: container)
    Task.detached {
      await scribe.insert("actor") {
        hasChanged.signal()
        work()
      }
    }
    hasChanged.wait()
  }
}

@ModelActor
private actor Scribe {
  func insert(_ word: String, _ work: @Sendable () -> Void) {
    modelContext.autosaveEnabled = true
    modelContext.insert(Mark(word: word))
    work()
  }
}
