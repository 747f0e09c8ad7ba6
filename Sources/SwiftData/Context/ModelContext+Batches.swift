extension ModelContext {
  /// The models that `descriptor` selects, of which no more than a few batches are in memory at a time.
  ///
  /// The fetch itself reads the keys of the rows; those of more than 16,384 rows lie in a temporary file. Models are read when the collection is asked for
  /// them, with the properties and the relationships that the descriptor names.
  ///
  /// - Parameter batchSize: How many models are read at once; at least one.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when the descriptor includes pending changes and
  ///   there are some, ``SwiftDataError/invalidFetchDescriptor``, and what ``fetch(_:)`` throws.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let rows = try graph.alone { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedModels(rows, self, descriptor, batchSize: batchSize))
  }

  /// The identifiers of the models that `descriptor` selects. Those of more than 16,384 models lie in a temporary file.
  ///
  /// - Throws: As ``fetch(_:batchSize:)`` does.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    let rows = try graph.alone { try graph.savedRows(descriptor, batchSize) }
    return FetchResultsCollection(FetchedIdentifiers(rows, self, try graph.requireBinding(for: T.self)))
  }

  /// Calls `block` for each model that `descriptor` selects, with one batch of them in memory at a time.
  ///
  /// Models that nobody holds go away with their batch, unless they have unsaved changes: those stay until they are saved,
  /// which is why a block has to save or to leave models as they are. Memory does not grow with the number of models;
  /// when the descriptor asks for an order, a temporary file does. It does where a part of the predicate or of the order
  /// has to be evaluated in memory. Rows that are inserted by the block and saved are not
  /// visited, and rows deleted meanwhile are passed over.
  ///
  /// - Parameters:
  ///   - fetch: Which models, in which order.
  ///   - batchSize: How many models are read at once; at least one.
  ///   - allowEscapingMutations: Whether unsaved changes may remain after a batch, or be there at the beginning. If so
  ///     and they count for the descriptor, all of its models are in memory at once.
  ///   - block: What to do with each model. What it throws ends the enumeration.
  /// - Throws: ``SwiftDataError/escapingMutations`` after a batch that left unsaved changes, or at once when there are
  ///   some, ``SwiftDataError/invalidFetchDescriptor``, and what `block` and ``fetch(_:)`` throw.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    try graph.alone {
      try graph.enumerate(fetch, batchSize: batchSize, allowEscapingMutations: allowEscapingMutations, block: block)
    }
  }
}
