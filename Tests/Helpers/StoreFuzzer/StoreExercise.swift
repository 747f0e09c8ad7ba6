package import Foundation
import SwiftData

/// Uses a store in all ways that a program may, and records what must not happen.
///
/// Errors of the library's own types are the expected end of a damaged store. A trap ends the process, which the parent
/// records.
package final class StoreExercise {
  package let url: URL
  let raw: RawStore
  package private(set) var complaints: [String] = []
  /// The errors that ended steps.
  package private(set) var refusals: [String] = []
  /// The ways of reading to run.
  let variant: UInt64
  private let isTracing: Bool

  /// - Parameter variant: Reading in all ways takes longest, so each number selects some of them.
  package init(_ url: URL, variant: UInt64 = 0, isTracing: Bool = false) {
    self.url = url
    self.variant = variant
    self.isTracing = isTracing
    raw = RawStore(url)
  }

  package func run() {
    let isWhole = refusedOpeningChangesNothing()
    guard isWhole else {
      openWithOtherSchema()
      return
    }
    readingChangesNothing()
    oneChangeWritesOneColumn()
    rollbackChangesNothing()
    changeEverything()
    openReadOnly()
    if variant % 3 == 0 { relay() }
    openWithOtherSchema()
    erase()
  }

  // MARK: Steps

  func complain(_ complaint: String) {
    complaints.append(complaint)
  }

  /// Runs a step, which may throw the library's errors.
  ///
  /// - Returns: Whether it completed.
  @discardableResult
  func attempt(_ step: String, _ body: () throws -> Void) -> Bool {
    if isTracing { FileHandle.standardError.write(Data("step \(step)\n".utf8)) }
    do {
      try body()
      return true
    } catch {
      refusals.append("\(step): \(error)")
      if !Self.isTyped(error) { complain("\(step): \(type(of: error)) is no error of the library's: \(error)") }
      return false
    }
  }

  private static func isTyped(_ error: any Error) -> Bool {
    switch error {
    case is SwiftDataError, is DataStoreError: true
    default: false
    }
  }

  func open(_ schema: Schema = Museum.schema, allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
  }

  func openContext() throws -> ModelContext {
    let context = ModelContext(try open())
    context.autosaveEnabled = false
    return context
  }

  // MARK: Opening

  /// - Returns: Whether the store opened.
  private func refusedOpeningChangesNothing() -> Bool {
    let folder = url.deletingLastPathComponent()
    let before = FileListing.contents(of: folder)
    if attempt("open", { _ = try open() }) { return true }
    if refusals.last?.contains("loadIssueModelContainer") != true { complain("refused to open with \(refusals)") }
    // SQLite checkpoints a log when it closes the file.
    guard before["\(url.lastPathComponent)-wal"] == nil else { return false }
    let after = FileListing.contents(of: folder)
    for (path, data) in before where after[path] != data { complain("refused to open, and changed \(path)") }
    return false
  }

  private func openReadOnly() {
    attempt("open for reading") {
      let context = ModelContext(try open(allowsSave: false))
      for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>()) { Museum.touch(exhibit) }
      context.insert(Museum.Tag(word: "of a reader"))
      if attempt("save for reading", { try context.save() }) { complain("a read-only store was written") }
    }
  }

  /// Reads and writes through snapshots.
  private func relay() {
    attempt("relay") {
      let configuration = RelayConfiguration(base: ModelConfiguration(url: url), schema: nil)
      let container = try ModelContainer(for: Museum.schema, configurations: [configuration])
      let context = ModelContext(container)
      context.autosaveEnabled = false
      attempt("relay exhibits") {
        for exhibit in try context.fetch(FetchDescriptor<Museum.Exhibit>()).prefix(10) {
          Museum.touch(exhibit)
          exhibit.title = "relayed"
        }
        try context.save()
      }
      context.rollback()
      attempt("relay visits") {
        for visit in try context.fetch(FetchDescriptor<Museum.Visit>()).prefix(3) { context.delete(visit) }
        context.insert(Museum.Visit(day: .distantPast, guests: 1))
        try context.save()
      }
    }
  }

  /// Opens the store with the schema of a later release, and reads it.
  private func openWithOtherSchema() {
    let before = try? raw.contents()
    let isOpen = attempt("migrate") {
      let context = ModelContext(try open(RenovatedMuseum.schema))
      context.autosaveEnabled = false
      readAllRenovated(context)
      context.insert(RenovatedMuseum.Tag(word: "of later"))
      attempt("save after migrating") { try context.save() }
    }
    guard !isOpen, let before, before.isPredictable, let after = try? raw.contents() else { return }
    let differences = after.differences(from: before)
    if !differences.isEmpty { complain("refused to migrate, and changed \(differences)") }
  }

  private func erase() {
    attempt("erase") {
      let container = try open(RenovatedMuseum.schema)
      try container.erase()
      let context = ModelContext(container)
      attempt("insert after erasing") {
        let exhibit = RenovatedMuseum.Exhibit(name: "only")
        context.insert(exhibit)
        exhibit.labels = [RenovatedMuseum.Tag(word: "only")]
        try context.save()
        let count = try ModelContext(container).fetchCount(FetchDescriptor<RenovatedMuseum.Exhibit>())
        if count != 1, try raw.contents().isPredictable { complain("\(count) exhibits after erasing all") }
      }
      container.deleteAllData()
    }
  }

  // MARK: Changes that must not affect others

  private func readingChangesNothing() {
    let before = try? raw.contents()
    attempt("read") {
      let context = try openContext()
      readAll(context, "whole")
      readOneByOne(context)
      if context.hasChanges { complain("reading left changes") }
      attempt("save what was read") { try context.save() }
      readAllInMemory(context)
    }
    expectNoDifference(from: before, "reading")
  }

  private func expectNoDifference(from before: StoreContents?, _ act: String) {
    guard let before, before.isPredictable, let after = try? raw.contents() else { return }
    let differences = after.differences(from: before)
    if !differences.isEmpty { complain("\(act) changed \(differences)") }
  }

  private func oneChangeWritesOneColumn() {
    changeOne(Museum.Exhibit.self, "Exhibit", "title") { $0.title = "changed" }
    changeOne(Museum.Visit.self, "Visit", "guests") { $0.guests = 4321 }
    changeOne(Museum.Room.self, "Room", "floor") { $0.floor = 77 }
    changeOne(Museum.Permit.self, "Permit", "note") { $0.note = "changed" }
    changeOne(Museum.Artist.self, "Artist", "name") { $0.name = "changed" }
  }

  /// Sets one property of some models; their unreadable values must stay unchanged.
  private func changeOne<Model: PersistentModel>(
    _ type: Model.Type, _ table: String, _ column: String, _ change: (Model) -> Void
  ) {
    attempt("change one column of \(table)") {
      let container = try open()
      let before = try? raw.contents()
      let identifiers = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Model>())
      // The first rows, which damage is likely to hit, and a later one.
      for identifier in identifiers.prefix(4) + identifiers.dropFirst(30).prefix(1) {
        let context = ModelContext(container)
        context.autosaveEnabled = false
        guard let model = context.model(for: identifier) as? Model else { continue }
        change(model)
        attempt("save one change of \(table)") { try context.save() }
      }
      guard let before, before.isPredictable, let after = try? raw.contents() else { return }
      let differences = after.differences(from: before) { $0 == table && $1 == column }
      if !differences.isEmpty { complain("changing \(table).\(column) changed \(differences)") }
    }
  }

  private func rollbackChangesNothing() {
    let before = try? raw.contents()
    attempt("roll back") {
      let context = try openContext()
      attempt("change to roll back") { try shuffle(context) }
      context.rollback()
      if context.hasChanges { complain("rolling back left changes") }
      attempt("save after rolling back") { try context.save() }
    }
    expectNoDifference(from: before, "rolling back")
  }
}
