import Foundation
import SwiftData

@testable import TestSupport

// A health log, all of whose numbers the second release widens. No other application widens any.

enum HealthReleases {
  struct Pressure: Codable, Hashable {
    var systolic: Int
    var diastolic: Int
  }

  static let calls = StageCalls()

  /// Whole numbers that a `Double` can represent.
  static func pulse(_ number: Int) -> Int {
    let values: [Int] = [0, -1, 9_007_199_254_740_992, -9_007_199_254_740_992, number * 3]
    return values[number % values.count]
  }

  static func massIndex(weight: Double?, height: Int?) -> Double? {
    guard let weight, let height else { return nil }
    return weight * 10_000 / Double(height * height)
  }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Reading.self] }

    @Model
    final class Person {
      var number: Int
      var name: String
      var height: Int
      var code: Int
      @Relationship(deleteRule: .cascade, inverse: \Reading.person) var readings: [Reading] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.text(number)
        height = 150 + number
        code = Varied.whole(number)
      }
    }

    @Model
    final class Reading {
      var number: Int
      var steps: Int32
      var floors: Int32?
      var pulse: Int
      var pain: Int?
      var device: Int?
      var weight: Double?
      var taken: Date
      var note: String?
      var person: Person?

      init(_ number: Int) {
        self.number = number
        steps = Int32(clamping: Varied.whole(number))
        floors = Varied.maybe(number, Int32(clamping: Varied.whole(number + 1)))
        pulse = HealthReleases.pulse(number)
        pain = Varied.maybe(number, HealthReleases.pulse(number + 1))
        device = Varied.maybe(number, Varied.whole(number))
        weight = Varied.maybe(number, Double(number) * 1.7 + 40)
        taken = Varied.date(number)
        note = Varied.text(number)
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Reading.self] }

    @Model
    final class Person {
      var number: Int
      var name: String
      var height: Int
      var code: String
      @Relationship(deleteRule: .cascade, inverse: \Reading.person) var readings: [Reading] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.text(number)
        height = 150 + number
        code = Varied.name(number)
      }
    }

    @Model
    final class Reading {
      var number: Int
      var steps: Int
      var floors: Int?
      var pulse: Double
      var pain: Double?
      var device: String?
      var weight: Double?
      var taken: Date
      var note: String?
      var person: Person?

      init(_ number: Int) {
        self.number = number
        steps = Varied.whole(number)
        floors = Varied.maybe(number, Varied.whole(number + 1))
        pulse = Varied.real(number)
        pain = Varied.maybe(number, Varied.real(number + 1))
        device = Varied.maybe(number, Varied.text(number))
        weight = Varied.maybe(number, Double(number) * 1.7 + 40)
        taken = Varied.date(number)
        note = Varied.text(number)
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Reading.self] }

    @Model
    final class Person {
      var number: Int
      var name: String
      var height: Int
      @Attribute(originalName: "code") var insuranceCode: String
      @Relationship(deleteRule: .cascade, inverse: \Reading.person) var readings: [Reading] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.text(number)
        height = 150 + number
        insuranceCode = Varied.name(number)
      }
    }

    @Model
    final class Reading {
      #Index<Reading>([\.taken])
      var number: Int
      var steps: Int
      var floors: Int?
      var pulse: Double
      var pain: Double?
      var device: String?
      var weight: Double?
      var taken: Date
      var massIndex: Double?
      var pressure: Pressure?
      var person: Person?

      init(_ number: Int) {
        self.number = number
        steps = Varied.whole(number)
        pulse = Varied.real(number)
        taken = Varied.date(number)
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: V1.self, toVersion: V2.self),
        .custom(
          fromVersion: V2.self, toVersion: V3.self, willMigrate: nil,
          didMigrate: { try calls.run("V3 did", $0, computeIndexes) }),
      ]
    }

    private static func computeIndexes(_ context: ModelContext) throws {
      for reading in try context.fetch(FetchDescriptor<V3.Reading>()) {
        reading.massIndex = massIndex(weight: reading.weight, height: reading.person?.height)
      }
    }
  }
}
