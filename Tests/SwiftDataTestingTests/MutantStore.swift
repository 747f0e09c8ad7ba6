import Foundation
import SwiftData
import SwiftDataTesting

/// A store in a JSON file that is correct except for one mutation.
struct MutantConfiguration: DataStoreConfiguration {
  typealias Store = MutantStore

  enum Mutation: String, CaseIterable {
    case losesInsertions, swapsIdentifiers, losesUpdates, keepsDeleted, dropsNullCharacters
    case ignoresPredicates, reversesOrder, ignoresLimits, countsEverything, namesOneTwice
    case keepsTemporaryTargets, dropsLastBook, dropsLastTag, deletesOnlyFirst, hidesLaterSaves, revertsOtherUpdates
    case losesSeventhSave, keepsFailedChanges, keepsLastDeleted, doesNotErase, forgetsEverything, reusesKeys

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
      case .dropsLastBook: .toMany
      case .dropsLastTag: .manyToMany
      case .deletesOnlyFirst: .deleteRules
      case .hidesLaterSaves: .severalContexts
      case .revertsOtherUpdates: .separateUpdates
      case .losesSeventhSave: .concurrentSaves
      case .keepsFailedChanges: .failedSave
      case .keepsLastDeleted: .deletionByPredicate
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
  private var saveCount = 0
  /// The snapshots after the last save of each context.
  private var ownViews: [EditingState.ID: [DefaultSnapshot]] = [:]
  private var lastSaver: EditingState.ID?
  private var previousSnapshots: [DefaultSnapshot] = []
  private var mutation: MutantConfiguration.Mutation? { configuration.mutation }
  var identifier: String { configuration.url.lastPathComponent }

  init(_ configuration: MutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    guard mutation != .forgetsEverything, let data = try? Data(contentsOf: configuration.url) else { return }
    // This process has several types named Author. The container's schema determines the type of a snapshot.
    snapshots = try JSONDecoder().decode([DefaultSnapshot].self, from: data)
    // No check inserts models through a second container after it has deleted some.
    lastKey = mutation == .reusesKeys ? 0 : snapshots.count
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let descriptor = request.descriptor
    let visible = mutation == .hidesLaterSaves ? ownViews[request.editingState.id] ?? snapshots : snapshots
    var found = visible.filter { $0.persistentIdentifier.entityName == "\(T.self)" }
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
    let changed = changedSnapshots(request, remapped)
    if mutation == .keepsFailedChanges { snapshots = changed }
    let data = try JSONEncoder().encode(changed)
    let written = try mutated(data)
    try written.write(to: configuration.url, options: .atomic)
    (previousSnapshots, lastSaver) = (snapshots, request.editingState.id)
    snapshots = written == data ? changed : try JSONDecoder().decode([DefaultSnapshot].self, from: written)
    ownViews[request.editingState.id] = snapshots
    if mutation == .swapsIdentifiers { swapTwo(&remapped) }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  /// The snapshots after a save.
  private func changedSnapshots(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ remapped: [PersistentIdentifier: PersistentIdentifier]
  ) -> [DefaultSnapshot] {
    saveCount += 1
    let losesInsertions = mutation == .losesInsertions || mutation == .losesSeventhSave && saveCount == 7
    let inserted = losesInsertions ? [] : request.inserted
    let updated = mutation == .losesUpdates ? [] : request.updated
    let deleted =
      switch mutation {
      case .keepsDeleted: [] as [DefaultSnapshot]
      case .deletesOnlyFirst: Array(request.deleted.prefix(1))
      case .keepsLastDeleted: Array(request.deleted.dropLast())
      default: request.deleted
      }
    var changed = snapshots
    if mutation == .revertsOtherUpdates, lastSaver != request.editingState.id, request.inserted.isEmpty {
      changed = previousSnapshots
    }
    let replaced = Set((updated + deleted).map(\.persistentIdentifier))
    changed.removeAll { replaced.contains($0.persistentIdentifier) }
    for snapshot in inserted + updated {
      let identifier = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
      let targets = mutation == .keepsTemporaryTargets ? nil : remapped
      changed.append(snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: targets))
    }
    return changed
  }

  /// The encoded snapshots after a mutation of their values.
  private func mutated(_ data: Data) throws -> Data {
    switch mutation {
    case .dropsNullCharacters:
      Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\\u0000", with: "").utf8)
    case .dropsLastBook: try droppingLast(of: "books", inModelsWith: "rank", data)
    case .dropsLastTag: try droppingLast(of: "tags", inModelsWith: "pages", data)
    default: data
    }
  }

  /// - Parameter property: A property that only the models with the relationship have.
  private func droppingLast(of relationship: String, inModelsWith property: String, _ data: Data) throws -> Data {
    guard var objects = try JSONSerialization.jsonObject(with: data) as? [[String: Any]],
      objects.contains(where: { $0[property] != nil })
    else { return data }
    for index in objects.indices where objects[index][property] != nil {
      guard let members = objects[index][relationship] as? [Any] else { continue }
      objects[index][relationship] = Array(members.dropLast())
    }
    return try JSONSerialization.data(withJSONObject: objects)
  }

  private func swapTwo(_ remapped: inout [PersistentIdentifier: PersistentIdentifier]) {
    let authors = remapped.filter { $0.key.entityName == "Author" }.sorted { $0.value < $1.value }
    guard authors.count > 1 else { return }
    (remapped[authors[0].key], remapped[authors[1].key]) = (authors[1].value, authors[0].value)
  }
}
