import Foundation

/// The session of a context with a custom store.
final class SnapshotSession<Custom: DataStore>: StoreSession {
  let store: SnapshotStore<Custom>
  private let schema: Schema
  private(set) var editingState: EditingState
  /// The positions of entities in the schema.
  private let ordinals: [String: Int]
  private var readers: [Int: SnapshotRowReader] = [:]

  /// The snapshots of the last fetch, and of later reads: most faults are among them.
  private var recent: [PersistentIdentifier: DefaultSnapshot] = [:]
  private var recentGeneration = 0
  /// The entities of known rows in inheritances, whose rows share their keys, so that a key does not determine the entity.
  private var entities: [String: [Int64: Int]] = [:]

  init(store: SnapshotStore<Custom>, schema: Schema, editingState: EditingState) {
    self.store = store
    self.editingState = editingState
    ordinals = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.schema = schema
    store.notify { $0.initializeState(for: editingState) }
  }

  var storeIdentifier: InternedString {
    store.identifier
  }

  var storeName: String {
    store.name
  }

  var keepsBothSides: Bool { true }

  func keepsTarget(of relationship: String, in entity: Schema.Entity) -> Bool { true }

  func close() {
    store.notify { $0.invalidateState(for: editingState) }
  }

  // MARK: Fetching

