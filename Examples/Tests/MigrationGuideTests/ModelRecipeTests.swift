import Foundation
import SwiftData
import Testing

enum RenamedModel {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Contact.self] }

    @Model
    final class Contact {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    @Model
    final class Person {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.useBothVersions(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
      migrate: { old, new in
        for contact in try old.fetch(FetchDescriptor<SchemaV1.Contact>()) {
          new.insert(SchemaV2.Person(name: contact.name))
        }
        try new.save()
      })
  }
}

enum SplitName {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    // in SchemaV1
    @Model
    final class Person {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    // in SchemaV2
    @Model
    final class Person {
      var givenName: String = ""
      var familyName: String = ""

      init(givenName: String, familyName: String) {
        self.givenName = givenName
        self.familyName = familyName
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mapModels(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Person.self, to: SchemaV2.Person.self
    ) { old, new in
      let words = old.name.split(separator: " ", maxSplits: 1).map(String.init)
      new.givenName = words.first ?? ""
      new.familyName = words.dropFirst().first ?? ""
    }
  }

  enum ReturningPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV2.self, SchemaV1.self] }

    static var stages: [MigrationStage] {
      [
        .mapModels(
          fromVersion: SchemaV2.self, toVersion: SchemaV1.self, of: SchemaV2.Person.self, to: SchemaV1.Person.self
        ) { newer, older in
          older.name = "\(newer.givenName) \(newer.familyName)"
        }
      ]
    }
  }

  /// Opens the default store, which no test does.
  static func goBack() throws -> ModelContainer {
    let container = try ModelContainer(for: SchemaV1.Person.self, migrationPlan: ReturningPlan.self)
    return container
  }
}

enum MovedAddress {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    // in SchemaV1
    @Model
    final class Person {
      var name: String
      var street: String = ""
      var city: String = ""

      init(name: String) { self.name = name }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Address.self] }

    // in SchemaV2, whose models are Person and Address
    @Model
    final class Person {
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Address.person) var address: Address?

      init(name: String) { self.name = name }
    }

    @Model
    final class Address {
      var street: String
      var city: String
      var person: Person?

      init(street: String, city: String) {
        self.street = street
        self.city = city
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mapModels(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Person.self, to: SchemaV2.Person.self
    ) { old, new in
      if old.street.isEmpty && old.city.isEmpty { return }
      new.address = SchemaV2.Address(street: old.street, city: old.city)
    }
  }
}

enum UniqueTags {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

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
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

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
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.custom(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
      willMigrate: { context in
        var firstTags: [String: SchemaV1.Tag] = [:]
        for tag in try context.fetch(FetchDescriptor<SchemaV1.Tag>(sortBy: [SortDescriptor(\.name)])) {
          guard let first = firstTags[tag.name] else {
            firstTags[tag.name] = tag
            continue
          }
          for note in tag.notes where !first.notes.contains(note) { first.notes.append(note) }
          context.delete(tag)
        }
        try context.save()
      },
      didMigrate: nil)
  }
}

