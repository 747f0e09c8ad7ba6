import Foundation
import SwiftData
import Testing

// Stages with their code in closures, in global functions and in functions of the plan.

enum MemoV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Memo.self] }

  @Model
  final class Memo {
    var text: String

    init(text: String) {
      self.text = text
    }
  }
}

enum MemoV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Memo.self] }

  @Model
  final class Memo {
    var text: String
    var length = 0

    init(text: String) {
      self.text = text
    }
  }
}

enum MemoV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Memo.self] }

  @Model
  final class Memo {
    var text: String
    var length = 0
    var isShort = false

    init(text: String) {
      self.text = text
    }
  }
}

nonisolated func shout(_ context: ModelContext) throws {
  for memo in try context.fetch(FetchDescriptor<MemoV1.Memo>()) { memo.text += "!" }
  try context.save()
}

enum MemoPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [MemoV1.self, MemoV2.self, MemoV3.self] }

  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: MemoV1.self, toVersion: MemoV2.self, willMigrate: shout, didMigrate: measure),
      .custom(
        fromVersion: MemoV2.self, toVersion: MemoV3.self, willMigrate: nil,
        didMigrate: { context in
          for memo in try context.fetch(FetchDescriptor<MemoV3.Memo>()) { memo.isShort = memo.length < 4 }
          try context.save()
        }),
    ]
  }

  private static func measure(_ context: ModelContext) throws {
    for memo in try context.fetch(FetchDescriptor<MemoV2.Memo>()) { memo.length = memo.text.count }
    try context.save()
  }
}

@Suite("Stages of a migration plan in applications")
struct MigrationStageTests {
  @Test("Closures and functions run as the code of stages")
  func code() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memos-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = ModelConfiguration(url: folder.appendingPathComponent("memos.store"))
    do {
      let context = ModelContext(try ModelContainer(for: MemoV1.Memo.self, configurations: configuration))
      for text in ["ab", "abcd"] { context.insert(MemoV1.Memo(text: text)) }
      try context.save()
    }
    let container = try ModelContainer(
      for: MemoV3.Memo.self, migrationPlan: MemoPlan.self, configurations: configuration)
    let context = ModelContext(container)
    let memos = try context.fetch(FetchDescriptor<MemoV3.Memo>())
    #expect(Set(memos.map { "\($0.text) \($0.length) \($0.isShort)" }) == ["ab! 3 true", "abcd! 5 false"])
  }
}
