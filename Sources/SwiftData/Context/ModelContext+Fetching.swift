import Foundation

extension ModelContext {
  /// The models that `descriptor` selects.
  ///
  /// A row that this context has registered comes back as the object that stands for it; its values are those of the row
  /// now, except for properties with pending changes. Unless the descriptor says otherwise, pending insertions, changes
  /// and deletions count as if they were saved.
  ///
  /// - Throws: ``SwiftDataError`` for what cannot be asked, or the store's failure.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try prepareToRead()
    let binding = try requireBinding(for: T.self)
    let models = try withOverlay(descriptor, binding) { overlay in
      guard let overlay else { return try rows(descriptor, FetchRestriction(), binding) }
      return try overlay.apply(to: rows(descriptor, overlay.restriction, binding))
    }
    try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
    return models
  }

  /// The number of models that ``fetch(_:)`` would return. No model is made for it.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try prepareToRead()
    let binding = try requireBinding(for: T.self)
    return try withOverlay(descriptor, binding) { overlay in
      guard let overlay else { return try binding.session.fetchCount(descriptor) }
      return try overlay.apply(to: rows(descriptor, overlay.restriction, binding)).count
    }
  }

  /// The identifiers of the models that ``fetch(_:)`` would return, in its order. No model is made for it unless changes
  /// are pending.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try prepareToRead()
    let binding = try requireBinding(for: T.self)
    return try withOverlay(descriptor, binding) { overlay in
      if let overlay {
        return try overlay.apply(to: rows(descriptor, overlay.restriction, binding)).map(\.anyIdentifier)
      }
      return try binding.session.fetchKeys(descriptor, FetchRestriction()).map { row in
        PersistentIdentifier(
          store: binding.store, entity: bindingsByOrdinal[row.entity].runtime.entityName, key: row.key)
      }
    }
  }

  /// Runs `body`, which asks the store and lays the overlay over the answer when there is one. A store that refuses a
  /// part of the descriptor is asked again without it.
  private func withOverlay<T: PersistentModel, Answer>(
    _ descriptor: FetchDescriptor<T>, _ binding: EntityBinding, _ body: (PendingOverlay<T>?) throws -> Answer
  ) throws -> Answer {
    var residue = try binding.session.residue(of: descriptor)
    while true {
      if !allowsInMemoryEvaluation { try refuse(residue, descriptor, binding) }
      do {
        return try body(PendingOverlay(self, binding, descriptor, residue: residue))
      } catch let refusal as DataStoreError {
        guard residue.take(refusal) else { throw refusal }
      }
    }
  }

  private func refuse<T: PersistentModel>(
    _ residue: FetchResidue, _ descriptor: FetchDescriptor<T>, _ binding: EntityBinding
  ) throws {
    if residue.filters {
      let reason = residue.untranslated
      throw SwiftDataError.unsupportedPredicate.with(
        entity: binding.entity.name, property: reason?.keyPath,
        message: "The store cannot evaluate \(reason.map { "\($0.part), because \($0.reason)" } ?? "the predicate").",
        hint: "Allow the context to evaluate in memory, or write the predicate in another way.")
    }
    if residue.sorts {
      throw SwiftDataError.unsupportedSortDescriptor.with(
        entity: binding.entity.name, property: residue.unsorted?.keyPath,
        message:
          "The store cannot sort as the descriptors say\(residue.unsorted.map { ", because \($0.reason)" } ?? "").",
        hint: "Allow the context to evaluate in memory, or sort by stored properties.")
    }
  }

  private func prepareToRead() throws {
    processInbox()
    try throwAccessFailure()
  }

  private func rows<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ restriction: FetchRestriction, _ binding: EntityBinding
  ) throws -> [T] {
    // Collected as plain objects: an array of `T` is slow to append to where `T` is not known at compile time.
    var objects: [AnyObject] = []
    let group = FetchGroup(map: binding.map)
    let ordinal = binding.ordinal
    try binding.session.fetch(descriptor, restriction) { row, reader in
      let model =
        row.entity == ordinal ? receive(row.key, binding, reader, group) : receive(row, reader, group)
      objects.append(model)
    }
    // The entity's rows become models of its class, and arrays of objects look alike whatever their class.
    return unsafeBitCast(objects, to: [T].self)
  }

  private func prefetch<T: PersistentModel>(
    _ keyPaths: [PartialKeyPath<T>], of models: [T], _ binding: EntityBinding
  ) throws {
    for keyPath in keyPaths {
      guard let index = KeyPathResolution.propertyIndex(keyPath, binding.runtime),
        let property = binding.runtime.properties[index].relationship
      else {
        throw SwiftDataError.unsupportedKeyPath.with(
          entity: binding.entity.name, property: "\(keyPath)",
          message: "Only relationships can be prefetched, and \(keyPath) is none.")
      }
      for model in models where model._$withState({ $0.key > 0 }) && !property.isLoaded(model) {
        fulfill(model, property)
      }
      try throwAccessFailure()
    }
  }

  // MARK: Models by identifier

  /// The model with the given identifier.
  ///
  /// It is never nil, as Apple has it: for a row that does not exist the model is one whose properties have default
  /// values, and for an entity that the container does not know one without properties, of no class of yours. Nothing is
  /// read before a property is.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    if let model = registered(persistentModelID) { return model }
    let binding = bindingsByOrdinal.first { $0.runtime.entityName == persistentModelID.id.entity }
    if let binding, binding.store == persistentModelID.id.store, persistentModelID.id.key > 0 {
      return fault(persistentModelID.id.key, binding)
    }
    return binding?.runtime.type.makePlaceholder() ?? UnknownModel.makePlaceholder()
  }

  /// The model with the given identifier when this context has it already.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    registered(persistentModelID) as? T
  }

  /// The model with the given identifier, read from the store when this context does not have it; nil when there is none.
  func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier, as type: T.Type) throws -> T? {
    if let model = registered(identifier) { return model as? T }
    let key = identifier.id.key
    guard key > 0,
      let binding = bindingsByOrdinal.first(where: {
        $0.runtime.entityName == identifier.id.entity && $0.store == identifier.id.store
      })
    else { return nil }
    var found: (any PersistentModel)?
    try binding.session.rows(of: binding.entity.rootEntity, keys: [key]) { row, reader in
      found = receive(row, reader, nil)
    }
    return found as? T
  }

  private func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    let key = identifier.id.key
    if key < 0 { return inserted.models.first { $0._$withState { $0.key } == key } }
    return bindingsByOrdinal.first {
      $0.runtime.entityName == identifier.id.entity && $0.store == identifier.id.store
    }?.map.model(key)
  }
}
