import Foundation
import SwiftData
import SwiftDataTesting

/// A store in a JSON file that is correct except for one mutation.
struct MutantConfiguration: DataStoreConfiguration {
  typealias Store = MutantStore

  enum Mutation: String, CaseIterable {
    case losesInsertions, swapsIdentifiers, losesUpdates, keepsDeleted, dropsNullCharacters
    case ignoresPredicates, reversesOrder, ignoresLimits, countsEverything, namesOneTwice
    case keepsTemporaryTargets, doesNotErase, forgetsEverything, reusesKeys

    /// The promise that the store breaks.
    var promise: DataStoreConformance.Promise {
      switch self {
      case .losesInsertions: .insertion
      case .swapsIdentifiers: .identifiers
      case .losesUpdates: .update
      case .keepsDeleted: .deletion
      case .dropsNullCharacters: .attributes
      case .ignoresPredicates: .predicates
      case .reversesOrder: .sorting
      case .ignoresLimits: .limits
      case .countsEverything: .counts
      case .namesOneTwice: .fetchedIdentifiers
      case .keepsTemporaryTargets: .toOne
      case .doesNotErase: .erasure
      case .forgetsEverything, .reusesKeys: .reopening
      }
    }
  }

  var name: String { "mutant" }
  var url: URL
  var schema: Schema?
  var mutation: Mutation?
}

final class MutantStore: DataStore {
  typealias Snapshot = DefaultSnapshot

  let configuration: MutantConfiguration
  let schema: Schema
  private var snapshots: [DefaultSnapshot] = []
  private var lastKey = 0
  private var mutation: MutantConfiguration.Mutation? { configuration.mutation }
  var identifier: String { configuration.url.lastPathComponent }

  init(_ configuration: MutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    guard mutation != .forgetsEverything, let data = try? Data(contentsOf: configuration.url) else { return }
    // This process has several types named Author. The container's schema determines the type of a snapshot.
    snapshots = try JSONDecoder().decode([DefaultSnapshot].self, from: data)
    // No check deletes models before the store is opened again.
    lastKey = mutation == .reusesKeys ? 0 : snapshots.count
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let descriptor = request.descriptor
    var found = snapshots.filter { $0.persistentIdentifier.entityName == "\(T.self)" }
    if descriptor.predicate != nil, mutation != .ignoresPredicates { throw DataStoreError.preferInMemoryFilter }
    if !descriptor.sortBy.isEmpty {
      guard mutation == .reversesOrder else { throw DataStoreError.preferInMemorySort }
      found.reverse()
    }
    if mutation != .ignoresLimits {
      found = Array(found.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max))
    }
    return DataStoreFetchResult(descriptor: descriptor, fetchedSnapshots: found)
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    if mutation == .countsEverything { return snapshots.count }
    return try fetch(request).fetchedSnapshots.count
  }

  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier] {
    let found = try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    return mutation == .namesOneTwice ? found.map { _ in found[0] } : found
  }

  func erase() throws {
    if mutation != .doesNotErase { snapshots = [] }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      lastKey += 1
      remapped[snapshot.persistentIdentifier] = try .identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: lastKey)
    }
    let updated = mutation == .losesUpdates ? [] : request.updated
    let deleted = mutation == .keepsDeleted ? [] : request.deleted
    let replaced = Set((updated + deleted).map(\.persistentIdentifier))
    snapshots.removeAll { replaced.contains($0.persistentIdentifier) }
    for snapshot in (mutation == .losesInsertions ? [] : request.inserted) + updated {
      let identifier = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
      let targets = mutation == .keepsTemporaryTargets ? nil : remapped
      snapshots.append(snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: targets))
    }
    var data = try JSONEncoder().encode(snapshots)
    if mutation == .dropsNullCharacters {
      data = Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\\u0000", with: "").utf8)
      snapshots = try JSONDecoder().decode([DefaultSnapshot].self, from: data)
    }
    try data.write(to: configuration.url, options: .atomic)
    if mutation == .swapsIdentifiers { swapTwo(&remapped) }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  private func swapTwo(_ remapped: inout [PersistentIdentifier: PersistentIdentifier]) {
    let authors = remapped.filter { $0.key.entityName == "Author" }.sorted { $0.value < $1.value }
    guard authors.count > 1 else { return }
    (remapped[authors[0].key], remapped[authors[1].key]) = (authors[1].value, authors[0].value)
  }
}
