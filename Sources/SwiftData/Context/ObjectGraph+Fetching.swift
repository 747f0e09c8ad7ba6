import Foundation

extension ObjectGraph {
  func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    let models = try withOverlay(descriptor, binding) { overlay in
      guard let overlay else { return try rows(descriptor, FetchRestriction(), binding) }
      return try completed(overlay, descriptor, binding)
    }
    try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
    return models
  }

  func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    return try withOverlay(descriptor, binding) { overlay in
      guard let overlay else { return try binding.session.fetchCount(descriptor) }
      return try completed(overlay, descriptor, binding).count
    }
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    return try withOverlay(descriptor, binding) { overlay in
      if let overlay {
        return try completed(overlay, descriptor, binding).map(\.anyIdentifier)
      }
      var identifiers: [PersistentIdentifier] = []
      try binding.session.fetchKeys(descriptor) { identifiers.append(identifier(of: $0)) }
      return identifiers
    }
  }

  func identifier(of row: RowKey) -> PersistentIdentifier {
    let binding = bindingsByOrdinal[row.entity]
    return PersistentIdentifier(store: binding.store, entity: binding.runtime.entityName, key: row.key)
  }

  /// The models that a store's answer comes to with an overlay.
  func completed<T: PersistentModel>(
    _ overlay: PendingOverlay<T>, _ descriptor: FetchDescriptor<T>, _ binding: EntityBinding
  ) throws -> [T] {
    guard hasChanges, !descriptor.includePendingChanges else {
      return try overlay.apply(to: rows(descriptor, overlay.restriction, binding))
    }
    // Values that were changed and do not count must not be seen: another context has the saved ones.
    let rows = try ModelContext(container).graph.savedRows(descriptor)
    let found = try models(rows.rows(at: 0..<rows.count), descriptor)
    try throwAccessFailure()
    return found
  }

  /// Runs `body`, which asks the store and lays the overlay over the answer when there is one. A store that refuses a
  /// part of the descriptor is asked again without it.
  func withOverlay<T: PersistentModel, Answer>(
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

  /// Checks a descriptor, and takes in what others saved.
  func prepareToRead<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
    for (name, value) in [("fetchLimit", descriptor.fetchLimit), ("fetchOffset", descriptor.fetchOffset)] {
      guard let value, value < 0 else { continue }
      throw SwiftDataError.invalidFetchDescriptor.with(
        entity: "\(T.self)", message: "The \(name) is \(value), which is less than nothing.")
    }
    let binding = try requireBinding(for: T.self)
    _ = try PropertySelection(descriptor, binding.runtime)
    for keyPath in descriptor.relationshipKeyPathsForPrefetching { _ = try relationships(on: keyPath, binding) }
    processInbox()
    try throwAccessFailure()
  }

  func rows<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ restriction: FetchRestriction, _ binding: EntityBinding
  ) throws -> [T] {
    // Collected as plain objects: an array of `T` is slow to append to where `T` is not known at compile time.
    var objects: [AnyObject] = []
    let group = FetchGroup(map: binding.map)
    let ordinal = binding.ordinal
    let map = binding.map
    let skipped = descriptor.includePendingChanges && !deletedRows.isEmpty ? deletedRows.rows(of: map) : [:]
    try binding.session.fetch(descriptor, restriction) { row, reader in
      if !skipped.isEmpty, skipped[row.key] != nil { return }
      guard row.entity == ordinal else { return objects.append(receive(row, reader, group)) }
      let page = map.page(for: row.key)
      if let model = page.model(row.key) {
        update(model, from: reader, group)
        objects.append(consume model)
      } else {
        objects.append(make(T.self, row.key, binding, page, reader, group))
      }
    }
    // The entity's rows become models of its class, and arrays of objects look alike whatever their class.
    return unsafeBitCast(objects, to: [T].self)
  }

  // MARK: Models by identifier

  func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    let (store, entity, key) = (persistentModelID.id.store, persistentModelID.id.entity, persistentModelID.id.key)
    if key < 0, let model = registered(persistentModelID) { return model }
    let binding = bindingsByOrdinal.first { $0.runtime.entityName == entity }
    if let binding, binding.store == store, key > 0 { return fault(key, binding) }
    return binding?.runtime.type.makePlaceholder() ?? UnknownModel.makePlaceholder()
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
    try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
      found = receive(row, reader, nil)
    }
    return found as? T
  }

  func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    let key = identifier.id.key
    if key < 0 { return inserted.models.first { $0._$withState { $0.key } == key } }
    return bindingsByOrdinal.first {
      $0.runtime.entityName == identifier.id.entity && $0.store == identifier.id.store
    }?.map.model(key)
  }
}
