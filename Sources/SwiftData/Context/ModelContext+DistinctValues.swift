public import Foundation

extension ModelContext {
  /// Fetches the distinct values of a property over the models that `descriptor` selects.
  ///
  /// ```swift
  /// let cities = try context.fetchDistinct(of: \Trip.destination)
  /// ```
  ///
  /// An addition of OpenSwiftData. The result has the keys of grouping by the property: each value once, with nil if a
  /// model has no value, and with texts that are equal in Swift as one value. If the key path names a relationship, the
  /// values are models. The order and the cost are those of `fetchGroups`.
  ///
  /// - Parameters:
  ///   - keyPath: The property. Values of a struct that is stored in several columns are compared in memory.
  ///   - descriptor: Selects the models; with a limit, the models that ``fetch(_:)`` would return.
  ///   - order: The order of the values: `.forward` puts the smallest first, and nil before it.
  ///   - limit: The largest number of values to return; no limit when nil.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that does not lead to a single persisted value,
  ///   ``SwiftDataError/invalidFetchDescriptor`` for a negative limit, or an error of the store.
  public func fetchDistinct<T: PersistentModel, Value: Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor(),
    order: SortOrder = .forward, limit: Int? = nil
  ) throws -> [Value] {
    let key = GroupDescriptor.value(of: keyPath)
    let query = try AggregateQuery(
      descriptor, keys: [key.operand], columns: [], sortBy: [GroupSortDescriptor(key, order: order)], limit: limit)
    return try graph.groups(of: query).map { try AggregateCell.cast($0.cells.first ?? nil, to: Value.self) }
  }
}
