package import Foundation
import Observation
import SwiftData
import Synchronization
package import Workload

/// Results that this library keeps up to date.
package final class LiveObservers: LivePeer {
  private typealias Observer = ResultsObserver<LiveRow, Never>

  package static let name = OpenSwiftData.name

  private let store: LiveStore
  private let context: ModelContext
  private lazy var otherContext = store.makeContext()
  private let note: LiveNote
  /// The rows to change, in the context that changes them.
  private var held: [Int: LiveRow] = [:]
  private var inserted: [LiveRow] = []
  private var observers: [Observer] = []
  private var shown: ShownDifferences?
  private var connections: [ResultsConnection] = []
  private let notified = NotifiedObservers()

  package init(_ file: URL) throws {
    store = try LiveStore(file)
    context = store.makeContext()
    guard let note = try context.fetch(FetchDescriptor<LiveNote>()).first else {
      throw CocoaError(.coderValueNotFound)
    }
    self.note = note
  }

  package static func knows(_ saving: LiveSaving) -> Bool { true }

  package func hold(_ rows: [Int], for saving: LiveSaving) throws {
    held = try changingContext(saving).liveRows(rows)
  }

  private func changingContext(_ saving: LiveSaving) -> ModelContext {
    if case .otherContext = saving { otherContext } else { context }
  }

  // MARK: Queries

  package func open(_ queries: [LiveQuery], showsDifferences: Bool) throws {
    observers = try queries.map { try Observer(fetchDescriptor: $0.descriptor, modelContext: context) }
    if showsDifferences {
      let shown = ShownDifferences()
      self.shown = shown
      connections = observers.map { $0.connect(shown) }
    } else {
      for index in observers.indices { observe(index) }
    }
  }

  package func close() {
    connections = []
    observers = []
    shown = nil
  }

  package func readAhead(_ queries: [LiveQuery]) throws {
    let context = store.makeContext()
    let observers = try queries.map { try Observer(fetchDescriptor: $0.descriptor, modelContext: context) }
    withExtendedLifetime(observers) {}
  }

  private func observe(_ index: Int) {
    withObservationTracking {
      _ = observers[index].results
    } onChange: { [notified] in
      notified.add(index)
    }
  }

  package func observeAgain() {
    for index in notified.takeIndices() { observe(index) }
  }

  package var notifications: Int { shown?.count ?? notified.count }

  package func numbers(ofQuery index: Int) throws -> [Int] {
    observers[index].results.map { $0.number }
  }

  // MARK: Changes

  package func make(_ change: LiveChange, savedBy saving: LiveSaving) throws {
    let context = changingContext(saving)
    switch change {
    case .note(let number): note.text = "\(number)"
    case .position(let row, let position): held[row]?.position = position
    case .owner(let row, let owner): held[row]?.owner = owner
    case .text(let row, let word): held[row]?.text = LiveSeed.text(word: word)
    case .allPositions(let turn):
      for (number, row) in held {
        row.position = LiveSeed.position(number: number, rowCount: held.count, turn: turn)
      }
    case .insert(let seeds):
      inserted = seeds.map { LiveRow($0) }
      for row in inserted { context.insert(row) }
    case .deleteInserted:
      for row in inserted { context.delete(row) }
      inserted = []
    }
    if case .unsaved = saving { return }
    try context.save()
  }

  package func save() throws {
    try context.save()
  }

  package func bringUpToDate() {
    // Updating one observer updates all of the context.
    if connections.isEmpty { _ = observers.first?.results } else { connections.first?.update() }
  }
}

/// Counts the notifications of observers. Observation calls it on the thread of the change.
private final class NotifiedObservers: Sendable {
  private let state = Mutex((count: 0, indices: [Int]()))

  var count: Int { state.withLock { $0.count } }

  func add(_ index: Int) {
    state.withLock {
      $0.count += 1
      $0.indices.append(index)
    }
  }

  /// The observers to observe again.
  func takeIndices() -> [Int] {
    state.withLock { state in
      defer { state.indices = [] }
      return state.indices
    }
  }
}
