import Foundation

@testable import SwiftData
@testable import TestSupport

/// A log of a random program, and the last saved values of properties that the contexts record.
///
/// `@unchecked Sendable` because everything runs on the thread of the test.
final class OverlappingSaveLog: @unchecked Sendable {
  private(set) var lines: [String] = []
  /// By `RandomWriter.key` of a model and a property.
  var savedLast: [String: String] = [:]

  func add(_ name: String, _ line: String) { lines.append("\(name) \(line)") }
}

/// A context that changes a graph at random, and its models in memory. Subclasses define the graph.
///
/// `@unchecked Sendable` because everything runs on the thread of the test.
class RandomWriter: @unchecked Sendable {
  let name: String
  let context: ModelContext
  let log: OverlappingSaveLog
  /// Whether it refreshes single models.
  let refreshes: Bool
  private var random: SeededGenerator
  /// In the order in which the context read them.
  private var held: [any PersistentModel] = []
  /// The models that were saved at the last check.
  private var saved: [(model: any PersistentModel, identifier: String)] = []
  /// Values of recorded properties that are set and not saved.
  var unsaved: [String: String] = [:]
  /// Deleted models, which may be reinserted.
  private var deleted: [any PersistentModel] = []

  required init(_ name: String, _ container: ModelContainer, seed: UInt64, _ log: OverlappingSaveLog, refreshes: Bool) {
    self.name = name
    self.log = log
    self.refreshes = refreshes
    random = SeededGenerator(seed: seed)
    context = ModelContext(container)
  }

  // MARK: The graph

  class var types: [any PersistentModel.Type] { [] }

  /// Inserts the initial models.
  class func fill(_ context: ModelContext) {}

  /// A description of a model's values and relationships.
  class func summary(of model: any PersistentModel) -> String { "" }

  func change() throws {}

  /// Reads at random.
  func readSomething() throws {}

  /// Updates the expected values for reinserting a model.
  func recordInsertion(of model: any PersistentModel) throws {}

  /// A difference between the stored and the last saved values, or nil.
  class func storeMismatch(_ container: ModelContainer, _ log: OverlappingSaveLog) throws -> String? { nil }

  // MARK: Drawing

  func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// A number that is not drawn a second time.
  func drawNew() -> Int { Int(random.next() >> 16) }

  func randomModel<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    let known = held.compactMap { $0 as? Model }.filter { $0.modelContext === context && !$0.isDeleted }
    if !known.isEmpty, draw(3) > 0 { return known[draw(known.count)] }
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Model>())
    if identifiers.isEmpty { return nil }
    let model: Model?
    if draw(3) == 0 {
      // Without firing its fault.
      model = context.model(for: identifiers[draw(identifiers.count)]) as? Model
    } else {
      var descriptor = FetchDescriptor<Model>()
      descriptor.fetchOffset = draw(identifiers.count)
      descriptor.fetchLimit = 1
      model = try context.fetch(descriptor).first
    }
    if let model, !held.contains(where: { $0 === model }) { held.append(model) }
    return model
  }

  /// A model or, sometimes, nil.
  func randomModelOrNil<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    if draw(4) == 0 { return nil }
    return try randomModel(type)
  }

  func deleteOne<Model: PersistentModel>(_ type: Model.Type) throws {
    guard try context.fetchCount(FetchDescriptor<Model>()) > 4, let model = try randomModel(type) else { return }
    log.add(name, "deletes \(Self.shortIdentifier(of: model))")
    context.delete(model)
    deleted.append(model)
  }

  /// Reinserts the model deleted last if its row is gone, and saves.
  func insertAgain() throws {
    guard let model = deleted.popLast(), model.modelContext == nil else { return }
    log.add(name, "inserts \(Self.shortIdentifier(of: model)) again")
    try recordInsertion(of: model)
    context.insert(model)
    try save()
  }

  // MARK: Refreshing

  /// Sometimes refreshes a model in memory. Without `refreshes` it draws no random number.
  func refreshSometimes() throws {
    guard refreshes, draw(3) == 0 else { return }
    let known = held.filter { $0.modelContext === context && !$0.isDeleted }
    if known.isEmpty { return }
    let (model, mergesChanges) = (known[draw(known.count)], draw(2) == 0)
    log.add(name, "refreshes \(Self.shortIdentifier(of: model)) \(mergesChanges ? "with" : "without") its changes")
    try refresh(model, mergesChanges: mergesChanges)
  }

  func refresh(_ model: any PersistentModel, mergesChanges: Bool) throws {
    try context.refresh(model, mergesChanges: mergesChanges)
  }

  // MARK: Saving

  func save() throws {
    do {
      try context.save()
      recordCommit()
      log.add(name, "has saved")
    } catch is SwiftDataError {
      log.add(name, "is refused")
      rollBack()
    }
  }

  /// Saves in one of several ways.
  func saveSomehow(_ policies: [MergePolicy]) throws {
    context.mergePolicy = policies[draw(policies.count)]
    defer { context.mergePolicy = .lastWriterWins }
    try refreshSometimes()
    if draw(3) > 0 { return try save() }
    do {
      let changesMore = draw(2) == 0
      try context.transaction {
        if changesMore { try change() }
        try refreshSometimes()
      }
      recordCommit()
      log.add(name, "has saved in a transaction")
    } catch is SwiftDataError {
      log.add(name, "is refused in a transaction")
      rollBack()
    }
  }

  /// Records the unsaved values as the last saved ones.
  func recordCommit() {
    log.savedLast.merge(unsaved) { _, new in new }
    unsaved = [:]
  }

  func rollBack() {
    context.rollback()
    unsaved = [:]
  }

  // MARK: Comparing

  /// A difference between the context and the store, or nil.
  func mismatch(_ stored: [String: String]) -> String? {
    context.processPendingChanges()
    if context.hasChanges { return "has changes" }
    if let lost = saved.first(where: { $0.model.modelContext == nil && stored[$0.identifier] != nil }) {
      return "has lost \(lost.identifier)"
    }
    held.removeAll { $0.modelContext !== context || $0.isDeleted }
    for model in held {
      let summary = Self.summary(of: model)
      let truth = stored[Self.shortIdentifier(of: model)] ?? "nothing"
      if summary != truth { return "has \(Self.shortIdentifier(of: model)) with \(summary), stored is \(truth)" }
    }
    if held.count > 40 { held.removeFirst(20) }
    saved = held.map { ($0, Self.shortIdentifier(of: $0)) }
    return nil
  }

  static func stored(_ container: ModelContainer) throws -> [String: String] {
    func models<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws -> [any PersistentModel] {
      try context.fetch(FetchDescriptor<Model>())
    }
    let context = ModelContext(container)
    return try withExtendedLifetime(context) {
      try types.flatMap { try models($0, context) }.reduce(into: [:]) { $0[shortIdentifier(of: $1)] = summary(of: $1) }
    }
  }

  static func key(_ model: any PersistentModel, _ property: String) -> String {
    "\(shortIdentifier(of: model)).\(property)"
  }

  static func shortIdentifier(of model: any PersistentModel) -> String {
    "\(model.persistentModelID)".replacingOccurrences(of: "PersistentIdentifier", with: "")
  }
}
