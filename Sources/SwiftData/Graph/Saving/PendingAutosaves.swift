import Dispatch
import Foundation
import Support

import struct Synchronization.Atomic

/// The graphs with a scheduled or failed autosave, to be saved at the end of the program.
///
/// A graph is added at its first change in a turn, and removed at the end of that turn. If the save fails, it stays until
/// one succeeds. It removes itself when it is deinitialized.
enum PendingAutosaves {
  /// `@unchecked Sendable` because the graph is only used in its isolation.
  private final class Entry: @unchecked Sendable {
    let graph: UncountedReference<ObjectGraph>
    let number: Int
    /// Left when the entry is saved at the end of the program.
    let saving = DispatchGroup()
    private let thread = Atomic<UInt>(0)

    init(_ graph: ObjectGraph, _ number: Int) {
      self.graph = UncountedReference(graph)
      self.number = number
    }

    var isolation: AutosaveIsolation? { graph.object?.autosaveIsolation }

    /// Whether the current thread is saving it: an observer of the save may end the program again.
    var isBeingSavedHere: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

    /// Saves, unless another thread that also ends the program has started to.
    func save(inRound round: Int) {
      let (isFirst, _) = thread.compareExchange(
        expected: 0, desired: CurrentThread.number, ordering: .sequentiallyConsistent)
      guard isFirst else { return }
      graph.object?.autosaveAtExit(again: round > 0)
      saving.leave()
    }
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var lastNumber = 0
    /// The entries to save before the program ends, in the order of their first changes.
    var unsaved: [Entry] = []
    /// The number of calls of the handler.
    var endCount = 0
    /// The time until which all calls wait.
    var deadline: DispatchTime?
  }

  private static let state = Mutex(State())

  /// The number of seconds that the end of the program waits for saves on other threads.
  private static let limit = 5
  /// The maximum number of saves: observers of a save may make new changes each time.
  private static let roundCount = 5
  /// The maximum number of calls of the handler.
  private static let endLimit = 4

  private static let registration = atexit { PendingAutosaves.saveAtExit() }

  static func add(_ graph: ObjectGraph) {
    _ = registration
    state.withLock { state in
      guard state.entries[ObjectIdentifier(graph)] == nil else { return }
      state.lastNumber += 1
      state.entries[ObjectIdentifier(graph)] = Entry(graph, state.lastNumber)
    }
  }

  static func remove(_ graph: ObjectGraph) {
    let key = ObjectIdentifier(graph)
    state.withLock { $0.entries[key] = nil }
  }

  // MARK: The end of the program

  /// Saves each graph in its isolation, in the order of their first changes: at once if that is the current thread's, and
  /// otherwise when its queue runs.
  private static func saveAtExit() {
    let (count, deadline) = state.withLock { state in
      state.endCount += 1
      let deadline = state.deadline ?? DispatchTime.now() + .seconds(limit)
      state.deadline = deadline
      return (state.endCount, deadline)
    }
    // If another thread ends the program meanwhile, its `exit` must wait for this handler. A handler is removed before it
    // is called, so it is added again; `exit` calls the added one too, so the number is limited.
    if count < endLimit { atexit { PendingAutosaves.saveAtExit() } }
    for round in 0..<roundCount {
      let unsaved = take()
      if unsaved.isEmpty { return }
      for entry in unsaved {
        guard let isolation = entry.isolation else {
          // A released graph has nothing to save.
          entry.save(inRound: round)
          continue
        }
        if isolation.isCurrent {
          if DispatchTime.now() < deadline { entry.save(inRound: round) }
        } else {
          isolation.async { entry.save(inRound: round) }
        }
      }
      let isOver = unsaved.allSatisfy { $0.isBeingSavedHere || $0.saving.wait(timeout: deadline) == .success }
      if !isOver {
        return Log.store.error(
          """
          The program ends before all contexts have autosaved: their queues did not become free within \(limit) \
          seconds.
          """)
      }
      state.withLock { state in
        state.unsaved.removeAll { entry in unsaved.contains { $0 === entry && !entry.isBeingSavedHere } }
      }
    }
  }

  private static func take() -> [Entry] {
    state.withLock { state in
      let new = state.entries.values.sorted { $0.number < $1.number }
      for entry in new { entry.saving.enter() }
      state.entries = [:]
      state.unsaved += new
      return state.unsaved
    }
  }
}
