import Foundation

extension ObjectGraph {
  func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try prepareToRead(descriptor)
    return try FetchOperation(descriptor, for: .rows, in: self).run()
  }

  func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try prepareToRead(descriptor)
    return try FetchOperation(descriptor, for: .count, in: self).count()
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try prepareToRead(descriptor)
    return try FetchOperation(descriptor, for: .keys, in: self).identifiers()
  }

  /// See ``ModelContext/explain(_:)``.
  func explain<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchExplanation {
    try prepareToRead(descriptor)
    return try FetchOperation(descriptor, for: .rows, in: self).explanation()
  }

  func identifier(of row: RowKey) -> PersistentIdentifier {
    bindingsByOrdinal[row.entity].identifier(of: row.key)
  }

  /// The store's plan for a descriptor, which serves all requests of the fetch.
  func fetchPlan<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, for result: FetchResultType, _ binding: EntityBinding
  ) throws -> any FetchPlan {
    try binding.session.plan(descriptor, for: result, allowsResidue: allowsInMemoryEvaluation)
  }

  /// Runs `body` with a graph that has only committed values.
  func withOtherContext<Result>(_ body: (ObjectGraph) throws -> Result) rethrows -> Result {
    let other = ModelContext(container)
    return try withExtendedLifetime(other) { try other.graph.exclusively { try body(other.graph) } }
  }

  /// Checks a descriptor, and merges the changes of other contexts.
  func prepareToRead<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
    try Task.checkCancellation()
    for (name, value) in [("fetchLimit", descriptor.fetchLimit), ("fetchOffset", descriptor.fetchOffset)] {
      guard let value, value < 0 else { continue }
      throw SwiftDataError.invalidFetchDescriptor.with(
        entity: "\(T.self)", message: "\(name) must not be negative (was \(value)).")
    }
    let binding = try requireBinding(for: T.self)
    _ = try PropertySelection(descriptor, binding.runtime)
    for keyPath in descriptor.relationshipKeyPathsForPrefetching {
      _ = try faulting.relationships(on: keyPath, binding)
    }
    try processInbox()
    try throwAccessFailure()
  }

  func rows<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ plan: any FetchPlan, _ restriction: FetchRestriction,
    _ binding: EntityBinding
  ) throws -> [T] {
    // Collected as objects: appending to an array of `T` is slow if `T` is unknown at compile time.
    var objects = ObjectBuffer()
    let group = FetchGroup(map: binding.map)
    let ordinal = binding.ordinal
    let map = binding.map
    let deletedRows = journal.deletedRows
    let skipped = descriptor.includePendingChanges && !deletedRows.isEmpty ? deletedRows.rows(of: map) : [:]
    try plan.rows(restriction) { row, reader in
      if !skipped.isEmpty, skipped[row.key] != nil { return }
      guard row.entity == ordinal else { return objects.append(receive(row, reader, group)) }
      let page = map.page(for: row.key)
      if let model = page.model(row.key) {
        if update(model, binding, from: reader, group) { return objects.append(consume model) }
        return objects.append(receive(row, reader, group))
      }
      objects.append(make(T.self, row.key, binding, page, reader, group))
    }
    // The unchecked cast is safe: each object is of the class of its row's entity, as `receive` and `update` ensure, and
    // the store selects rows of the entity of `T` and its subentities. Arrays of objects have the same layout for all
    // classes.
    return unsafeBitCast(objects.take(), to: [T].self)
  }

  // MARK: Models by identifier

  func model(for identifier: PersistentIdentifier) -> any PersistentModel {
    let identifier = identifier.current
    guard let (binding, key) = rowReference(of: identifier) else {
      return lookUp(identifier) { try find(identifier) }
    }
    return binding._withUnsafeGuaranteedRef { binding in
      guard let model = binding.map.model(key) else { return lookUp(identifier) { try unregistered(key, binding) } }
      return isKind(model, of: binding) ? model : placeholder(for: identifier)
    }
  }

  @inline(__always)
  private func lookUp(
    _ identifier: PersistentIdentifier, _ body: () throws -> (any PersistentModel)?
  ) -> any PersistentModel {
    var found: (any PersistentModel)?
    attempt("looking up \(identifier.debugDescription)") { found = try body() }
    return found ?? placeholder(for: identifier)
  }

  /// The model with an identifier if it is registered.
  func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    let identifier = identifier.current
    if isTemporary(identifier.id) {
      // A decoded temporary identifier may have the number of another entity's model.
      return journal.inserted.models.first {
        $0._$withState { state in
          state.key == identifier.id.key && state.withBinding { $0.isKind(ofEntity: identifier.id.entity) } == true
        }
      }
    }
    return row(of: identifier).flatMap { registered($0.key, $0.binding) }
  }

  /// The model with an identifier, read from the store if it is not registered; nil if there is none.
  func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier, as type: T.Type) throws -> T? {
    let identifier = identifier.current
    return try exclusively {
      if let model = registered(identifier) { return model as? T }
      guard let (binding, key) = try searchedRow(of: identifier) else { return nil }
      return try read(key, binding, nil) as? T
    }
  }

  /// The model with an identifier. Its row is read only if its entity is not known otherwise. Nil if there is none.
  private func find(_ identifier: PersistentIdentifier) throws -> (any PersistentModel)? {
    if isTemporary(identifier.id) { return registered(identifier) }
    guard let (binding, key) = try searchedRow(of: identifier) else { return nil }
    return try find(key, binding)
  }

  /// The model of a row that may not exist, or may be of another entity with the same key space.
  func find(_ key: Int64, _ binding: EntityBinding) throws -> (any PersistentModel)? {
    if let model = binding.map.model(key) { return isKind(model, of: binding) ? model : nil }
    return try unregistered(key, binding)
  }

  private func unregistered(_ key: Int64, _ binding: EntityBinding) throws -> (any PersistentModel)? {
    binding.isPolymorphic ? try read(key, binding, nil) : try fault(key, binding)
  }

  @inline(__always)
  private func registered(_ key: Int64, _ binding: EntityBinding) -> (any PersistentModel)? {
    binding.map.model(key).flatMap { isKind($0, of: binding) ? $0 : nil }
  }

  private func isTemporary(_ id: PersistentIdentifier.ID) -> Bool {
    id.key < 0 && id.parts == nil
  }

  /// Whether a registered model is of an entity or a subentity.
  private func isKind(_ model: any PersistentModel, of binding: EntityBinding) -> Bool {
    !binding.isPolymorphic || model._$withState { $0.withBinding { $0.entity.isKind(of: binding.entity) } } ?? false
  }

  /// The entity and the key of an identifier, if its entity is known.
  private func row(of identifier: PersistentIdentifier) -> (binding: EntityBinding, key: Int64)? {
    rowReference(of: identifier).map { ($0.binding.takeUnretainedValue(), $0.key) }
  }

  /// `row(of:)` without a retain: this graph retains its bindings.
  @inline(__always)
  private func rowReference(
    of identifier: PersistentIdentifier
  ) -> (binding: Unmanaged<EntityBinding>, key: Int64)? {
    let id = identifier.id.parts == nil ? identifier.id : identifier.inNumbers.id
    guard id.key > 0 else { return nil }
    for reference in bindingReferences {
      let isMeant = reference._withUnsafeGuaranteedRef { $0.runtime.entityName == id.entity && $0.store == id.store }
      if isMeant { return (reference, id.key) }
    }
    return nil
  }

  /// `row(of:)` that also searches the store, for stores whose keys are no numbers.
  func searchedRow(of identifier: PersistentIdentifier) throws -> (binding: EntityBinding, key: Int64)? {
    if let row = row(of: identifier) { return row }
    guard let parts = identifier.id.parts, parts.key == nil,
      let binding = bindingsByOrdinal.first(where: {
        $0.runtime.entityName.string == parts.entity && $0.store.string == parts.store
      }), let key = try binding.session.key(for: identifier)
    else { return nil }
    return (binding, key)
  }

  /// A placeholder for an identifier without a model.
  private func placeholder(for identifier: PersistentIdentifier) -> any PersistentModel {
    let name = identifier.entityName
    let binding = bindingsByOrdinal.first { $0.runtime.entityName.string == name }
    let model = binding?.runtime.type.makePlaceholder() ?? UnknownModel.makePlaceholder()
    model._$withState { $0.lastIdentifier = identifier }
    return model
  }
}