  func plan<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, for result: FetchResultType, allowsResidue: Bool
  ) throws -> any FetchPlan {
    SnapshotPlan(descriptor, self, allowsResidue: allowsResidue)
  }

  /// Passes the rows of a store's answer, and caches its snapshots.
  func pass<Model: PersistentModel>(
    _ result: DataStoreFetchResult<Model, Custom.Snapshot>, ofGeneration generation: Int, limit: Int?,
    to receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    recent.removeAll()
    recentGeneration = generation
    for (_, snapshot) in result.relatedSnapshots { try remember(snapshot) }
    for snapshot in result.fetchedSnapshots.prefix(limit ?? .max) {
      try pass(try remember(snapshot), of: Model.self, to: receive)
    }
  }

  // MARK: Rows and members

  func lastKey(of entity: Schema.Entity) throws -> Int64? { nil }

  func rows(
    of entity: Schema.Entity, keys: [Int64], including selection: PropertySelection?,
    receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    guard let type = entity.modelType else { return }
    for snapshot in try snapshots(for: keys.flatMap { identifiers($0, entity) }, type).values {
      try pass(snapshot, of: type, to: receive)
    }
  }

  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (Int64, RowKey) -> Void
  ) throws {
    guard let type = entity.modelType,
      let destination = entity.relationship(named: relationship).flatMap({ schema.entitiesByName[$0.destination] }),
      let destinationType = destination.modelType
    else { return }
    let snapshots = try snapshots(for: owners.flatMap { identifiers($0, entity) }, type)
    var members: [(owner: Int64, identifiers: [PersistentIdentifier])] = []
    for (identifier, snapshot) in snapshots {
      if let error = snapshot.unreadable[relationship] { throw refusal(of: identifier, error) }
      switch snapshot.values[relationship] {
      case .members(let identifiers): members.append((try number(of: identifier), identifiers))
      case .target(let target?): members.append((try number(of: identifier), [target]))
      default: break
      }
    }
    // A store may have dangling references.
    let there = try self.snapshots(for: members.flatMap(\.identifiers), destinationType)
    for (owner, identifiers) in members {
      for identifier in identifiers where there[identifier] != nil { receive(owner, try rowKey(identifier)) }
    }
  }

  func memberRows(
    of relationship: String, in entity: Schema.Entity, owners: [Int64],
    receive: (_ owner: Int, _ order: Int64, RowKey, _RowReader) throws -> Void
  ) throws {
    guard let destination = entity.relationship(named: relationship).flatMap({ schema.entitiesByName[$0.destination] })
    else { return }
    let indices = Dictionary(uniqueKeysWithValues: owners.enumerated().map { ($1, $0) })
    var memberships: [Int64: [(owner: Int, order: Int64)]] = [:]
    var count: Int64 = 0
    try members(of: relationship, in: entity, owners: owners) { owner, member in
      guard let index = indices[owner] else { return }
      count += 1
      memberships[member.key, default: []].append((index, count))
    }
    try rows(of: destination.rootEntity, keys: Array(memberships.keys), including: nil) { row, reader in
      for membership in memberships[row.key] ?? [] { try receive(membership.owner, membership.order, row, reader) }
    }
  }

  /// The snapshots of existing rows: from the session's cache, from the store's cache, and fetched.
  private func snapshots(
    for identifiers: [PersistentIdentifier], _ type: any PersistentModel.Type
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    if recentGeneration != store.currentGeneration { recent.removeAll() }
    var found: [PersistentIdentifier: DefaultSnapshot] = [:]
    var missing = Set<PersistentIdentifier>()
    for identifier in identifiers {
      if let snapshot = recent[identifier] { found[identifier] = snapshot } else { missing.insert(identifier) }
    }
    guard !missing.isEmpty else { return found }
    let (cached, generation) = try store.read {
      try $0.cachedSnapshots(for: missing.sorted(), editingState: editingState)
    }
    if recentGeneration != generation { recent.removeAll() }
    recentGeneration = generation
    for snapshot in cached.values where missing.remove(snapshot.persistentIdentifier) != nil {
      found[snapshot.persistentIdentifier] = try remember(snapshot)
    }
    guard !missing.isEmpty else { return found }
    for snapshot in try fetched(missing, type) where missing.contains(snapshot.persistentIdentifier) {
      found[snapshot.persistentIdentifier] = try remember(snapshot)
    }
    return found
  }

  private func fetched<Model: PersistentModel>(
    _ identifiers: Set<PersistentIdentifier>, _ type: Model.Type
  ) throws -> [Custom.Snapshot] {
    let predicate = #Predicate<Model> { identifiers.contains($0.persistentModelID) }
    let plan = SnapshotPlan(FetchDescriptor(predicate: predicate), self, allowsResidue: true)
    return try plan.answer(to: FetchRestriction()) { try $0.fetch($1) }.answer.fetchedSnapshots
  }

  /// Caches a snapshot, unless a part of it is unreadable: then the store is asked again.
  @discardableResult
  private func remember(_ snapshot: Custom.Snapshot) throws -> DefaultSnapshot {
    let row = try rowKey(snapshot.persistentIdentifier)
    guard let type = schema.entities[row.entity].modelType else {
      throw invalidIdentifier(snapshot.persistentIdentifier)
    }
    let identifier = snapshot.persistentIdentifier
    let shape = SnapshotShape.of(type)
    let known: DefaultSnapshot
    do {
      known = try DefaultSnapshot(reading: snapshot, shape)
    } catch {
      known = DefaultSnapshot(unreadable: identifier, shape, refusal(of: identifier, error))
    }
    recent[identifier] = known.unreadable.isEmpty ? known : nil
    return known
  }

  private func refusal(of identifier: PersistentIdentifier, _ error: any Error) -> SwiftDataError {
    if let error = error as? SwiftDataError { return error }
    return SwiftDataError.modelValidationFailure.with(
      entity: identifier.entityName,
      message: "The store \(store.name) gave a snapshot with values that its model cannot have.",
      underlying: error, identifiers: [identifier])
  }

  /// Passes a row, and then throws the error of an unreadable value, unless `receive` has cleared it.
  private func pass(
    _ snapshot: DefaultSnapshot, of type: any PersistentModel.Type, to receive: (RowKey, _RowReader) throws -> Void
  ) throws {
    let row = try rowKey(snapshot.persistentIdentifier)
    let entity = schema.entities[row.entity]
    guard let actual = entity.modelType, schema.entity(forType: type).map(entity.isKind) == true else {
      throw SwiftDataError.modelValidationFailure.with(
        entity: entity.name, message: "The store \(store.name) gave a snapshot of \(entity.name) in place of \(type).",
        identifiers: [snapshot.persistentIdentifier])
    }
    let reader = readers[row.entity] ?? SnapshotRowReader(SnapshotShape.of(actual))
    // A reader in use is not shared: values may make further requests while they are read.
    readers[row.entity] = nil
    defer { readers[row.entity] = reader }
    reader.begin(snapshot) { try rowKey($0).key }
    if reader.failure != nil { recent[snapshot.persistentIdentifier] = nil }
    if let failure = reader.failure, reader.lacksConstant { throw failure }
    try receive(row, reader)
    if let failure = reader.failure { throw failure }
  }

  // MARK: Keys

  func rowKey(_ identifier: PersistentIdentifier) throws -> RowKey {
    let row = try RowKey(key: number(of: identifier), entity: ordinal(of: identifier))
    let root = schema.entities[row.entity].rootEntity
    if !root.subentities.isEmpty {
      if let known = entities[root.name]?[row.key], known != row.entity {
        throw SwiftDataError.modelValidationFailure.with(
          entity: identifier.entityName,
          message:
            "The store \(store.name) has the key \(identifier.primaryKey) for \(schema.entities[known].name) as well.",
          hint: "Models that inherit from one another need keys of their own.", identifiers: [identifier])
      }
      entities[root.name, default: [:]][row.key] = row.entity
    }
    return row
  }

  private func ordinal(of identifier: PersistentIdentifier) throws -> Int {
    guard identifier.storeIdentifier == store.identifier.string, let ordinal = ordinals[identifier.entityName] else {
      throw invalidIdentifier(identifier)
    }
    return ordinal
  }

  private func number(of identifier: PersistentIdentifier) throws -> Int64 {
    let identifier = identifier.inNumbers
    if identifier.id.parts != nil { return store.key(forText: identifier.primaryKey) }
    guard identifier.id.key > 0 else { throw invalidIdentifier(identifier) }
    return identifier.id.key
  }

  func key(for identifier: PersistentIdentifier) throws -> Int64? {
    if let known = store.knownKey(forText: identifier.primaryKey) { return known }
    // Only existing rows get numbers, because identifiers may be made up.
    guard let type = schema.entitiesByName[identifier.entityName]?.modelType,
      try !snapshots(for: [identifier], type).isEmpty
    else { return nil }
    return store.knownKey(forText: identifier.primaryKey)
  }

  func text(for key: Int64) -> String? {
    store.text(for: key)
  }

  private func invalidIdentifier(_ identifier: PersistentIdentifier) -> SwiftDataError {
    SwiftDataError.modelValidationFailure.with(
      entity: identifier.entityName,
      message: "The store \(store.name) gave the identifier \(identifier.debugDescription), which is none of its own.",
      hint: """
        Make identifiers with PersistentIdentifier.identifier(for:entityName:primaryKey:) and the store's own \
        identifier, and replace temporary ones in relationships too.
        """,
      identifiers: [identifier])
  }

  /// The possible identifiers of a row: one for each entity that it can be of, until its entity is known.
  private func identifiers(_ key: Int64, _ entity: Schema.Entity) -> [PersistentIdentifier] {
    let root = entity.rootEntity
    if root.subentities.isEmpty { return [identifier(key, entity)] }
    if let known = entities[root.name]?[key] { return [identifier(key, schema.entities[known])] }
    return schema.entities.filter { $0.isKind(of: root) }.map { identifier(key, $0) }
  }

  private func identifier(_ key: Int64, _ entity: Schema.Entity) -> PersistentIdentifier {
    PersistentIdentifier(
      storeName: store.identifier.string, entityName: entity.name,
      primaryKey: store.text(for: key) ?? RowIdentity.text(for: key))
  }

  // MARK: Saving

  func batchDeletion<Model: PersistentModel>(
    of type: Model.Type, where predicate: Predicate<Model>?, includeSubclasses: Bool
  ) -> ((EditingState) throws -> Void)? {
    guard Custom.self is any DataStoreBatching.Type else { return nil }
    return { [store] editingState in
      let request = DataStoreBatchDeleteRequest(
        editingState: editingState, predicate: predicate, includeSubclasses: includeSubclasses)
      _ = try store.read { try ($0 as? any DataStoreBatching)?.delete(request) }
    }
  }

  func save(_ plan: SavePlan, announce: (SaveOutcome) -> Void) throws {
    editingState = plan.editingState
    func announceDisturbance(of outcome: SaveOutcome) {
      var outcome = outcome
      if plan.isDisturbed { outcome.failure = SavePlan.disturbance }
      announce(outcome)
    }
    if let batch = plan.batchDeletion {
      return try store.change { _ in
        try batch.execute(editingState)
      } announce: { _, _ in
        announceDisturbance(of: SaveOutcome(keys: []))
      }
    }
    let request = DataStoreSaveChangesRequest(
      inserted: try plan.inserts.map(snapshot), updated: try plan.updates.map { try snapshot($0.model) },
      deleted: try plan.deletes.map(snapshot), editingState: editingState)
    try plan.checkUndisturbed()
    try store.change {
      try $0.save(request)
    } announce: { result, generation in
      // The store has saved, even if its answer is invalid: saving again would save twice.
      recent.removeAll()
      recentGeneration = generation
      announceDisturbance(of: outcome(of: request, result))
    }
  }

  /// The valid parts of a store's answer, with the first error.
  private func outcome(
    of request: DataStoreSaveChangesRequest<Custom.Snapshot>, _ result: DataStoreSaveChangesResult<Custom.Snapshot>
  ) -> SaveOutcome {
    var outcome = SaveOutcome(keys: [], historyToken: result.historyToken)
    func attempt<Result>(_ body: () throws -> Result) -> Result? {
      do {
        return try body()
      } catch {
        outcome.failure = outcome.failure ?? error
        return nil
      }
    }
    for snapshot in request.inserted {
      outcome.keys.append(attempt { try key(of: snapshot.persistentIdentifier, in: result) } ?? 0)
    }
    for snapshot in result.snapshotsToReregister.values {
      _ = attempt {
        let known = try remember(snapshot)
        if let error = known.unreadable.first?.value { throw refusal(of: known.persistentIdentifier, error) }
        outcome.affected.append(try rowKey(snapshot.persistentIdentifier))
      }
    }
    return outcome
  }

  /// The key that the store has assigned to an inserted model.
  private func key(
    of temporary: PersistentIdentifier, in result: DataStoreSaveChangesResult<Custom.Snapshot>
  ) throws -> Int64 {
    guard let permanent = result.remappedIdentifiers[temporary] else {
      throw SwiftDataError.modelValidationFailure.with(
        entity: temporary.entityName,
        message: "The store \(store.name) saved a new \(temporary.entityName) and gave it no permanent identifier.",
        hint: """
          Return one for each inserted snapshot in remappedIdentifiers. Everything was saved; the object has left its \
          context.
          """, identifiers: [temporary])
    }
    guard permanent.entityName == temporary.entityName else { throw invalidIdentifier(permanent) }
    return try rowKey(permanent).key
  }

  private func snapshot(_ model: any PersistentModel) throws -> Custom.Snapshot {
    func make<Model: PersistentModel>(_ model: Model) -> Custom.Snapshot {
      var related: [PersistentIdentifier: any BackingData] = [:]
      return Custom.Snapshot(from: ModelBackingData(of: model), relatedBackingDatas: &related)
    }
    let snapshot = make(model)
    // Taking a snapshot reads all properties, and fires faults, which may have failed.
    try model._$withState { $0.graph }?.throwAccessFailure()
    if let failure = (snapshot as? DefaultSnapshot)?.failure { throw failure }
    return snapshot
  }
}
