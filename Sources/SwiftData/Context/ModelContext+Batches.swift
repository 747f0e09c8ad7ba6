extension ModelContext {
  /// Fetches the models that `descriptor` selects as a collection that reads them in batches.
  ///
  /// The fetch itself reads only the keys of the rows, unless a part of the predicate or of the order has to be
  /// evaluated in memory. Up to 16,384 keys are kept in memory, and more of them in a temporary file. The collection
  /// reads a batch of models when one of them is accessed, with the properties and relationships that the descriptor
  /// names, and holds the last two batches.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models.
  ///   - batchSize: How many models are read at once; at least one.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when the descriptor includes pending changes and
  ///   the context has unsaved changes, ``SwiftDataError/invalidFetchDescriptor`` when `batchSize` is less than one,
  ///   and what ``fetch(_:)`` throws.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let rows = try graph.alone { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedModels(rows, self, descriptor, batchSize: batchSize))
  }

  /// Fetches the identifiers of the models that `descriptor` selects.
  ///
  /// Up to 16,384 of them are kept in memory, and more of them in a temporary file. `batchSize` has no effect beyond
  /// that it must be at least one.
  ///
  /// - Throws: What ``fetch(_:batchSize:)`` throws.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let rows = try graph.alone { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedIdentifiers(rows, self, try graph.requireBinding(for: T.self)))
  }

  /// Calls `block` for each model that `descriptor` selects, with one batch of models in memory at a time.
  ///
  /// After each batch its models are released, unless other code refers to them or they have unsaved changes. A model
  /// with unsaved changes stays in memory until it is saved. A block that changes models therefore has to save them
  /// before the batch ends, unless `allowEscapingMutations` is true.
  ///
  /// The memory that is used does not grow with the number of models. When the descriptor has a sort order, the keys of
  /// more than 16,384 rows are kept in a temporary file. Memory use does grow when a part of the predicate or of the
  /// order has to be evaluated in memory. Rows that the block inserts and saves are not visited, and rows that are
  /// deleted in the meantime are skipped.
  ///
  /// - Parameters:
  ///   - fetch: Selects the models and their order.
  ///   - batchSize: How many models are read at once; at least one.
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
    try graph.alone {
      try graph.enumerate(fetch, batchSize: batchSize, allowEscapingMutations: allowEscapingMutations, block: block)
    }
  }
}
