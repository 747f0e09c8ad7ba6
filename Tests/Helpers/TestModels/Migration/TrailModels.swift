import Foundation
import SwiftData

@testable import TestSupport

// A logbook of hikes in four versions.

enum TrailV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    var title: String
    var length: Int
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(title: String, length: Int, track: Data? = nil) {
      self.title = title
      self.length = length
      self.track = track
    }
  }

  @Model
  final class Walker {
    var name: String
    var hikes: [Hike] = []

    init(name: String) {
      self.name = name
    }
  }
}

/// Adds a property, whose values the stage computes.
enum TrailV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    var title: String
    var length: Int
    var isLong = false
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(title: String, length: Int, track: Data? = nil) {
      self.title = title
      self.length = length
      self.track = track
    }
  }

  @Model
  final class Walker {
    var name: String
    var hikes: [Hike] = []

    init(name: String) {
      self.name = name
    }
  }
}

/// Renames a property, without code.
enum TrailV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    @Attribute(originalName: "title") var name: String
    var length: Int
    var isLong = false
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(name: String, length: Int, track: Data? = nil) {
      self.name = name
      self.length = length
      self.track = track
    }
  }

  @Model
  final class Walker {
    var name: String
    var hikes: [Hike] = []

    init(name: String) {
      self.name = name
    }
  }
}

/// Splits a name in two parts.
enum TrailV4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    @Attribute(originalName: "title") var name: String
    var length: Int
    var isLong = false
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(name: String, length: Int, track: Data? = nil) {
      self.name = name
      self.length = length
      self.track = track
    }
  }

  @Model
  final class Walker {
    var firstName = ""
    @Attribute(originalName: "name") var lastName: String
    var hikes: [Hike] = []

    init(firstName: String, lastName: String) {
      self.firstName = firstName
      self.lastName = lastName
    }
  }
}

/// The first version again, with its own classes.
enum TrailV1Again: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 1)
  static var models: [any PersistentModel.Type] { [Hike.self, Walker.self] }

  @Model
  final class Hike {
    var title: String
    var length: Int
    @Attribute(.externalStorage) var track: Data?
    @Relationship(inverse: \Walker.hikes) var walkers: [Walker] = []

    init(title: String, length: Int) {
      self.title = title
      self.length = length
    }
  }

  @Model
  final class Walker {
    var name: String
    var hikes: [Hike] = []

    init(name: String) {
      self.name = name
    }
  }
}

/// Adds a required property without values for the rows.
enum RequiredTrail: VersionedSchema {
  static let versionIdentifier = Schema.Version(9, 0, 0)
  static var models: [any PersistentModel.Type] { [Hike.self] }

  @Model
  final class Hike {
    var title: String
    var length: Int
    var grade: Int

    init(title: String, length: Int, grade: Int) {
      self.title = title
      self.length = length
      self.grade = grade
    }
  }
}

/// A plan whose stages each test chooses.
enum TrailPlan: SchemaMigrationPlan {
  @TaskLocal static var chosenSchemas: [any VersionedSchema.Type] = [
    TrailV1.self, TrailV2.self, TrailV3.self, TrailV4.self,
  ]
  @TaskLocal static var chosenStages: [MigrationStage] = standard

  static var schemas: [any VersionedSchema.Type] { chosenSchemas }
  static var stages: [MigrationStage] { chosenStages }

  static let standard: [MigrationStage] = [toSecond, toThird, toFourth]

  static let toSecond = MigrationStage.custom(
    fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: nil,
    didMigrate: { context in
      for hike in try context.fetch(FetchDescriptor<TrailV2.Hike>(predicate: #Predicate { $0.length > 10 })) {
        hike.isLong = true
      }
      try context.save()
    })

  static let toThird = MigrationStage.lightweight(fromVersion: TrailV2.self, toVersion: TrailV3.self)

  static let toFourth = MigrationStage.custom(
    fromVersion: TrailV3.self, toVersion: TrailV4.self,
    willMigrate: { context in
      for walker in try context.fetch(FetchDescriptor<TrailV3.Walker>()) where !walker.name.contains(" ") {
        walker.name = "? \(walker.name)"
      }
      try context.save()
    },
    didMigrate: { context in
      for walker in try context.fetch(FetchDescriptor<TrailV4.Walker>()) {
        let parts = walker.lastName.split(separator: " ", maxSplits: 1).map(String.init)
        (walker.firstName, walker.lastName) = (parts[0], parts[1])
      }
      try context.save()
    })
}
