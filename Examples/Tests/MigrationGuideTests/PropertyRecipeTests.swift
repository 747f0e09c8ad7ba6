import Foundation
import SwiftData
import Testing

enum RenamedProperty {
  enum SchemaV1 {
    @Model
    final class Person {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum SchemaV2 {
    @Model
    final class Person {
      @Attribute(originalName: "name") var fullName: String

      init(fullName: String) { self.fullName = fullName }
    }
  }
}

enum RequiredPlace {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
      var title: String
      var place: String?

      init(title: String) { self.title = title }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
      var title: String
      var place: String

      init(title: String, place: String) {
        self.title = title
        self.place = place
      }
    }
  }

  /// With one default value for all.
  enum WithDefault {
    @Model
    final class Trip {
      var title: String
      var place: String = "unknown"  // was String?

      init(title: String) { self.title = title }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.custom(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
      willMigrate: { context in
        let trips = FetchDescriptor<SchemaV1.Trip>(predicate: #Predicate { $0.place == nil })
        for trip in try context.fetch(trips) { trip.place = trip.title }
        try context.save()
      },
      didMigrate: nil)
  }
}

enum WiderType {
  enum SchemaV1 {
    @Model
    final class Counter {
      var total: Int32

      init(total: Int32) { self.total = total }
    }
  }

  enum SchemaV2 {
    @Model
    final class Counter {
      var total: Int  // was Int32

      init(total: Int) { self.total = total }
    }
  }
}

enum NarrowerType {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Recipe.self] }

    @Model
    final class Recipe {
      var title: String
      var portions: String

      init(title: String, portions: String) {
        self.title = title
        self.portions = portions
      }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Recipe.self] }

    // in SchemaV2
    @Model
    final class Recipe {
      var title: String
      var portionCount: Int = 0

      init(title: String) { self.title = title }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mapModels(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Recipe.self, to: SchemaV2.Recipe.self
    ) { old, new in
      new.portionCount = Int(old.portions) ?? 1
    }
  }
}

@Suite("Recipes for properties, as the guide prints them")
struct PropertyRecipeTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
  }

  @Test("A renamed property keeps its values")
  func renamed() throws {
    try store.write(RenamedProperty.SchemaV1.Person.self) { context in
      context.insert(RenamedProperty.SchemaV1.Person(name: "Ada Lovelace"))
    }
    let people = try store.open(RenamedProperty.SchemaV2.Person.self)
      .fetch(FetchDescriptor<RenamedProperty.SchemaV2.Person>())
    #expect(people.map(\.fullName) == ["Ada Lovelace"])
  }

  private func writeTrips() throws {
    try store.write(RequiredPlace.SchemaV1.Trip.self) { context in
      context.insert(RequiredPlace.SchemaV1.Trip(title: "Alps"))
      let trip = RequiredPlace.SchemaV1.Trip(title: "Sea")
      trip.place = "Brest"
      context.insert(trip)
    }
  }

  @Test("A property that becomes required has the default value where it was nil")
  func requiredWithDefault() throws {
    try writeTrips()
    let trips = try store.open(RequiredPlace.WithDefault.Trip.self)
      .fetch(FetchDescriptor<RequiredPlace.WithDefault.Trip>(sortBy: [SortDescriptor(\.title)]))
    #expect(trips.map(\.place) == ["unknown", "Brest"])
  }

  @Test("A property that becomes required has the values that a stage sets")
  func requiredByStage() throws {
    try writeTrips()
    let trips = try store.open(RequiredPlace.SchemaV2.Trip.self, by: RequiredPlace.Plan.self)
      .fetch(FetchDescriptor<RequiredPlace.SchemaV2.Trip>(sortBy: [SortDescriptor(\.title)]))
    #expect(trips.map(\.place) == ["Alps", "Brest"])
  }

  @Test("A property with a wider type keeps its values")
  func wider() throws {
    try store.write(WiderType.SchemaV1.Counter.self) { context in
      context.insert(WiderType.SchemaV1.Counter(total: .max))
    }
    let counters = try store.open(WiderType.SchemaV2.Counter.self)
      .fetch(FetchDescriptor<WiderType.SchemaV2.Counter>())
    #expect(counters.map(\.total) == [Int(Int32.max)])
  }

  @Test("A stage converts texts to numbers")
  func narrower() throws {
    try store.write(NarrowerType.SchemaV1.Recipe.self) { context in
      context.insert(NarrowerType.SchemaV1.Recipe(title: "Dumplings", portions: "4"))
      context.insert(NarrowerType.SchemaV1.Recipe(title: "Soup", portions: "some"))
    }
    let recipes = try store.open(NarrowerType.SchemaV2.Recipe.self, by: NarrowerType.Plan.self)
      .fetch(FetchDescriptor<NarrowerType.SchemaV2.Recipe>(sortBy: [SortDescriptor(\.title)]))
    #expect(recipes.map(\.portionCount) == [4, 1])
  }
}
