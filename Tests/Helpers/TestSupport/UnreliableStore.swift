import Foundation
import Support
import SwiftData
import Testing

/// A store in memory that fails to read or to write on request, and gives invalid answers to saves.
struct UnreliableConfiguration: DataStoreConfiguration {
  typealias Store = UnreliableStore

  /// A store's answer to a save, after it has written everything.
  enum Answer: String, CaseIterable, Codable {
    case sound
    case noIdentifier, noFirstIdentifier
    case ofOtherStore, ofUnknownEntity, ofOtherEntity, temporary
    case twiceTheSame
    case snapshotOfOtherStore, snapshotOfUnknownModel, snapshotOfOtherModel
  }

  /// How rows are identified.
  enum Keys: String, CaseIterable, Codable {
    case numbers, words
  }

  var name = "unreliable"
  var schema: Schema?
  var keys = Keys.numbers
  let ledger = StoreLedger()

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.ledger === rhs.ledger
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(ledger))
  }
}

enum UnreliableError: Error {
  case reading, writing
}

/// The contents of an unreliable store, its requests, and its behaviour from now on.
final class StoreLedger: Sendable {
  struct Pages {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    var lastKey = 0
    var written = Written()
    var readCount = 0
    var failsToRead = false
    var failsToWrite = false
    var answer = UnreliableConfiguration.Answer.sound
  }

  /// The number of snapshots written.
  struct Written: Equatable {
    var inserted = 0
    var updated = 0
    var deleted = 0
  }

  private let pages = Mutex(Pages())

  func edit<Result>(_ body: (inout Pages) throws -> sending Result) rethrows -> sending Result {
    try pages.withLock(body)
  }

  var written: Written { pages.withLock { $0.written } }
}

final class UnreliableStore: DataStore {
  typealias Configuration = UnreliableConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: UnreliableConfiguration
  let schema: Schema
  var identifier: String { configuration.name }

  init(_ configuration: UnreliableConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let snapshots = try configuration.ledger.edit { pages in
      pages.readCount += 1
      if pages.failsToRead { throw UnreliableError.reading }
      return pages.snapshots
    }
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let found = snapshots.values.filter { $0.persistentIdentifier.entityName == "\(T.self)" }
      .sorted { $0.persistentIdentifier < $1.persistentIdentifier }.dropFirst(request.descriptor.fetchOffset ?? 0)
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(found.prefix(request.descriptor.fetchLimit ?? .max)))
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    try configuration.ledger.edit { pages in
      if pages.failsToRead { throw UnreliableError.reading }
      return [:]
    }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try configuration.ledger.edit { pages in
      if pages.failsToWrite { throw UnreliableError.writing }
      var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
      for snapshot in request.inserted {
        pages.lastKey += 1
        remapped[snapshot.persistentIdentifier] = try makeIdentifier(
          identifier, snapshot.persistentIdentifier.entityName, pages.lastKey)
      }
      for snapshot in request.inserted + request.updated {
        let identifier = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
        pages.snapshots[identifier] = snapshot.copy(
          persistentIdentifier: identifier, remappedIdentifiers: remapped)
      }
      for snapshot in request.deleted { pages.snapshots[snapshot.persistentIdentifier] = nil }
      pages.written.inserted += request.inserted.count
      pages.written.updated += request.updated.count
      pages.written.deleted += request.deleted.count
      return try answer(request, remapped, pages)
    }
  }

  private func makeIdentifier(_ store: String, _ entity: String, _ key: Int) throws -> PersistentIdentifier {
    switch configuration.keys {
    case .numbers: try .identifier(for: store, entityName: entity, primaryKey: key)
    case .words: try .identifier(for: store, entityName: entity, primaryKey: "row \(key)")
    }
  }

  /// The store's answer to a save.
  private func answer(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    _ remapped: [PersistentIdentifier: PersistentIdentifier], _ pages: StoreLedger.Pages
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    if pages.answer == .sound { return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped) }
    var remapped = remapped
    var changed: [PersistentIdentifier: DefaultSnapshot] = [:]
    let any = try #require(pages.snapshots.values.min { $0.persistentIdentifier < $1.persistentIdentifier })
    switch pages.answer {
    case .sound:
      break
    case .noIdentifier:
      remapped = [:]
    case .noFirstIdentifier:
      if let first = request.inserted.first { remapped[first.persistentIdentifier] = nil }
    case .ofOtherStore:
      remapped = try remapped.mapValues { try makeIdentifier("another", $0.entityName, 1) }
    case .ofUnknownEntity:
      remapped = try remapped.mapValues { _ in try makeIdentifier(identifier, "Nothing", 1) }
    case .ofOtherEntity:
      remapped = try remapped.mapValues { try makeIdentifier(identifier, $0.entityName == "Tag" ? "Book" : "Tag", 1) }
    case .temporary:
      remapped = Dictionary(uniqueKeysWithValues: remapped.keys.map { ($0, $0) })
    case .twiceTheSame:
      remapped = try remapped.mapValues { try makeIdentifier(identifier, $0.entityName, pages.lastKey) }
    case .snapshotOfOtherStore:
      let stranger = try makeIdentifier("another", any.persistentIdentifier.entityName, 1)
      changed[stranger] = any.copy(persistentIdentifier: stranger, remappedIdentifiers: nil)
    case .snapshotOfUnknownModel:
      let stranger = try makeIdentifier(identifier, "Nothing", 1)
      changed[stranger] = any.copy(persistentIdentifier: stranger, remappedIdentifiers: nil)
    case .snapshotOfOtherModel:
      // Every row gets the values of one.
      let entity = any.persistentIdentifier.entityName
      for identifier in pages.snapshots.keys where identifier.entityName != entity {
        changed[identifier] = any.copy(persistentIdentifier: identifier, remappedIdentifiers: nil)
      }
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: changed)
  }
}
