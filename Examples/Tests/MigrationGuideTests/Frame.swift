import Foundation
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self] }
  // The released models.
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self] }
  // The current models.
}

enum PeoplePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [stage] }

  static let stage = MigrationStage.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
}

typealias Person = SchemaV2.Person

extension SchemaV1 {
  @Model
  final class Person {
    var name: String

    init(name: String) { self.name = name }
  }
}

extension SchemaV2 {
  @Model
  final class Person {
    var name: String
    var note: String?

    init(name: String) { self.name = name }
  }
}

/// Opens the default store, which no test does.
func openDefaultStore() throws -> ModelContainer {
  let container = try ModelContainer(for: Person.self, migrationPlan: PeoplePlan.self)
  return container
}
