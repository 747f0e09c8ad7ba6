import Foundation
import Support

/// The state that a container and its contexts share.
///
/// `@unchecked Sendable` because its properties are constant or behind a lock, except for `mainGraph`, which belongs to the
/// main actor, and `previous`, which belongs to one thread.
final class ContainerCore: @unchecked Sendable {
  let schema: Schema
  let migrationPlan: (any SchemaMigrationPlan.Type)?
  let configurations: Mutex<Set<ModelConfiguration>>
  let stores: [any Store]
  /// The store of each entity, by its position in the schema.
  let storeIndices: [Int]

  /// The average number of members of a to-many's owners when members were last read, by relationship. It limits how far
  /// the next walk over such owners reads ahead.
  let memberCounts = Mutex<[ObjectIdentifier: Int]>([:])

  /// The context of the older version while a migration stage runs with the models of its newer version. Only the thread
  /// of the stage reads and sets it.
  var previous: ModelContext?

  // Only the main actor reads and sets it.
  weak var mainGraph: ObjectGraph?

  private struct WeakInbox {
    weak var inbox: ChangeInbox?
  }

  private struct Inboxes {
    var all: [WeakInbox] = []
    /// The count at which released inboxes are removed, which takes time in proportion to the count.
    var limit = 16
  }

  private let inboxes = Mutex(Inboxes())

  private struct WeakObserver {
    weak var observer: (any CommitObserver)?
  }

  private let observers = Mutex<[WeakObserver]>([])

  let remoteChanges = RemoteChanges()

  /// Opens the stores of a container, and migrates them by the plan if they need it.
  convenience init(
    schema: Schema, configurations given: [any DataStoreConfiguration],
    migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    let configurations = given.isEmpty ? [ModelConfiguration()] : given
    try schema.validate()
    for notice in schema.notices { UsageWarning.logOnce(notice, to: Log.model) }
    try Self.check(configurations, schema)
    var routes: [StoreRoute] = []
    // A plan does not migrate custom stores.
    let own = configurations.compactMap(\.relational)
    try CommitRecovery.run(own)
    if let migrationPlan, own.count == configurations.count {
      routes = try StagedMigration.run(
        migrationPlan, to: schema, own, storeAssignment: Self.assign(schema, configurations))
    }
    try self.init(schema: schema, configurations: configurations, migrationPlan, routes: routes)
  }

  /// - Parameters:
  ///   - configurations: At least one.
  ///   - routes: The migration route of each store; empty when all are direct.
  ///   - copies: The working copies to open in place of the configurations' files, by the positions of the configurations.
  init(
    schema: Schema, configurations: [any DataStoreConfiguration],
    _ migrationPlan: (any SchemaMigrationPlan.Type)? = nil, routes: [StoreRoute], copies: [Int: any StoreCopy] = [:]
  ) throws {
    try schema.validate()
    try Self.check(configurations, schema)
    let indices = Self.assign(schema, configurations)
    try Self.checkRelationships(schema, indices)
    self.schema = schema
    self.migrationPlan = migrationPlan
    self.configurations = Mutex(Set(configurations.compactMap(\.relational)))
    storeIndices = indices
    stores = try Self.open(
      configurations.enumerated().map { index, configuration in
        let entities = schema.entities.indices.filter { indices[$0] == index }
        return try configuration.opening(
          schema, entities: entities, by: routes.isEmpty ? .direct : routes[index], in: copies[index])
      })
    for store in stores {
      let identifier = store.identifier.string
      store.follow { [weak self] notice in
        self?.broadcast(notice, from: nil)
      } finish: { [weak self] token in
        if let self { self.remoteChanges.record(token, of: identifier, self) }
      }
    }
  }

  deinit {
    for store in stores { store.stopFollowing() }
  }

  /// Opens stores. Stores whose opening may still fail come first, so that a failure leaves the others unchanged.
  private static func open(_ pending: [PendingStore]) throws -> [any Store] {
    var stores: [(any Store)?] = Array(repeating: nil, count: pending.count)
    // A single store reports its own progress.
    let isCounted = pending.count > 1 && Progress.current() != nil
    let progress = isCounted ? Progress(totalUnitCount: Int64(pending.count)) : nil
    for isCertain in [false, true] {
      for (index, store) in pending.enumerated() where store.isCertain == isCertain {
        progress?.becomeCurrent(withPendingUnitCount: 1)
        defer { progress?.resignCurrent() }
        stores[index] = try store.open()
      }
    }
    return stores.compactMap { $0 }
  }

