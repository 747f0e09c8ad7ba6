import Dispatch
import Foundation
import Support

import struct Synchronization.Atomic

/// The graphs that have yet to save by themselves, or have failed to, for the end of the program.
///
/// A graph is here from its first change in a turn until the end of that turn. Where the save fails, it stays until one
/// succeeds. It takes itself out when it goes away.
enum PendingAutosaves {
  /// `@unchecked Sendable` because the graph is only used in its isolation.
  private final class Entry: @unchecked Sendable {
    let graph: UncountedReference<ObjectGraph>
    let number: Int
    /// Left when the entry was saved at the end of the program.
    let saving = DispatchGroup()
    private let thread = Atomic<UInt>(0)

    init(_ graph: ObjectGraph, _ number: Int) {
      self.graph = UncountedReference(graph)
      self.number = number
    }

    var isolation: AutosaveIsolation? { graph.object?.autosaveIsolation }

    /// Whether the current thread is saving it: an observer of the save may end the program once more.
    var isBeingSavedHere: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

    /// Saves, unless another thread that ends the program as well has come first.
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
    /// What is to be saved before the program ends, in the order of the first changes.
    var unsaved: [Entry] = []
    /// How often the handler was called.
    var endCount = 0
    /// Until when all of its calls wait.
    var deadline: DispatchTime?
  }

  private static let state = Mutex(State())

  /// How many seconds the end of the program waits for what other threads have to save.
  private static let limit = 5
  /// How often it saves at most: observers of a save may change something each time.
  private static let roundCount = 5
  /// How often the handler is called at most.
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

  /// Has each graph save in its isolation, in the order of their first changes: at once where that is the current
  /// thread's, and otherwise as soon as its queue is free.
  private static func saveAtExit() {
    let (count, deadline) = state.withLock { state in
      state.endCount += 1
      let deadline = state.deadline ?? DispatchTime.now() + .seconds(limit)
      state.deadline = deadline
      return (state.endCount, deadline)
    }
    // Whoever else ends the program meanwhile shall not end it before this is over: a handler that has been called is
    // none any more. What is added here is called again by this end as well, and so it is not added for ever.
    if count < endLimit { atexit { PendingAutosaves.saveAtExit() } }
    for round in 0..<roundCount {
      let unsaved = take()
      if unsaved.isEmpty { return }
      for entry in unsaved {
        guard let isolation = entry.isolation else {
          // Where it is gone, there is nothing to save.
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
          The program ends before all contexts have saved by themselves: they had not been able to within \(limit) \
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
