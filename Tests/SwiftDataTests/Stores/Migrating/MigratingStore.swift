import Foundation
import Testing

@testable import SwiftData

/// One store in a folder of its own, opened with one schema after the other.
struct MigratingStore {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { folder.file() }

  func open(_ models: [any PersistentModel.Type], allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(for: Schema(models), configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
  }

  /// Nil when the schema is refused, which loses nothing.
  func openUnlessRefused(_ models: [any PersistentModel.Type]) throws -> ModelContainer? {
    do {
      return try open(models)
    } catch let error as SwiftDataError where error == .loadIssueModelContainer {
      return nil
    }
  }

  func texts(_ sql: String) throws -> [String] {
    try StoreFiles.texts(sql, at: url)
  }

  func execute(_ sql: String) throws {
    try StoreFiles.execute(sql, at: url)
  }
}
