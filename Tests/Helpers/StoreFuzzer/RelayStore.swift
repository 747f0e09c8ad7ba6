import SwiftData

/// A program's own store, which passes everything on to the store in the file, as snapshots.
struct RelayConfiguration: DataStoreConfiguration {
  typealias Store = RelayStore

  var base: ModelConfiguration
  var schema: Schema?
  var name: String { "relay" }

  static func == (left: Self, right: Self) -> Bool {
    left.base == right.base
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(base)
  }
}

final class RelayStore: DataStore {
  typealias Snapshot = DefaultSnapshot

  let configuration: RelayConfiguration
  private let base: DefaultStore
  var name: String { configuration.name }
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: RelayConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try DefaultStore(base, migrationPlan: migrationPlan)
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try base.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try base.save(request)
  }
}
