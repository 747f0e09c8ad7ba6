/// The SQLite store as a ``DataStore``.
///
/// It is for custom stores that forward requests to it, and for code that works with snapshots. A container with
/// a ``ModelConfiguration`` reads and writes the same file in the same way, but without snapshots.
public final class DefaultStore: DataStore, DataStoreBatching {
  public typealias Configuration = ModelConfiguration
  public typealias Snapshot = DefaultSnapshot

  /// The name of the configuration.
  public let name: String
  /// The models that the store holds.
  public let schema: Schema
  /// The configuration that the store was opened with.
  public let configuration: ModelConfiguration
  private let container: ModelContainer

  /// Opens the file, and creates or changes its tables as a ``ModelContainer`` does.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store, with a schema.
  ///   - migrationPlan: The plan that migrates an older file; nil for none.
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the configuration has no schema, and what the
  ///   initializer of ``ModelContainer`` throws.
  public convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The configuration \(configuration.name) has no schema.",
        hint: "Set it before you make the store.")
    }
    try self.init(configuration, schema, migrationPlan)
  }

  private init(
    _ configuration: ModelConfiguration, _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.schema = schema
    name = configuration.name
    container = try ModelContainer(for: schema, migrationPlan: migrationPlan, configurations: [configuration])
  }

  /// Identifies the store among all stores.
  public var identifier: String {
    container.stores[0].identifier.string
  }

  /// Deletes all rows, and the files of attributes with external storage.
  ///
  /// - Throws: The errors of ``ModelContainer/erase()``.
  public func erase() throws {
    try container.erase()
  }

  /// Does nothing, because the store keeps no state for a context.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing, because the store keeps no state for a context.
  public func invalidateState(for editingState: EditingState) {}

  /// Returns no snapshots, because the store keeps none in memory.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The identifiers of the models.
  ///   - editingState: Identifies the context.
  /// - Throws: Nothing.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    [:]
  }

  /// Returns the snapshots of the models that the descriptor selects.
  ///
  /// ``DataStoreFetchResult/relatedSnapshots`` has the models of the relationships that the descriptor names for
  /// prefetching.
  ///
  /// - Throws: The errors of ``ModelContext/fetch(_:)``, and an error of a read of a related model.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let context = context(for: request.editingState)
    let models = try context.fetch(request.descriptor)
    let runtime = ModelRuntime.of(T.self)
    var related: [PersistentIdentifier: DefaultSnapshot] = [:]
    for keyPath in request.descriptor.relationshipKeyPathsForPrefetching {
      guard let index = KeyPathResolution.propertyIndex(keyPath, runtime) else { continue }
      for model in models {
        for target in try runtime.properties[index].relationship?.targets(of: model) ?? []
        where related[target.anyIdentifier] == nil {
          related[target.anyIdentifier] = try snapshot(target, context)
        }
      }
    }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: try models.map { try snapshot($0, context) },
      relatedSnapshots: related)
  }

  /// Counts the models that the descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetchCount(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try context(for: request.editingState).fetchCount(request.descriptor)
  }

  /// Returns the identifiers of the models that the descriptor selects, in its order.
  ///
  /// - Throws: The errors of ``ModelContext/fetchIdentifiers(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try context(for: request.editingState).fetchIdentifiers(request.descriptor)
  }

  /// Deletes the models that the predicate selects, applies delete rules, and saves.
  ///
  /// - Throws: The errors of ``ModelContext/delete(model:where:includeSubclasses:)`` and ``ModelContext/save()``.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let context = context(for: request.editingState)
    try context.delete(model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    try context.save()
  }

  /// Writes the snapshots in one transaction.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` when there is no row for an updated or deleted snapshot or for
  ///   a related model, ``SwiftDataError/unknownSchema`` when the store's schema lacks the entity of an inserted one,
  ///   and the errors of ``ModelContext/save()``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let context = context(for: request.editingState)
    let models = try context.graph.exclusively { try apply(request, context) }
    let tokens = try context.graph.saveReturningTokens()
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = models[snapshot.persistentIdentifier]?.anyIdentifier
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, historyToken: tokens[identifier])
  }

  /// - Returns: The changed models, by the identifiers of their snapshots.
  private func apply(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ context: ModelContext
  ) throws -> [PersistentIdentifier: any PersistentModel] {
    var models: [PersistentIdentifier: any PersistentModel] = [:]
    for snapshot in request.inserted {
      models[snapshot.persistentIdentifier] = try make(snapshot)
    }
    for snapshot in request.updated + request.deleted {
      models[snapshot.persistentIdentifier] = try existing(snapshot.persistentIdentifier, context)
    }
    for snapshot in request.inserted {
      if let model = models[snapshot.persistentIdentifier] { context.graph.register(model) }
    }
    for snapshot in request.inserted + request.updated {
      guard let model = models[snapshot.persistentIdentifier] else { continue }
      try apply(snapshot, to: model) { identifier in
        if let model = models[identifier] { return model }
        let model = try existing(identifier, context)
        models[identifier] = model
        return model
      }
    }
    for snapshot in request.deleted {
      if let model = models[snapshot.persistentIdentifier] { context.graph.delete(cascadingFrom: model) }
    }
    return models
  }

  private func context(for editingState: EditingState) -> ModelContext {
    let context = ModelContext(container)
    context.author = editingState.author
    return context
  }

  private func snapshot(_ model: any PersistentModel, _ context: ModelContext) throws -> DefaultSnapshot {
    func make<Model: PersistentModel>(_ model: Model) -> DefaultSnapshot {
      DefaultSnapshot(ModelBackingData(of: model))
    }
    let snapshot = make(model)
    try context.graph.throwAccessFailure()
    if let failure = snapshot.failure { throw failure }
    return snapshot
  }

  private func existing(_ identifier: PersistentIdentifier, _ context: ModelContext) throws -> any PersistentModel {
    guard let type = schema.entitiesByName[identifier.entityName]?.modelType,
      let model = try context.graph.existingModel(for: identifier, as: type)
    else {
      throw SwiftDataError.modelValidationFailure.with(
        entity: identifier.entityName, message: "The store has no row \(identifier.debugDescription).",
        identifiers: [identifier])
    }
    return model
  }

  /// Makes a new model with the attributes of a snapshot.
  private func make(_ snapshot: DefaultSnapshot) throws -> any PersistentModel {
    let identifier = snapshot.persistentIdentifier
    guard let type = schema.entitiesByName[identifier.entityName]?.modelType else {
      throw SwiftDataError.unknownSchema.with(
        entity: identifier.entityName, message: "The store's schema has no entity \(identifier.entityName).",
        identifiers: [identifier])
    }
    let reader = SnapshotRowReader(SnapshotShape.of(type))
    // Relationships are set after all models are made.
    reader.begin(snapshot) { _ in 0 }
    let runtime = ModelRuntime.of(type)
    let model = runtime.type.init(_$origin: .nowhere, row: reader)
    if let failure = reader.failure { throw failure }
    for property in runtime.properties where property.relationship == nil && !property.isLoaded(model) {
      property.fillWithDefault(model)
    }
    return model
  }

  private func apply(
    _ snapshot: DefaultSnapshot, to model: any PersistentModel,
    _ resolve: (PersistentIdentifier) throws -> any PersistentModel
  ) throws {
    for property in SnapshotShape.of(type(of: model)).properties {
      switch (property.kind, snapshot.values[property.name]) {
      case (.attribute(let attribute), .some(let value)):
        property.property.assign(try value.modelValue(attribute), to: model)
      case (.toOne, .target(let target)):
        property.property.assign(try target.map(resolve), to: model)
      case (.toMany, .members(let members)):
        property.property.assign(try members.map(resolve), to: model)
      default:
        break
      }
    }
  }
}

extension DefaultStore: HistoryProviding {
  public typealias HistoryType = DefaultHistoryTransaction
  public typealias TokenType = DefaultHistoryToken

  /// ``DefaultHistoryTransaction``.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetchHistory(_:)``.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try ModelContext(container).fetchHistory(descriptor)
  }

  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/deleteHistory(_:)``.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try ModelContext(container).deleteHistory(descriptor)
  }
}
