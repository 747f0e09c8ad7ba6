import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

/// A file that one release of an application writes and the last one opens.
struct ReleasedStore {
  private let folder: TemporaryFolder
  private let plan: any SchemaMigrationPlan.Type
  private let target: any VersionedSchema.Type
  private let calls: StageCalls

  init(_ plan: any SchemaMigrationPlan.Type, to target: any VersionedSchema.Type, _ calls: StageCalls) throws {
    folder = try TemporaryFolder()
    self.plan = plan
    self.target = target
    self.calls = calls
    calls.reset()
  }

  /// Opens the store, passes a context to `body`, and closes the store.
  private func open(
    _ version: any VersionedSchema.Type, by plan: (any SchemaMigrationPlan.Type)?,
    _ body: (ModelContext) throws -> Void
  ) throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan,
      configurations: ModelConfiguration(url: folder.file()))
    let context = ModelContext(container)
    try withExtendedLifetime(context) { try body(context) }
  }

  /// Writes the store as a release without a plan does.
  func write(_ version: any VersionedSchema.Type, _ fill: (ModelContext) throws -> Void) throws {
    try open(version, by: nil) { context in
      try fill(context)
      try context.save()
    }
  }

  /// Reads the store as a release without a plan does.
  func read(_ version: any VersionedSchema.Type, _ body: (ModelContext) throws -> Void) throws {
    try open(version, by: nil, body)
  }

  /// Opens the store with the last version and the plan.
  ///
  /// - Parameter closures: The closures that must run, in order.
  func migrate(running closures: [String], _ body: (ModelContext) throws -> Void) throws {
    calls.reset()
    try open(target, by: plan) { context in
      #expect(calls.names == closures)
      try body(context)
    }
  }

  /// Opens a store that the last version has opened before: no closure may run, and no byte may change.
  func openAgain(_ body: (ModelContext) throws -> Void) throws {
    let before = try StoreFiles.contents(of: folder.url)
    try migrate(running: [], body)
    #expect(try changes(since: before) == [])
  }

  /// Opens the store with the last version and the plan while one of the closures fails.
  func fail(at closure: String) throws {
    let before = try StoreFiles.contents(of: folder.url)
    calls.reset(failing: closure)
    #expect(throws: (any Error).self) { try open(target, by: plan) { _ in } }
    #expect(calls.names.last == closure)
    #expect(try changes(since: before) == [])
  }

  /// The files that were added, removed or changed.
  private func changes(since before: [String: Data]) throws -> [String] {
    let after = try StoreFiles.contents(of: folder.url)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}
