import Foundation

extension ModelContext {
  /// Computes one aggregate over the models that `descriptor` selects.
  ///
  /// ```swift
  /// let total = try context.fetchAggregates(.sum(of: \.amount), matching: descriptor)
  /// ```
  ///
  /// For the cost and the errors see the form of this method with several aggregates.
  ///
  /// - Throws: The errors of the form of this method with several aggregates.
  public func fetchAggregates<T: PersistentModel, Value>(
    _ aggregate: AggregateDescriptor<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value {
    let rows = try graph.rows(of: AggregateQuery(descriptor, columns: [aggregate.column]))
    return try AggregateCell.cast(rows.first?.cells.first ?? nil, to: Value.self)
  }

  /// Computes several aggregates over the models that `descriptor` selects.
  ///
  /// ```swift
  /// let (total, last) = try context.fetchAggregates(.sum(of: \.amount), .maximum(of: \.date), matching: descriptor)
  /// ```
  ///
  /// The store computes all of them with one statement, and no models are made. The context fetches the models and
  /// computes the aggregates in memory when the predicate or a value cannot be translated to SQL, when unsaved changes
  /// affect the result, or when the store is a custom one.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregates to compute.
  ///   - descriptor: Selects the models; with a limit, the models that ``fetch(_:)`` would return.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that does not lead to a single persisted value,
  ///   ``SwiftDataError/aggregateOverflow`` for a sum of integers that overflows, or an error of the store.
  public func fetchAggregates<T: PersistentModel, each Value>(
    _ aggregate: repeat AggregateDescriptor<T, each Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> (repeat each Value) {
    var columns: [AggregateColumn] = []
    repeat columns.append((each aggregate).column)
    let rows = try graph.rows(of: try AggregateQuery(descriptor, columns: columns))
    var cells = (rows.first?.cells ?? [])[...]
    return (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Value).self))
  }
}
