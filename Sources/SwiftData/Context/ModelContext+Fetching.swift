extension ModelContext {
  /// Fetches the models that `descriptor` selects.
  ///
  /// When the context already has an object for a row, the result contains that object. It gets the current values of
  /// the row, except in properties with unsaved changes. Unsaved insertions, changes and deletions count as if they
  /// were saved, unless ``FetchDescriptor/includePendingChanges`` is false.
  ///
  /// - Throws: ``SwiftDataError/unsupportedPredicate``, ``SwiftDataError/unsupportedSortDescriptor`` or
  ///   ``SwiftDataError/unsupportedKeyPath`` if a part of the descriptor cannot be evaluated,
  ///   ``SwiftDataError/invalidFetchDescriptor`` for a negative limit or offset, ``SwiftDataError/unknownSchema`` if the
  ///   container does not know the model, or an error of the store. The error may be that of an earlier read that could
  ///   not throw, such as the read of a property.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try graph.exclusively { try graph.fetch(descriptor) }
  }

  /// Counts the models that ``fetch(_:)`` would return.
  ///
  /// The store counts the rows and no models are made. Models are fetched only when unsaved changes may affect the
  /// result, or when a part of the predicate or of the order has to be evaluated in memory.
  ///
  /// - Throws: What ``fetch(_:)`` throws.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try graph.exclusively { try graph.fetchCount(descriptor) }
  }

  /// Fetches the identifiers of the models that ``fetch(_:)`` would return, in the same order.
  ///
  /// Models are made only when unsaved changes may affect the result, or when a part of the predicate or of the order
  /// has to be evaluated in memory.
  ///
  /// - Throws: What ``fetch(_:)`` throws.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    try graph.exclusively { try graph.fetchIdentifiers(descriptor) }
  }

  /// The model with the given identifier.
  ///
  /// As in Apple's framework, the result is never nil. For a row that does not exist, it is a model whose properties
  /// have default values. For an entity that is not in the container's schema, it is a model without properties, of a class
  /// of the library.
  ///
  /// The row is usually read when a property is accessed for the first time. It is read at once when the model's class
  /// inherits from another model or has subclasses, or when the class has constant properties.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    graph.exclusively { graph.model(for: persistentModelID) }
  }

  /// The model with the given identifier, if this context has it in memory already.
  ///
  /// - Returns: Nil if the context does not have the model, or if the model is not of type `T`.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    graph.exclusively { graph.registered(persistentModelID) as? T }
  }
}
