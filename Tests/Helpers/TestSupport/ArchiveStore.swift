import Foundation
import Support
import SwiftData

/// Where an archive stores its snapshots, and what it supports.
struct ArchiveConfiguration: DataStoreConfiguration {
  typealias Store = ArchiveStore

  var name = "archive"
  var schema: Schema?
  var url: URL
  var abilities = Abilities.none
  /// A log of the requests to the store.
  var log = RequestLog()

  enum Abilities {
    /// It returns everything, and leaves filters and orders to the context.
    case none
    /// It evaluates predicates and orders by itself.
    case all
  }

  func validate() throws {
    if url.pathExtension != "json" { throw ArchiveError.notJSON }
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.url == rhs.url && lhs.name == rhs.name
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(url)
  }
}

enum ArchiveError: Error {
  case notJSON, full
}

final class RequestLog: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines.removeAll() }
      return lines
    }
  }
}

/// The simplest store: one JSON file that is read and written as a whole.
final class ArchiveStore: DataStore {
  typealias Configuration = ArchiveConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: ArchiveConfiguration
  let schema: Schema
  var identifier: String { configuration.url.lastPathComponent }
  /// Makes the next save fail.
  static let isFull = Mutex<Set<URL>>([])

  init(_ configuration: ArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    _ = try read()
  }

  private func read() throws -> [DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [] }
    return try JSONDecoder().decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.url))
  }

  func erase() throws {
    try FileManager.default.removeItem(at: configuration.url)
  }

  func initializeState(for editingState: EditingState) {
    configuration.log.add("initialize")
  }

  func invalidateState(for editingState: EditingState) {
    configuration.log.add("invalidate")
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let descriptor = request.descriptor
    configuration.log.add("fetch \(T.self)")
    let names = schema.entity(for: T.self).map(Self.names) ?? []
    let snapshots = try read().filter { names.contains($0.persistentIdentifier.entityName) }
    if configuration.abilities == .none {
      if descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
      if !descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    }
    let rest = snapshots.dropFirst(descriptor.fetchOffset ?? 0)
    return DataStoreFetchResult(
      descriptor: descriptor, fetchedSnapshots: Array(descriptor.fetchLimit.map { rest.prefix($0) } ?? rest))
  }

  /// The names of an entity and of all its subentities.
  private static func names(_ entity: Schema.Entity) -> Set<String> {
    entity.subentities.reduce(into: [entity.name]) { $0.formUnion(names($1)) }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    configuration.log.add(
      "save +\(request.inserted.count) ~\(request.updated.count) -\(request.deleted.count)"
        + (request.editingState.author.map { " by \($0)" } ?? ""))
    if Self.isFull.withLock({ $0.contains(configuration.url) }) { throw ArchiveError.full }
    var snapshots = try read()
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try .identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID().uuidString)
    }
    let gone = Set((request.updated + request.deleted).map(\.persistentIdentifier))
    snapshots.removeAll { gone.contains($0.persistentIdentifier) }
    for snapshot in request.inserted + request.updated {
      let identifier = snapshot.persistentIdentifier
      snapshots.append(
        snapshot.copy(persistentIdentifier: remapped[identifier] ?? identifier, remappedIdentifiers: remapped))
    }
    try JSONEncoder().encode(snapshots).write(to: configuration.url, options: .atomic)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
