import Foundation
import SwiftData
import Testing

enum RepeatedTags {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Tag.self, Note.self, Cover.self] }

    // in SchemaV1; in SchemaV2 it is @Attribute(.unique) var name: String
    @Model
    final class Tag {
      var name: String
      @Relationship(inverse: \Note.tags) var notes: [Note] = []

      init(name: String) { self.name = name }
    }

    @Model
    final class Note {
      var text: String
      var tags: [Tag] = []

      init(text: String) { self.text = text }
    }

    @Model
    final class Cover {
      var title: String
      @Relationship(inverse: nil) var tag: Tag?

      init(title: String, tag: Tag) {
        self.title = title
        self.tag = tag
      }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Tag.self, Note.self, Cover.self] }

    @Model
    final class Tag {
      @Attribute(.unique) var name: String
      @Relationship(inverse: \Note.tags) var notes: [Note] = []

      init(name: String) { self.name = name }
    }

    @Model
    final class Note {
      var text: String
      var tags: [Tag] = []

      init(text: String) { self.text = text }
    }

    @Model
    final class Cover {
      var title: String
      @Relationship(inverse: nil) var tag: Tag?

      init(title: String, tag: Tag) {
        self.title = title
        self.tag = tag
      }
    }
  }

  enum MembersPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mergeDuplicates(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Tag.self
    ) { kept, duplicate in
      for note in duplicate.notes where !kept.notes.contains(note) { kept.notes.append(note) }
    }
  }

  enum TargetsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mergeDuplicates(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Tag.self
    ) { kept, duplicate in
      let identifier = duplicate.persistentModelID
      let covers = FetchDescriptor<SchemaV1.Cover>(predicate: #Predicate { $0.tag?.persistentModelID == identifier })
      for cover in try kept.modelContext?.fetch(covers) ?? [] { cover.tag = kept }
    }
  }
}

@Suite("Recipes for models that become duplicates, as the guide prints them")
struct DuplicateRecipeTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
    try store.write(RepeatedTags.SchemaV1.Tag.self, RepeatedTags.SchemaV1.Note.self, RepeatedTags.SchemaV1.Cover.self) {
      context in
      for number in 0..<3 {
        let tag = RepeatedTags.SchemaV1.Tag(name: number == 1 ? "other" : "blue")
        context.insert(tag)
        let note = RepeatedTags.SchemaV1.Note(text: "note \(number)")
        context.insert(note)
        note.tags.append(tag)
        context.insert(RepeatedTags.SchemaV1.Cover(title: "cover \(number)", tag: tag))
        // The order of insertion is the order of the keys.
        try context.save()
      }
    }
  }

  private func open(by plan: any SchemaMigrationPlan.Type) throws -> ModelContext {
    try store.open(
      RepeatedTags.SchemaV2.Tag.self, RepeatedTags.SchemaV2.Note.self, RepeatedTags.SchemaV2.Cover.self, by: plan)
  }

  @Test("The notes of duplicates belong to the oldest tag of the name")
  func members() throws {
    let context = try open(by: RepeatedTags.MembersPlan.self)
    let tags = try context.fetch(FetchDescriptor<RepeatedTags.SchemaV2.Tag>(sortBy: [SortDescriptor(\.name)]))
    #expect(tags.map(\.name) == ["blue", "other"])
    #expect(tags.map { $0.notes.map(\.text).sorted() } == [["note 0", "note 2"], ["note 1"]])
    let covers = try context.fetch(FetchDescriptor<RepeatedTags.SchemaV2.Cover>(sortBy: [SortDescriptor(\.title)]))
    #expect(covers.map { $0.tag?.name } == ["blue", "other", nil])
  }

  @Test("To-ones that referred to duplicates refer to the oldest tag of the name")
  func targets() throws {
    let context = try open(by: RepeatedTags.TargetsPlan.self)
    let covers = try context.fetch(FetchDescriptor<RepeatedTags.SchemaV2.Cover>(sortBy: [SortDescriptor(\.title)]))
    #expect(covers.map { $0.tag?.name } == ["blue", "other", "blue"])
    #expect(covers[0].tag === covers[2].tag)
    #expect(try context.fetchCount(FetchDescriptor<RepeatedTags.SchemaV2.Tag>()) == 2)
  }
}
