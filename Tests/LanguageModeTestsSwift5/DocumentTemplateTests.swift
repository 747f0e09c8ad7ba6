import Foundation
import SwiftData
import Testing

// Declarations of Xcode's template for a document application beside its scene: structures with stored static variables.

@Model
final class TemplateItem {
  var timestamp: Date

  init(timestamp: Date) {
    self.timestamp = timestamp
  }
}

struct TemplateMigrationPlan: SchemaMigrationPlan {
  static var schemas: [VersionedSchema.Type] = [
    TemplateVersionedSchema.self
  ]

  static var stages: [MigrationStage] = [
    // Stages of migration between versions of the schema
  ]
}

struct TemplateVersionedSchema: VersionedSchema {
  static var versionIdentifier = Schema.Version(1, 0, 0)

  static var models: [any PersistentModel.Type] = [
    TemplateItem.self
  ]
}

@Suite("Xcode's template of a document application")
@MainActor
struct DocumentTemplateTests {
  /// Replaces the scene's document type.
  static let type = DocumentType(
    "com.example.item-document", filenameExtension: "item", migrationPlan: TemplateMigrationPlan.self)

  @Test("The template's plan, schema and model make documents")
  func document() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).item")
    let document = try PersistentDocument(creatingAt: url, type: Self.type) { context in
      context.insert(TemplateItem(timestamp: Date(timeIntervalSinceReferenceDate: 1)))
    }
    let items = try document.modelContext.fetch(FetchDescriptor<TemplateItem>())
    #expect(items.map(\.timestamp.timeIntervalSinceReferenceDate) == [1])
    #expect(document.modelContainer.migrationPlan == TemplateMigrationPlan.self)
    try document.erase()
  }
}
