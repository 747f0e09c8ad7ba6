extension ModelContext {
  /// The models that `descriptor` selects.
  ///
  /// A row that this context has registered comes back as the object that stands for it; its values are those of the row
  /// now, except for properties with pending changes. Unless the descriptor says otherwise, pending insertions, changes
  /// and deletions count as if they were saved.
  ///
  /// - Throws: ``SwiftDataError`` for what cannot be asked, or the store's failure.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try graph.alone { try graph.fetch(descriptor) }
  }

  /// The number of models that ``fetch(_:)`` would return. No model is made for it.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try graph.alone { try graph.fetchCount(descriptor) }
  }

  /// The identifiers of the models that ``fetch(_:)`` would return, in its order. No model is made for it unless changes
  /// are pending.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try graph.alone { try graph.fetchIdentifiers(descriptor) }
  }

  /// The model with the given identifier.
  ///
  /// It is never nil, as Apple has it: for a row that does not exist the model is one whose properties have default
  /// values, and for an entity that the container does not know one without properties, of no class of yours. Nothing is
  /// read before a property is.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    graph.alone { graph.model(for: persistentModelID) }
  }

  /// The model with the given identifier when this context has it already.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    graph.alone { graph.registered(persistentModelID) as? T }
  }
}