  private static func check(_ configurations: [any DataStoreConfiguration], _ schema: Schema) throws {
    var files = Set<String>()
    var names = Set<String>()
    for configuration in configurations {
      try configuration.validate()
      let file = configuration.relational?.address
      guard file.map({ files.insert($0).inserted }) ?? true, names.insert(configuration.name).inserted else {
        let path = file.map { " or the file \($0)" } ?? ""
        throw SwiftDataError.duplicateConfiguration.with(
          message: "Two configurations have the name \"\(configuration.name)\"\(path).",
          hint: "Give each configuration its own name and file.")
      }
      for entity in configuration.schema?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
        throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.with(
          entity: entity.name,
          message: "The container's schema lacks \(entity.modelType.map(Schema.qualifiedName) ?? entity.name).",
          hint: "List it when you make the container.")
      }
    }
  }

  /// A configuration has the entities of its schema. Entities that no configuration's schema lists go to the first
  /// configuration without a schema.
  static func assign(_ schema: Schema, _ configurations: [any DataStoreConfiguration]) -> [Int] {
    let rest = configurations.firstIndex { $0.schema == nil } ?? 0
    return schema.entities.map { entity in
      configurations.firstIndex { $0.schema?.entitiesByName[entity.rootEntity.name] != nil } ?? rest
    }
  }

  private static func checkRelationships(_ schema: Schema, _ storeIndices: [Int]) throws {
    let stores = Dictionary(zip(schema.entities.map(\.name), storeIndices)) { first, _ in first }
    let issues = schema.entities.flatMap { entity in
      entity.relationships.filter { stores[$0.destination] != stores[entity.name] }.map { relationship in
        SwiftDataError.Issue(
          entity: entity.name, property: relationship.name,
          message: "It leads to \(relationship.destination), which another configuration holds.")
      }
    }
    guard !issues.isEmpty else { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "A relationship cannot lead from one store into another.",
      hint: "Give both models to one configuration.", issues: issues)
  }

  func attach(_ inbox: ChangeInbox) {
    inboxes.withLock { inboxes in
      if inboxes.all.count >= inboxes.limit {
        inboxes.all.removeAll { $0.inbox == nil }
        inboxes.limit = max(16, 2 * inboxes.all.count)
      }
      inboxes.all.append(WeakInbox(inbox: inbox))
    }
  }

  /// Deletes all rows of all stores, and notifies every context.
  func erase() throws {
    for (index, store) in stores.enumerated() {
      try store.erase {
        let entities = storeIndices.indices.filter { storeIndices[$0] == index }
        broadcast(ChangeNotice(unknown: Set(entities), isInvalidation: true), from: nil)
      }
    }
  }

  /// Copies the stores: a single store to a file, several stores to files in a new folder.
  func backUp(to url: URL) throws {
    guard stores.allSatisfy(\.canBackUp) else { throw DataStoreError.unsupportedFeature }
    if stores.count == 1 { return try stores[0].backUp(to: url) }
    let target = try BackupTarget(url, store: stores[0].name)
    try target.checkVacancy(of: [target.path])
    let staging = try target.makeStagingFolder()
    defer { withExtendedLifetime(staging) {} }
    let copies = staging.url.appendingPathComponent("copies", isDirectory: true)
    try target.describingFailures { try POSIXError.check(mkdir(copies.path, 0o777)) }
    for store in stores {
      // A store in memory may have any name.
      guard !store.name.contains(where: { $0 == "/" || $0 == "\0" }) else {
        throw SwiftDataError.storeFailure(
          .copying, store: store.name, reason: .cannotOpen,
          message: "the name of the configuration is not a valid file name")
      }
      try store.backUp(to: copies.appendingPathComponent("\(store.name).store", isDirectory: false))
    }
    try target.describingFailures {
      let copy = try InstalledItem(folder: copies.path, to: target.path)
      do {
        try ExternalFiles.synchronize(target.folder)
      } catch {
        copy.remove()
        throw error
      }
    }
  }

  /// The store of a container that has one SQLite store.
  var documentStore: RelationalStore {
    get throws {
      guard let store = stores.first as? RelationalStore else { throw DataStoreError.unsupportedFeature }
      return store
    }
  }

  /// Closes all stores. When one cannot be closed now, closes the others and throws its error.
  func close() throws {
    remoteChanges.close()
    var failure: (any Error)?
    for store in stores {
      do {
        try store.close()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Notifies contexts of a commit. They are notified of commits in the order of these calls.
  ///
  /// - Parameter sender: The inbox of the context that made the commit, which is not notified.
  func broadcast(_ notice: ChangeNotice, from sender: ChangeInbox?) {
    var others: [ChangeInbox] = []
    var announcements: [@Sendable () -> Void] = []
    inboxes.withLock { inboxes in
      for index in inboxes.all.indices {
        guard let inbox = inboxes.all[index].inbox, inbox !== sender else { continue }
        // Retained until the lock is released: the last release of an inbox must not run inside it.
        others.append(inbox)
        if let announcement = inbox.leave(notice) { announcements.append(announcement) }
      }
    }
    if let sender, notice.lists?.isEmpty != true { sender.forgetGrowth() }
    for announcement in announcements { announcement() }
    let observers = observers.withLock { $0.compactMap(\.observer) }
    for observer in observers { observer.recordCommit() }
  }

  func attach(_ observer: any CommitObserver) {
    observers.withLock { observers in
      observers.removeAll { $0.observer == nil }
      observers.append(WeakObserver(observer: observer))
    }
  }
}
