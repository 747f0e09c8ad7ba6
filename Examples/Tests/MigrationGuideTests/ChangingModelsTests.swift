import Foundation
import SwiftData
import Testing

enum Initials {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self] }

    @Model
    final class Person {
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
      var initials = ""

      init(name: String) { self.name = name }
    }
  }

  enum PeoplePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }

    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
          didMigrate: { context in
            for person in try context.fetch(FetchDescriptor<SchemaV2.Person>()) {
              person.initials = String(person.name.split(separator: " ").compactMap(\.first))
            }
            try context.save()
          })
      ]
    }
  }

  typealias Person = SchemaV2.Person

  /// Opens the default store, which no test does.
  static func openWithProgress() throws -> ModelContainer {
    let progress = Progress(totalUnitCount: 100)
    progress.becomeCurrent(withPendingUnitCount: 100)
    defer { progress.resignCurrent() }
    let container = try ModelContainer(for: Person.self, migrationPlan: PeoplePlan.self)
    return container
  }
}

enum Notes {
  enum Release1 {
    @Model
    final class Trip {
      var name: String
      var note: String  // in release 1, not in release 2, and again in release 3

      init(name: String, note: String) {
        self.name = name
        self.note = note
      }
    }
  }

  enum Release2 {
    @Model
    final class Trip {
      var name: String

      init(name: String) { self.name = name }
    }
  }
}

enum Animals {
  enum Release1 {
    @Model
    final class Cat {
      var name: String
      var lives: Int

      init(name: String, lives: Int) {
        self.name = name
        self.lives = lives
      }
    }
  }

  enum Release2 {
    @Model
    class Animal {
      var name: String
      var legs = 4

      init(name: String) { self.name = name }
    }

    @Model
    final class Cat: Animal {  // was a class by itself, with a name
      var lives: Int

      init(name: String, lives: Int) {
        self.lives = lives
        super.init(name: name)
      }
    }
  }
}

@Suite("The guide to changed models")
struct ChangingModelsTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
  }

  @Test("The plan of the guide finds the initials of all people")
  func initials() throws {
    try store.write(Initials.SchemaV1.Person.self) { context in
      for name in ["Ada Lovelace", "Plato"] { context.insert(Initials.SchemaV1.Person(name: name)) }
    }
    let people = try store.open(Initials.Person.self, by: Initials.PeoplePlan.self)
      .fetch(FetchDescriptor<Initials.Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.initials) == ["AL", "P"])
  }

  @Test("A property that one release lacks has its old values in the next one")
  func returningNotes() throws {
    try store.write(Notes.Release1.Trip.self) { context in
      context.insert(Notes.Release1.Trip(name: "Alps", note: "snow"))
    }
    try store.write(Notes.Release2.Trip.self) { context in
      let trips = try context.fetch(FetchDescriptor<Notes.Release2.Trip>())
      #expect(trips.map(\.name) == ["Alps"])
    }
    let trips = try store.open(Notes.Release1.Trip.self).fetch(FetchDescriptor<Notes.Release1.Trip>())
    #expect(trips.map(\.note) == ["snow"])
  }

  @Test("Cats keep their names when Cat becomes a subclass of Animal")
  func animals() throws {
    try store.write(Animals.Release1.Cat.self) { context in
      context.insert(Animals.Release1.Cat(name: "Tom", lives: 9))
    }
    let context = try store.open(Animals.Release2.Animal.self, Animals.Release2.Cat.self)
    let cats = try context.fetch(FetchDescriptor<Animals.Release2.Cat>())
    #expect(cats.map(\.name) == ["Tom"])
    #expect(cats.map(\.lives) == [9])
    #expect(cats.map(\.legs) == [4])
    #expect(try context.fetch(FetchDescriptor<Animals.Release2.Animal>()).map(\.name) == ["Tom"])
  }
}
