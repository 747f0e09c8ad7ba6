import Foundation
import SwiftData
import Testing

/// Not Sendable: without strict concurrency, the code of stages may still use it.
private final class SeenTexts {
  var texts: [String] = []
}

private enum UncheckedPlan: SchemaMigrationPlan {
  static let seen = SeenTexts()

  static var schemas: [any VersionedSchema.Type] { [MemoV1.self, MemoV2.self] }

  static var stages: [MigrationStage] {
    let seen = seen
    let look: (ModelContext) throws -> Void = { context in
      seen.texts += try context.fetch(FetchDescriptor<MemoV1.Memo>()).map(\.text)
    }
    return [
      .custom(
        fromVersion: MemoV1.self, toVersion: MemoV2.self, willMigrate: look,
        didMigrate: { context in
          seen.texts += try context.fetch(FetchDescriptor<MemoV2.Memo>()).map { "\($0.text) \($0.length)" }
        })
    ]
  }
}

@Suite("Stages of a migration plan without strict concurrency")
struct UncheckedStageTests {
  @Test("The code of a stage may be a closure that is not Sendable")
  func code() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memos-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = ModelConfiguration(url: folder.appendingPathComponent("memos.store"))
    do {
      let context = ModelContext(try ModelContainer(for: MemoV1.Memo.self, configurations: configuration))
      context.insert(MemoV1.Memo(text: "a"))
      try context.save()
    }
    let container = try ModelContainer(
      for: MemoV2.Memo.self, migrationPlan: UncheckedPlan.self, configurations: configuration)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<MemoV2.Memo>()) == 1)
    #expect(UncheckedPlan.seen.texts == ["a", "a 0"])
  }
}
