import Foundation
import Testing

@testable import SwiftData

/// A store in a folder of its own, opened with one schema after the other.
struct MigratingStore {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { folder.file() }

  func open(_ models: [any PersistentModel.Type]) throws -> ModelContainer {
    try ModelContainer(for: Schema(models), configurations: ModelConfiguration(url: url))
  }

  func texts(_ sql: String) throws -> [String] {
    try StoreFiles.texts(sql, at: url)
  }
}
