import Foundation

@testable import SwiftData
@testable import TestSupport

/// What happened in a random program, in words, and what was saved last of properties whose changes the sides note.
///
/// `@unchecked Sendable` because all is done on the thread of the test.
final class OvertakingLog: @unchecked Sendable {
  private(set) var lines: [String] = []
  /// By what `OvertakingSide.key` makes of a model and a property.
  var savedLast: [String: String] = [:]

  func add(_ name: String, _ line: String) { lines.append("\(name) \(line)") }
}

/// A context that changes a graph at random, and what it has in memory of it. Subclasses know the graph.
///
/// `@unchecked Sendable` because all is done on the thread of the test.
class OvertakingSide: @unchecked Sendable {
  let name: String
  let context: ModelContext
  let log: OvertakingLog
  /// Whether it reads single models anew.
  let refreshes: Bool
  private var random: SeededGenerator
  /// In the order in which it came to know of them.
  private var held: [any PersistentModel] = []
  /// Those of them that were saved when somebody asked last.
  private var saved: [(model: any PersistentModel, identifier: String)] = []
  /// What it has set of properties whose changes it notes, until that is saved.
  var unsaved: [String: String] = [:]
  /// What it has deleted, and may insert again.
  private var deleted: [any PersistentModel] = []

  required init(_ name: String, _ container: ModelContainer, seed: UInt64, _ log: OvertakingLog, refreshes: Bool) {
    self.name = name
    self.log = log
    self.refreshes = refreshes
    random = SeededGenerator(seed: seed)
    context = ModelContext(container)
  }

  // MARK: The graph

  class var types: [any PersistentModel.Type] { [] }

  /// Inserts what there is at the beginning.
  class func fill(_ context: ModelContext) {}

  /// What a model has and leads to.
  class func words(_ model: any PersistentModel) -> String { "" }

  func change() throws {}

  /// Reads something.
  func look() throws {}

  /// Notes what comes of it that a model is about to be inserted again.
  func recordInsertion(of model: any PersistentModel) throws {}

  /// What is wrong with what is stored, given what was saved last of single properties; nil when nothing is.
  class func storedMistake(_ container: ModelContainer, _ log: OvertakingLog) throws -> String? { nil }

  // MARK: Drawing

  func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// A number that is not drawn a second time.
  func drawNew() -> Int { Int(random.next() >> 16) }

  func any<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    let known = held.compactMap { $0 as? Model }.filter { $0.modelContext === context && !$0.isDeleted }
    if !known.isEmpty, draw(3) > 0 { return known[draw(known.count)] }
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Model>())
    if identifiers.isEmpty { return nil }
    let model: Model?
    if draw(3) == 0 {
      // Without its row.
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

  /// Sometimes nothing.
  func anyOrNone<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    if draw(4) == 0 { return nil }
    return try any(type)
  }

  func deleteOne<Model: PersistentModel>(_ type: Model.Type) throws {
    guard try context.fetchCount(FetchDescriptor<Model>()) > 4, let model = try any(type) else { return }
    log.add(name, "deletes \(Self.brief(model))")
    context.delete(model)
    deleted.append(model)
  }

  /// Inserts what it has deleted last, if its row is gone, and saves that.
  func insertAgain() throws {
    guard let model = deleted.popLast(), model.modelContext == nil else { return }
    log.add(name, "inserts \(Self.brief(model)) again")
    try recordInsertion(of: model)
    context.insert(model)
    try save()
  }

  // MARK: Reading anew

  /// Reads a model that it holds anew, now and then. Where it never does so, nothing is drawn for that.
  func refreshSometimes() throws {
    guard refreshes, draw(3) == 0 else { return }
    let known = held.filter { $0.modelContext === context && !$0.isDeleted }
    if known.isEmpty { return }
    let (model, mergesChanges) = (known[draw(known.count)], draw(2) == 0)
    log.add(name, "refreshes \(Self.brief(model)) \(mergesChanges ? "with" : "without") its changes")
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

  /// Takes what it has set for what was saved last.
  func recordCommit() {
    log.savedLast.merge(unsaved) { _, new in new }
    unsaved = [:]
  }

  func rollBack() {
    context.rollback()
    unsaved = [:]
  }

  // MARK: Comparing

  /// What is wrong with what it has; nil when nothing is.
  func mistake(_ stored: [String: String]) -> String? {
    context.processPendingChanges()
    if context.hasChanges { return "has changes" }
    if let lost = saved.first(where: { $0.model.modelContext == nil && stored[$0.identifier] != nil }) {
      return "has lost \(lost.identifier)"
    }
    held.removeAll { $0.modelContext !== context || $0.isDeleted }
    for model in held {
      let words = Self.words(model)
      let truth = stored[Self.brief(model)] ?? "nothing"
      if words != truth { return "has \(Self.brief(model)) with \(words), stored is \(truth)" }
    }
    if held.count > 40 { held.removeFirst(20) }
    saved = held.map { ($0, Self.brief($0)) }
    return nil
  }

  static func stored(_ container: ModelContainer) throws -> [String: String] {
    func models<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws -> [any PersistentModel] {
      try context.fetch(FetchDescriptor<Model>())
    }
    let context = ModelContext(container)
    return try withExtendedLifetime(context) {
      try types.flatMap { try models($0, context) }.reduce(into: [:]) { $0[brief($1)] = words($1) }
    }
  }

  static func key(_ model: any PersistentModel, _ property: String) -> String { "\(brief(model)).\(property)" }

  static func brief(_ model: any PersistentModel) -> String {
    "\(model.persistentModelID)".replacingOccurrences(of: "PersistentIdentifier", with: "")
  }
}
