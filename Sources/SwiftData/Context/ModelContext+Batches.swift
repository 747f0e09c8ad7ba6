public import Foundation

extension ModelContext {
  /// Sets properties of all rows that a predicate selects, at once in the store: unlike
  /// ``delete(model:where:includeSubclasses:)``, it does not wait for ``save()``.
  ///
  /// No models are made of the rows. The update is a transaction of its own, as if another context had saved it, and
  /// ``rollback()`` does not undo it.
  ///
  /// ```swift
  /// let count = try context.update(Item.self, where: #Predicate { $0.price > 100 }) {
  ///   $0.set(\.isOnSale, to: true)
  ///   $0.set(\.price, to: #Expression<Item, Double> { $0.price * 0.9 })
  /// }
  /// ```
  ///
  /// An addition of OpenSwiftData. The update uses the values in the store. Unsaved changes of this context are ignored, stay
  /// unsaved, and overwrite the update, property by property, when they are saved. Inserted models that are not saved yet are
  /// not affected. Models in memory, of this context and of others, are refreshed as after another context's save.
  ///
  /// ``willSave`` is posted before, and ``didSave`` with the identifiers of all rows afterwards, unless there were none.
  /// That takes time and memory in proportion to their number, which is little compared with writing them.
  ///
  /// One statement finds the rows and another one changes them. With expressions, a third one checks whether the properties
  /// can have the values of the expressions; rows are written one by one if an expression reads other rows of the same
  /// table, or if rows exchange unique values. Rows are found in memory if a part of the predicate has to be evaluated
  /// there.
  ///
  /// All properties that are stored in the row can be set to a value. Relationships and properties with external storage
  /// cannot. An expression can set properties of the types that SQL computes with: numbers other than `UInt` and `UInt64`,
  /// Booleans, text and copies of other properties.
  ///
  /// - Parameters:
  ///   - model: The type of the models. Models of its subclasses are updated as well.
  ///   - predicate: Selects the models; all of the type if nil.
  ///   - changes: Sets properties, with the methods of ``BatchUpdate``.
  /// - Returns: The number of rows; zero if no property is set.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a property that cannot be set in this way,
  ///   ``SwiftDataError/unsupportedPredicate`` for an expression that the store cannot evaluate, or whose value a
  ///   property cannot have because an integer overflows, ``SwiftDataError/modelValidationFailure`` when unique values
  ///   would occur twice or the store is read-only, ``DataStoreError/unsupportedFeature`` for a custom store, what
  ///   `changes` throws, or an error of the store. When it throws, nothing was changed.
  @discardableResult
  public func update<T: PersistentModel>(
    _ model: T.Type, where predicate: Predicate<T>? = nil, _ changes: (inout BatchUpdate<T>) throws -> Void
  ) throws -> Int {
    var update = BatchUpdate<T>()
    try changes(&update)
    let rowUpdate = try update.rowUpdate()
    return try graph.update(rowUpdate, of: model, where: predicate)
  }

  /// Fetches the models that `descriptor` selects as a collection that reads them in batches.
  ///
  /// The fetch itself reads only the keys of the rows, unless a part of the predicate or of the order has to be evaluated
  /// in memory. Up to 16,384 keys are kept in memory, and more of them in a temporary file. The collection reads a batch of
  /// models when one of them is accessed, with the properties and relationships that the descriptor names, and retains the
  /// last two batches.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models.
  ///   - batchSize: The number of models that are read at once; at least 1.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when the descriptor includes pending changes and
  ///   the context has unsaved changes, ``SwiftDataError/invalidFetchDescriptor`` when `batchSize` is less than one,
  ///   and what ``fetch(_:)`` throws.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let rows = try graph.exclusively { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedModels(rows, self, descriptor, batchSize: batchSize))
  }

  /// Fetches the identifiers of the models that `descriptor` selects.
  ///
  /// Up to 16,384 of them are kept in memory, and more of them in a temporary file. `batchSize` must be at least 1 and has
  /// no other effect.
  ///
  /// - Throws: What ``fetch(_:batchSize:)`` throws.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let rows = try graph.exclusively { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedIdentifiers(rows, self, try graph.requireBinding(for: T.self)))
  }

  /// Calls `block` for each model that `descriptor` selects, with one batch of models in memory at a time.
  ///
  /// After each batch its models are released, unless other code retains them or they have unsaved changes. A model with
  /// unsaved changes stays in memory until it is saved. A block that changes models therefore has to save them before the
  /// batch ends, unless `allowEscapingMutations` is true.
  ///
  /// The memory that is used does not grow with the number of models. When the descriptor has a sort order, the keys of
  /// more than 16,384 rows are kept in a temporary file. Memory use does grow when a part of the predicate or of the
  /// order has to be evaluated in memory. Rows that the block inserts and saves are not visited, and rows that are
  /// deleted in the meantime are skipped.
  ///
  /// - Parameters:
  ///   - fetch: Selects the models and their order.
  ///   - batchSize: The number of models that are read at once; at least 1.
  ///   - allowEscapingMutations: Whether there may be unsaved changes at the beginning and after a batch. When it is
  ///     true, the descriptor includes pending changes, and there are some at the beginning, all models are in memory
  ///     at once.
  ///   - block: Called for each model. An error that it throws ends the enumeration.
  /// - Throws: ``SwiftDataError/escapingMutations`` when there are unsaved changes that are not allowed,
  ///   ``SwiftDataError/invalidFetchDescriptor`` when `batchSize` is less than one, and what `block` and ``fetch(_:)``
  ///   throw.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    try graph.exclusively {
      try graph.enumerate(fetch, batchSize: batchSize, allowEscapingMutations: allowEscapingMutations, block: block)
    }
  }

  /// All committed models of a class and its subclasses, for a caller that visits them in pages.
  func savedPages<T: PersistentModel>(of type: T.Type) throws -> ModelPages<T>.OfAll {
    try ModelPages.OfAll(graph)
  }
}
