import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

@Model
final class Track {
  var title = ""

  init() {}
}

enum PlainArchive {
  struct ArchiveConfiguration: DataStoreConfiguration {
    typealias Store = ArchiveStore
    var name = "archive"
    var schema: Schema?
    var url: URL
  }

  final class ArchiveStore: DataStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: ArchiveConfiguration
    let schema: Schema
    var identifier: String { configuration.url.lastPathComponent }

    init(_ configuration: ArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
      self.configuration = configuration
      schema = configuration.schema ?? Schema()
    }

    private func read() throws -> [DefaultSnapshot] {
      guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [] }
      return try JSONDecoder().decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.url))
    }

    func fetch<T: PersistentModel>(
      _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
      if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
      if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
      let snapshots = try read().filter { $0.persistentIdentifier.entityName == "\(T.self)" }
        .dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
      return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(snapshots))
    }

    func save(
      _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
      var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
      for snapshot in request.inserted {
        remapped[snapshot.persistentIdentifier] = try .identifier(
          for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID().uuidString)
      }
      let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
      var snapshots = try read().filter { !replaced.contains($0.persistentIdentifier) }
      for snapshot in request.inserted + request.updated {
        let identifier = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
        snapshots.append(snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: remapped))
      }
      try JSONEncoder().encode(snapshots).write(to: configuration.url, options: .atomic)
      return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }
  }

  static func open(_ file: URL) throws -> ModelContainer {
    let container = try ModelContainer(
      for: Track.self, configurations: ArchiveConfiguration(url: file))
    return container
  }
}

// The same store with a history.

struct ArchiveConfiguration: DataStoreConfiguration {
  typealias Store = ArchiveStore
  var name = "archive"
  var schema: Schema?
  var url: URL
}

final class ArchiveStore: DataStore {
  typealias Snapshot = DefaultSnapshot
  let configuration: ArchiveConfiguration
  let schema: Schema
  var transactions: [ArchiveTransaction] = []
  var count = 0
  var identifier: String { configuration.url.lastPathComponent }

  init(_ configuration: ArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  private func read() throws -> [DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [] }
    return try JSONDecoder().decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.url))
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let snapshots = try read().filter { $0.persistentIdentifier.entityName == "\(T.self)" }
      .dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(snapshots))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try .identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID().uuidString)
    }
    let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
    var snapshots = try read().filter { !replaced.contains($0.persistentIdentifier) }
    for snapshot in request.inserted + request.updated {
      let identifier = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
      snapshots.append(snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: remapped))
    }
    try JSONEncoder().encode(snapshots).write(to: configuration.url, options: .atomic)
    count += 1
    let transaction = ArchiveTransaction(
      id: count, timestamp: .now, storeIdentifier: identifier, author: request.editingState.author,
      inserted: Array(remapped.values), updated: request.updated.map(\.persistentIdentifier))
    transactions.append(transaction)
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, historyToken: transaction.token)
  }
}

struct ArchiveToken: HistoryToken {
  var tokenValue: Int?
  var id: Int { tokenValue ?? 0 }

  static func < (lhs: ArchiveToken, rhs: ArchiveToken) -> Bool { lhs.id < rhs.id }
}

struct ArchiveInsert: HistoryInsert {
  typealias Model = Track
  var changeIdentifier: Int
  var transactionIdentifier: Int
  var changedPersistentIdentifier: PersistentIdentifier
}

struct ArchiveUpdate: HistoryUpdate {
  typealias Model = Track
  var changeIdentifier: Int
  var transactionIdentifier: Int
  var changedPersistentIdentifier: PersistentIdentifier
  var updatedAttributes: [any PartialKeyPath<Track> & Sendable] = []
}

struct ArchiveTransaction: HistoryTransaction {
  var id: Int
  var timestamp: Date
  var storeIdentifier: String
  var author: String?
  var inserted: [PersistentIdentifier]
  var updated: [PersistentIdentifier]

  var token: ArchiveToken { ArchiveToken(tokenValue: id) }
  var transactionIdentifier: Int { id }

  var changes: [HistoryChange] {
    var changes: [HistoryChange] = []
    for model in inserted {
      changes.append(
        .insert(
          ArchiveInsert(
            changeIdentifier: changes.count, transactionIdentifier: id, changedPersistentIdentifier: model)))
    }
    for model in updated {
      changes.append(
        .update(
          ArchiveUpdate(
            changeIdentifier: changes.count, transactionIdentifier: id, changedPersistentIdentifier: model)))
    }
    return changes
  }
}

extension ArchiveStore: HistoryProviding {
  static var historyType: ArchiveTransaction.Type { ArchiveTransaction.self }

  func fetchHistory(_ descriptor: HistoryDescriptor<ArchiveTransaction>) throws -> [ArchiveTransaction] {
    let selected = try transactions.filter { try descriptor.predicate?.evaluate($0) ?? true }
    let sorted = descriptor.sortBy.isEmpty ? selected : selected.sorted(using: descriptor.sortBy)
    return descriptor.fetchLimit == 0 ? sorted : Array(sorted.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<ArchiveTransaction>) throws {
    let deleted = Set(try fetchHistory(descriptor).map(\.id))
    transactions.removeAll { deleted.contains($0.id) }
  }
}

/// A store in front of another one.
class WrappingStore {
  let wrapped: DefaultStore

  init(_ wrapped: DefaultStore) { self.wrapped = wrapped }

  static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  func fetchHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> [DefaultHistoryTransaction] {
    try wrapped.fetchHistory(descriptor)
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try wrapped.deleteHistory(descriptor)
  }
}