enum RemovedModel {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Draft.self] }

    @Model
    final class Person {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model
    final class Draft {
      var text: String

      init(text: String) { self.text = text }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    @Model
    final class Person {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
  }
}

enum SeveralPhotos {
  enum SchemaV1 {
    @Model
    final class Recipe {
      var title: String
      var photo: Photo?

      init(title: String) { self.title = title }
    }

    @Model
    final class Photo {
      var caption: String

      init(caption: String) { self.caption = caption }
    }
  }

  enum SchemaV2 {
    @Model
    final class Recipe {
      var title: String
      @Relationship(originalName: "photo", inverse: \Photo.recipe) var photos: [Photo] = []  // was photo: Photo?

      init(title: String) { self.title = title }
    }

    @Model
    final class Photo {
      var caption: String
      var recipe: Recipe?  // is new

      init(caption: String) { self.caption = caption }
    }
  }
}

@Suite("Recipes for models and relationships, as the guide prints them")
struct ModelRecipeTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
  }

  @Test("Models of a renamed class are inserted again")
  func renamed() throws {
    try store.write(RenamedModel.SchemaV1.Contact.self) { context in
      for name in ["Ada", "Grace"] { context.insert(RenamedModel.SchemaV1.Contact(name: name)) }
    }
    let context = try store.open(RenamedModel.SchemaV2.Person.self, by: RenamedModel.Plan.self)
    let people = try context.fetch(FetchDescriptor<RenamedModel.SchemaV2.Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.name) == ["Ada", "Grace"])
  }

  @Test("Names are split, and joined again by the reverse migration")
  func splitName() throws {
    try store.write(SplitName.SchemaV1.Person.self) { context in
      for name in ["Ada Lovelace", "Plato"] { context.insert(SplitName.SchemaV1.Person(name: name)) }
    }
    do {
      let context = try store.open(SplitName.SchemaV2.Person.self, by: SplitName.Plan.self)
      let people = try context.fetch(
        FetchDescriptor<SplitName.SchemaV2.Person>(sortBy: [SortDescriptor(\.givenName)]))
      #expect(people.map { "\($0.givenName)/\($0.familyName)" } == ["Ada/Lovelace", "Plato/"])
      people[0].familyName = "King"
      try context.save()
      try context.container.close()
    }
    let context = try store.open(SplitName.SchemaV1.Person.self, by: SplitName.ReturningPlan.self)
    let people = try context.fetch(FetchDescriptor<SplitName.SchemaV1.Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.name) == ["Ada King", "Plato "])
  }

  @Test("Properties move to a new model if they have values")
  func movedAddress() throws {
    try store.write(MovedAddress.SchemaV1.Person.self) { context in
      let ada = MovedAddress.SchemaV1.Person(name: "Ada")
      (ada.street, ada.city) = ("St James's Square", "London")
      context.insert(ada)
      context.insert(MovedAddress.SchemaV1.Person(name: "Plato"))
    }
    let context = try store.open(
      MovedAddress.SchemaV2.Person.self, MovedAddress.SchemaV2.Address.self, by: MovedAddress.Plan.self)
    let people = try context.fetch(FetchDescriptor<MovedAddress.SchemaV2.Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map { $0.address?.city } == ["London", nil])
    let addresses = try context.fetch(FetchDescriptor<MovedAddress.SchemaV2.Address>())
    #expect(addresses.map { "\($0.street) of \($0.person?.name ?? "unknown")" } == ["St James's Square of Ada"])
  }

  @Test("Models with the same name are merged before names become unique")
  func uniqueTags() throws {
    try store.write(UniqueTags.SchemaV1.Tag.self, UniqueTags.SchemaV1.Note.self) { context in
      let tags = ["red", "blue", "red"].map(UniqueTags.SchemaV1.Tag.init)
      for tag in tags { context.insert(tag) }
      for (text, indices) in [("a", [0, 2]), ("b", [2]), ("c", [1])] {
        let note = UniqueTags.SchemaV1.Note(text: text)
        context.insert(note)
        note.tags = indices.map { tags[$0] }
      }
    }
    let context = try store.open(
      UniqueTags.SchemaV2.Tag.self, UniqueTags.SchemaV2.Note.self, by: UniqueTags.Plan.self)
    let tags = try context.fetch(FetchDescriptor<UniqueTags.SchemaV2.Tag>(sortBy: [SortDescriptor(\.name)]))
    #expect(tags.map(\.name) == ["blue", "red"])
    #expect(tags.map { $0.notes.map(\.text).sorted() } == [["c"], ["a", "b"]])
  }

  @Test("A stage without code removes the models of a removed class")
  func removed() throws {
    try store.write(RemovedModel.SchemaV1.Person.self, RemovedModel.SchemaV1.Draft.self) { context in
      context.insert(RemovedModel.SchemaV1.Person(name: "Ada"))
      context.insert(RemovedModel.SchemaV1.Draft(text: "x"))
    }
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open(RemovedModel.SchemaV2.Person.self) }
    let context = try store.open(RemovedModel.SchemaV2.Person.self, by: RemovedModel.Plan.self)
    #expect(try context.fetch(FetchDescriptor<RemovedModel.SchemaV2.Person>()).map(\.name) == ["Ada"])
  }

  @Test("A to-one that becomes a to-many has its target as the only member")
  func severalPhotos() throws {
    try store.write(SeveralPhotos.SchemaV1.Recipe.self, SeveralPhotos.SchemaV1.Photo.self) { context in
      let dumplings = SeveralPhotos.SchemaV1.Recipe(title: "Dumplings")
      context.insert(dumplings)
      dumplings.photo = SeveralPhotos.SchemaV1.Photo(caption: "ready")
      context.insert(SeveralPhotos.SchemaV1.Recipe(title: "Soup"))
    }
    let context = try store.open(SeveralPhotos.SchemaV2.Recipe.self, SeveralPhotos.SchemaV2.Photo.self)
    let recipes = try context.fetch(
      FetchDescriptor<SeveralPhotos.SchemaV2.Recipe>(sortBy: [SortDescriptor(\.title)]))
    #expect(recipes.map { $0.photos.map(\.caption) } == [["ready"], []])
    #expect(recipes[0].photos.map { $0.recipe?.title } == ["Dumplings"])
  }
}
