import Foundation
import SwiftData

/// A store in a folder of its own, deleted when it is released.
final class GuideStore {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  var url: URL { file("people.store") }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Saves the models that `body` inserts in a store, and closes it.
  func write(_ models: any PersistentModel.Type..., body: (ModelContext) throws -> Void) throws {
    let container = try ModelContainer(for: Schema(models), configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    try body(context)
    try context.save()
    try container.close()
  }

  /// Opens the store with some models.
  func open(
    _ models: any PersistentModel.Type..., by plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: Schema(models), migrationPlan: plan, configurations: ModelConfiguration(url: url)))
  }
}
