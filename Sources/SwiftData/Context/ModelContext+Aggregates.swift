import Foundation

extension ModelContext {
  /// One aggregate over the models that `descriptor` selects. ``fetchSum(of:matching:)-(KeyPath<T,Value>,_)`` and its kin
  /// say the same in a word.
  public func fetchAggregates<T: PersistentModel, Value>(
    _ aggregate: AggregateDescriptor<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value {
    let rows = try graph.rows(of: AggregateQuery(descriptor, columns: [aggregate.column]))
    return try AggregateCell.cast(rows.first?.cells.first ?? nil, to: Value.self)
  }

  /// Several aggregates over the models that `descriptor` selects, worked out together.
  ///
  /// ```swift
  /// let (total, last) = try context.fetchAggregates(.sum(of: \.amount), .maximum(of: \.date), matching: descriptor)
  /// ```
  ///
  /// The store answers with one statement and no model is made, unless the predicate or a value has no form in SQL, or
  /// unsaved changes bear on the answer: then the models are fetched and the same is done in memory.
  ///
  /// - Parameters:
  ///   - aggregate: What to work out.
  ///   - descriptor: Which models; with a limit, those that ``fetch(_:)`` would return.
  /// - Throws: ``SwiftDataError`` for a key path that leads to no persisted value, ``AggregateError`` for a sum of
  ///   integers that overflows, or the store's failure.
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