extension ObjectGraph {
  /// The rows that a descriptor selects now. The caller has merged the changes of other contexts.
  func resultRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> ResultRows<T> {
    let fetch = try FetchOperation(descriptor, for: .keys, in: self)
    var keys: [RowKey] = []
    if try fetch.keys(receive: { keys.append($0) }) { return ResultRows(keys: keys) }
    keys = []
    var unsaved: [Int64: T] = [:]
    for model in try fetch.models() {
      let row = row(of: model)
      if row.key < 0 { unsaved[row.key] = model }
      keys.append(row)
    }
    return ResultRows(keys: keys, unsaved: unsaved)
  }

  /// The rows that a descriptor selects, in a context without unsaved changes.
  func savedRowKeys<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [RowKey] {
    let rows = try resultRows(descriptor).keys
    return rows.rows(at: 0..<rows.count)
  }

  /// The row of a model, with a temporary key if it is not saved.
  func row(of model: any PersistentModel) -> RowKey {
    model._$withState { RowKey(key: $0.key, entity: $0.withBinding { $0.ordinal } ?? -1) }
  }

  /// The models of the rows that exist and have no pending deletion, by their keys. Models that are not in memory are read.
  func presentModels(of rows: [RowKey]) throws -> [Int64: any PersistentModel] {
    guard let first = rows.first else { return [:] }
    let binding = bindingsByOrdinal[first.entity]
    var models: [Int64: any PersistentModel] = [:]
    var unread: [Int64] = []
    let deleted = journal.deletedRows.rows(of: binding.map)
    for row in rows where deleted[row.key] == nil {
      if let model = binding.map.model(row.key) {
        if model._$withState({ $0.isLive }) { models[row.key] = model }
      } else {
        unread.append(row.key)
      }
    }
    if unread.isEmpty { return models }
    try binding.session.rows(of: binding.rootEntity, keys: unread.sorted()) { row, reader in
      models[row.key] = receive(row, reader, nil)
    }
    return models
  }

  /// The model of a row; nil if the row does not exist or has a pending deletion.
  func presentModel(of row: RowKey) throws -> (any PersistentModel)? {
    let binding = bindingsByOrdinal[row.entity]
    if journal.deletedRows.rows(of: binding.map)[row.key] != nil { return nil }
    if let model = binding.map.model(row.key) { return model._$withState { $0.isLive } ? model : nil }
    var model: (any PersistentModel)?
    try binding.session.row(of: binding.rootEntity, key: row.key) { model = receive($0, $1, nil) }
    return model
  }
}
