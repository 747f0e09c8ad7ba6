import Foundation
import SwiftData
import Testing

enum Cells {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    @Model
    final class Place {
      var latitude: Double
      var longitude: Double

      init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
      }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    @Model
    final class Place {
      var latitude: Double
      var longitude: Double
      var cell: Int = 0

      init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.mapModels(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Place.self, to: SchemaV2.Place.self,
      batchSize: 5000
    ) { old, new in
      new.cell = Int((old.latitude + 90) * 10) * 10_000 + Int((old.longitude + 180) * 10)
    }
  }
}

enum Degrees {
  enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    @Model
    final class Place {
      var name: String
      var fahrenheit: Double

      init(name: String, fahrenheit: Double) {
        self.name = name
        self.fahrenheit = fahrenheit
      }
    }
  }

  enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Place.self] }

    @Model
    final class Place {
      var name: String
      var celsius: Double = 0

      init(name: String) { self.name = name }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [stage] }

    static let stage = MigrationStage.executeSQL(
      fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
      statements: [
        "CREATE TABLE IF NOT EXISTS swiftdata_kept_Place_fahrenheit (_id INTEGER PRIMARY KEY, fahrenheit REAL)",
        """
        UPDATE Place SET celsius = (kept.fahrenheit - 32) / 1.8
        FROM swiftdata_kept_Place_fahrenheit AS kept WHERE kept._id = Place._id
        """,
        "DROP TABLE swiftdata_kept_Place_fahrenheit",
      ])
  }
}

@Suite("Recipes for many rows, as the guide prints them")
struct RowRecipeTests {
  private let store: GuideStore

  init() throws {
    store = try GuideStore()
  }

  @Test("A mapping computes a value of each row")
  func cells() throws {
    try store.write(Cells.SchemaV1.Place.self) { context in
      context.insert(Cells.SchemaV1.Place(latitude: 51.5, longitude: -0.5))
      context.insert(Cells.SchemaV1.Place(latitude: -90, longitude: 10))
    }
    let places = try store.open(Cells.SchemaV2.Place.self, by: Cells.Plan.self)
      .fetch(FetchDescriptor<Cells.SchemaV2.Place>(sortBy: [SortDescriptor(\.latitude)]))
    #expect(places.map(\.cell) == [1900, 14_151_795])
  }

  @Test("SQL computes values from removed columns", arguments: [[], [212.0, 32]])
  func degrees(_ values: [Double]) throws {
    try store.write(Degrees.SchemaV1.Place.self) { context in
      for value in values { context.insert(Degrees.SchemaV1.Place(name: "\(value)", fahrenheit: value)) }
    }
    let places = try store.open(Degrees.SchemaV2.Place.self, by: Degrees.Plan.self)
      .fetch(FetchDescriptor<Degrees.SchemaV2.Place>(sortBy: [SortDescriptor(\.celsius, order: .reverse)]))
    #expect(places.map { $0.celsius.rounded() } == values.map { $0 == 32 ? 0 : 100 })
  }
}
