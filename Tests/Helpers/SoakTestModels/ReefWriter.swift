package import Foundation
import StoreFuzzer
package import SwiftData

/// Changes reefs at random, in turns, and saves or discards the changes by its habits. It belongs to the isolation of its
/// context.
package final class ReefWriter {
  package struct Habits: Sendable {
    /// Whether the context autosaves.
    var autosaves: Bool
    /// Whether the context has an undo manager, which is used.
    var undoes: Bool
    /// Whether the writer retains all initial and later models, and not only a few.
    var holdsAll: Bool
    var mergePolicy: MergePolicy
    /// Whether each step is printed before it is made.
    var traces: Bool

    package init(
      autosaves: Bool = false, undoes: Bool = false, holdsAll: Bool = false, mergePolicy: MergePolicy = .lastWriterWins,
      traces: Bool = false
    ) {
      self.autosaves = autosaves
      self.undoes = undoes
      self.holdsAll = holdsAll
      self.mergePolicy = mergePolicy
      self.traces = traces
    }
  }

  /// The results of a writer's work.
  package struct Tally: Sendable, CustomStringConvertible {
    package let name: String
    package var turnCount = 0
    /// The amount that saved transactions have added to the tides.
    package var added = 0
    /// The number of explicit saves and transactions.
    package var saveCount = 0
    /// How often a change was refused because others had taken, deleted or changed something.
    package var refusalCount = 0
    /// The error that ended the work early.
    package var complaint: String?

    package init(_ name: String) {
      self.name = name
    }

    package mutating func add(_ other: Tally) {
      turnCount += other.turnCount
      added += other.added
      saveCount += other.saveCount
      refusalCount += other.refusalCount
      complaint = complaint ?? other.complaint
    }

    package var description: String {
      "\(name): \(turnCount) turns, \(saveCount) saves, \(refusalCount) refused, \(added) added"
    }
  }

  /// An error that must not happen.
  struct Complaint: Error, CustomStringConvertible {
    let description: String
  }

  /// The minimum number of turns, however late it is.
  private static let leastTurns = 10
  /// The number of last steps that a complaint lists.
  private static let listedSteps = 40

  package let context: ModelContext
  /// The live models, which must equal the store without being fetched again.
  package internal(set) var held: [any PersistentModel] = []
  let habits: Habits
  var random: FuzzGenerator
  /// The fish that have left the context.
  var detached: Set<PersistentIdentifier> = []
  private(set) var tally: Tally
  private var tides: [Tide] = []
  private var steps: [String] = []

  package var name: String { tally.name }

  /// - Parameter name: Also the author in the history.
  package init(_ name: String, _ context: ModelContext, _ habits: Habits, seed: UInt64) {
    self.context = context
    self.habits = habits
    random = FuzzGenerator(seed: seed)
    tally = Tally(name)
    context.author = name
    context.autosaveEnabled = habits.autosaves
    context.mergePolicy = habits.mergePolicy
    guard habits.undoes else { return }
    let manager = UndoManager()
    manager.levelsOfUndo = 30
    context.undoManager = manager
  }

  // MARK: Working

  /// Makes turns until the end, and leaves nothing unsaved. Other tasks run after each turn.
  package func work(until end: Date, isolation: isolated (any Actor)? = #isolation) async -> Tally {
    do {
      while tally.turnCount < Self.leastTurns || Date.now < end {
        try turn()
        await Task.yield()
      }
      try finish()
    } catch {
      tally.complaint = "\(error)"
    }
    return tally
  }

  /// Makes a few turns, and leaves nothing unsaved.
  package func work(turns: Int) -> Tally {
    do {
      for _ in 0..<turns { try turn() }
      try finish()
    } catch {
      tally.complaint = "\(error)"
    }
    return tally
  }

  private func turn() throws {
    try tolerating {
      if tally.turnCount == 0, habits.holdsAll { try holdAll() }
      tally.turnCount += 1
      if let failure = context.autosaveFailure { throw failure }
      letGo()
      for _ in 0..<Int.random(in: 1...4, using: &random) { try change() }
      try conclude()
    }
  }

  /// Saves or discards the changes of a turn.
  private func conclude() throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      note("rolls back")
      context.rollback()
    case 1...3: try addToTide()
    case 4: try refresh()
    case 5:
      note("merges others' saves")
      context.processPendingChanges()
    case 6...9 where habits.undoes: undoOrRedo()
    case 10...15 where habits.autosaves: break
    default: try save()
    }
  }

  /// Saves or discards the remaining changes, and reads all retained models, which later saves of others must update.
  private func finish() throws {
    try tolerating {
      if let failure = context.autosaveFailure { throw failure }
      try save()
    }
    if context.hasChanges { throw complaint("changes are left after the last save or rollback") }
    for model in held where isMine(model) { _ = ReefStatement.values(of: model) }
  }

  private func save() throws {
    note("saves")
    do {
      try context.save()
    } catch let error as SwiftDataError where error == .mergeConflict {
      let conflicts = error.details?.conflicts ?? []
      if conflicts.isEmpty { throw complaint("a save has thrown without its conflicts") }
      guard Int.random(in: 0..<3, using: &random) > 0 else { throw error }
      let side = Bool.random(using: &random) ? MergeConflict.Side.store : .context
      note("  resolves \(conflicts.count) conflicts: keeping the side of the \(side)")
      try context.resolve(conflicts, keeping: side)
      try context.save()
    }
    tally.saveCount += 1
  }

  /// Reads, changes and saves without a save of others in between.
  private func addToTide() throws {
    let amount = Int.random(in: 1...9, using: &random)
    let changesMore = Bool.random(using: &random)
    let isHeld = Bool.random(using: &random)
    note("adds \(amount) to a tide")
    // An undo would remove the additions of others as well.
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    try context.transaction {
      if tides.isEmpty || !isHeld { tides = try context.fetch(FetchDescriptor<Tide>()) }
      guard let tide = tides.randomElement(using: &random) else { throw complaint("there is no tide") }
      tide.level += amount
      if changesMore { try change() }
    }
    tally.added += amount
    tally.saveCount += 1
  }

  private func undoOrRedo() {
    guard let manager = context.undoManager else { return }
    if manager.canRedo, Bool.random(using: &random) {
      note("redoes")
      manager.redo()
    } else if manager.canUndo {
      note("undoes")
      manager.undo()
    }
  }

  private func refresh() throws {
    guard let model = held.filter(isMine).randomElement(using: &random) else { return }
    let mergesChanges = Bool.random(using: &random)
    note("refreshes \(brief(model)), \(mergesChanges ? "with" : "without") its changes")
    try context.refresh(model, mergesChanges: mergesChanges)
  }

  // MARK: Errors

  /// Runs `body`. If others' changes prevent it, unsaved changes are rolled back.
  private func tolerating(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let complaint as Complaint {
      throw complaint
    } catch {
      guard isExpected(error) else { throw complaint("an unexpected error: \(error)") }
      note("  refused: \("\(error)".prefix(300))")
      tally.refusalCount += 1
      context.rollback()
      if context.hasChanges { throw complaint("a rollback has left changes") }
    }
  }

  /// Parts of the errors about models that others have deleted or values that they have taken.
  private static let expectedWords = [
    "to a deleted", "was deleted", "deleted a changed model", "is not there", "unique values",
  ]

  private func isExpected(_ error: any Error) -> Bool {
    guard let error = error as? SwiftDataError else { return false }
    if error == .storeFailure { return error.details?.storeFailureReason == .busy }
    if error == .mergeConflict { return habits.mergePolicy == .throwOnConflict }
    guard error == .modelValidationFailure, let details = error.details else { return false }
    let messages = details.issues.isEmpty ? [details.message ?? ""] : details.issues.map(\.message)
    return messages.allSatisfy { message in Self.expectedWords.contains { message.contains($0) } }
  }

  func complaint(_ finding: String) -> Complaint {
    Complaint(description: "\(name): \(finding)\nIts last steps:\n  \(steps.joined(separator: "\n  "))")
  }

  func note(_ step: String) {
    if habits.traces { print(name, step) }
    if steps.count >= Self.listedSteps { steps.removeFirst() }
    steps.append(step)
  }

  // MARK: Retained models

  func isMine(_ model: any PersistentModel) -> Bool {
    model.modelContext == context && !model.isDeleted
  }

  func hold(_ model: any PersistentModel) {
    if held.contains(where: { $0 === model }) { return }
    if held.count >= (habits.holdsAll ? 400 : 20) { held.removeFirst() }
    held.append(model)
  }

  private func holdAll() throws {
    for reef in try context.fetch(FetchDescriptor<Reef>()) { hold(reef) }
    for fish in try context.fetch(FetchDescriptor<Fish>()) { hold(fish) }
    for diver in try context.fetch(FetchDescriptor<Diver>()) { hold(diver) }
    for model in held { _ = ReefStatement.values(of: model) }
  }

  /// Releases models that have left the context.
  private func letGo() {
    for model in held where model.modelContext != context {
      let identifier = model.persistentModelID
      if model is Fish, !identifier.isTemporary { detached.insert(identifier) }
    }
    held.removeAll { $0.modelContext != context }
  }
}
