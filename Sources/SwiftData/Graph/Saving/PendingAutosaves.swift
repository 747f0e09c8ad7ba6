import Dispatch
import Foundation
import Support

/// The graphs that have yet to save by themselves, or have failed to, for the end of the program.
///
/// A graph is here from its first change in a turn until the end of that turn. Where the save fails, it stays until one
/// succeeds. It takes itself out when it goes away.
enum PendingAutosaves {
  /// An object, because a dictionary of such references by themselves does not get their memory right in Swift 6.3.
  ///
  /// `@unchecked Sendable` because the graph is only used in its isolation.
  private final class Entry: @unchecked Sendable {
    let graph: UncountedReference<ObjectGraph>

    init(_ graph: ObjectGraph) {
      self.graph = UncountedReference(graph)
    }

    var isolation: AutosaveIsolation? { graph.object?.autosaveIsolation }

    func save(inRound round: Int) {
      graph.object?.autosaveAtExit(again: round > 0)
    }
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// How many seconds the end of the program waits for what other threads have to save.
  private static let limit = 5
  /// How often it saves at most: observers of a save may change something each time.
  private static let roundCount = 5

  private static let registration = atexit { PendingAutosaves.saveAtExit() }

  static func add(_ graph: ObjectGraph) {
    _ = registration
    let entry = Entry(graph)
    let key = ObjectIdentifier(graph)
    entries.withLock { $0[key] = entry }
  }

  static func remove(_ graph: ObjectGraph) {
    let key = ObjectIdentifier(graph)
    entries.withLock { $0[key] = nil }
  }

  // MARK: The end of the program

  /// Has each graph save in its isolation: at once where that is the current thread's, and otherwise as soon as its
  /// queue is free.
  private static func saveAtExit() {
    let deadline = DispatchTime.now() + .seconds(limit)
    for round in 0..<roundCount {
      let pending = take()
      if pending.isEmpty { return }
      let others = DispatchGroup()
      var own: [Entry] = []
      for entry in pending {
        // Where it is gone, there is nothing to save.
        guard let isolation = entry.isolation else { continue }
        if isolation.isCurrent {
          own.append(entry)
        } else {
          isolation.async(in: others) { entry.save(inRound: round) }
        }
      }
      for entry in own { entry.save(inRound: round) }
      if others.wait(timeout: deadline) == .timedOut {
        return Log.store.error(
          """
          The program ends before all contexts have saved by themselves: the queue of one was not free within \
          \(limit) seconds.
          """)
      }
    }
  }

  private static func take() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [:] }
      return Array(entries.values)
    }
  }
}
