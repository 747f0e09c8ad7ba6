public import Foundation

// The overloads for one key and for one aggregate are needed: for a parameter pack with one element, the compiler does not
// convert the one-element tuple to the element inside a longer expression.

extension ModelContext {
  /// Groups the models that `descriptor` selects by a property, and computes an aggregate of each group.
  ///
  /// ```swift
  /// for (note, sum) in try context.fetchGroups(by: \.note, computing: .sum(of: \.amount), matching: descriptor)
  /// ```
  ///
  /// There is one group for each value of the property. If the key path names a relationship, the key of a group is a model
  /// of this context, and a second statement reads the models that the context does not have yet. Otherwise the cost is
  /// that of ``fetchAggregates(_:matching:)-27524``. Other forms of this method take several keys, several aggregates, or a
  /// ``GroupDescriptor`` for a key that a key path cannot express.
  ///
  /// - Parameters:
  ///   - keyPath: The property whose values are the keys of the groups.
  ///   - aggregate: The aggregate to compute for each group.
  ///   - descriptor: Selects the models; with a limit, the models that ``fetch(_:)`` would return.
  ///   - having: A condition on the aggregates of a group. Only groups that meet it are returned; all groups when nil.
  ///   - sortBy: The order of the groups. Groups that are equal in this order are in ascending order of their keys.
  ///   - limit: The largest number of groups to return; no limit when nil.
  ///   - offset: The number of groups to skip; none when nil.
  /// - Returns: The key and the aggregate of each group.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that does not lead to a single persisted value,
  ///   ``SwiftDataError/unsupportedSortDescriptor`` for a sort descriptor with a key that the groups do not have,
  ///   ``SwiftDataError/invalidFetchDescriptor`` for a negative limit or offset,
  ///   ``SwiftDataError/aggregateOverflow`` for a sum of integers that overflows, or an error of the store.
  public func fetchGroups<T: PersistentModel, Key: Hashable, Value>(
    by keyPath: KeyPath<T, Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, value: Value)] {
    try fetchGroups(
      by: GroupDescriptor.value(of: keyPath), computing: aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Groups the models that `descriptor` selects by a property, and computes several aggregates of each group.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, Key: Hashable, each Value>(
    by keyPath: KeyPath<T, Key>, computing aggregate: repeat AggregateDescriptor<T, each Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<repeat each Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, values: (repeat each Value))] {
    try fetchGroups(
      by: GroupDescriptor.value(of: keyPath), computing: repeat each aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Groups the models that `descriptor` selects by several properties, and computes an aggregate of each group.
  ///
  /// There is one group for each combination of their values. See the form of this method with one key path and one
  /// aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, each Key: Hashable, Value>(
    by keyPath: repeat KeyPath<T, each Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: (repeat each Key), value: Value)] {
    try fetchGroups(
      by: repeat GroupDescriptor.value(of: each keyPath), computing: aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Groups the models that `descriptor` selects by several properties, and computes several aggregates of each group.
  ///
  /// There is one group for each combination of their values. See the form of this method with one key path and one
  /// aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, each Key: Hashable, each Value>(
    by keyPath: repeat KeyPath<T, each Key>, computing aggregate: repeat AggregateDescriptor<T, each Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<repeat each Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: (repeat each Key), values: (repeat each Value))] {
    try fetchGroups(
      by: repeat GroupDescriptor.value(of: each keyPath), computing: repeat each aggregate, matching: descriptor,
      having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Groups the models that `descriptor` selects by a key, and computes an aggregate of each group.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, Key: Hashable, Value>(
    by key: GroupDescriptor<T, Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, value: Value)] {
    let query = try AggregateQuery(
      descriptor, keys: [key.operand], columns: [aggregate.column], having: having.map { GroupCondition($0) },
      sortBy: sortBy, limit: limit, offset: offset)
    return try graph.groups(of: query).map { row in
      var cells = row.cells[...]
      return (
        key: try AggregateCell.cast(cells.popFirst() ?? nil, to: Key.self),
        value: try AggregateCell.cast(cells.popFirst() ?? nil, to: Value.self)
      )
    }
  }

  /// Groups the models that `descriptor` selects by a key, and computes several aggregates of each group.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, Key: Hashable, each Value>(
    by key: GroupDescriptor<T, Key>, computing aggregate: repeat AggregateDescriptor<T, each Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<repeat each Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, values: (repeat each Value))] {
    var columns: [AggregateColumn] = []
    repeat columns.append((each aggregate).column)
    let query = try AggregateQuery(
      descriptor, keys: [key.operand], columns: columns, having: having.map { GroupCondition($0) },
      sortBy: sortBy, limit: limit, offset: offset)
    return try graph.groups(of: query).map { row in
      var cells = row.cells[...]
      return (
        key: try AggregateCell.cast(cells.popFirst() ?? nil, to: Key.self),
        values: (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Value).self))
      )
    }
  }

  /// Groups the models that `descriptor` selects by several keys, and computes an aggregate of each group.
  ///
  /// There is one group for each combination of their values. See the form of this method with one key path and one
  /// aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, each Key: Hashable, Value>(
    by key: repeat GroupDescriptor<T, each Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: (repeat each Key), value: Value)] {
    var keys: [AggregateOperand] = []
    repeat keys.append((each key).operand)
    let query = try AggregateQuery(
      descriptor, keys: keys, columns: [aggregate.column], having: having.map { GroupCondition($0) },
      sortBy: sortBy, limit: limit, offset: offset)
    return try graph.groups(of: query).map { row in
      var cells = row.cells[...]
      return (
        key: (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Key).self)),
        value: try AggregateCell.cast(cells.popFirst() ?? nil, to: Value.self)
      )
    }
  }

  /// Groups the models that `descriptor` selects by several keys, and computes several aggregates of each group.
  ///
  /// There is one group for each combination of their values. See the form of this method with one key path and one
  /// aggregate for its parameters, its cost and its errors.
  ///
  /// - Throws: What the form of this method with one key path and one aggregate throws.
  public func fetchGroups<T: PersistentModel, each Key: Hashable, each Value>(
    by key: repeat GroupDescriptor<T, each Key>, computing aggregate: repeat AggregateDescriptor<T, each Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<repeat each Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: (repeat each Key), values: (repeat each Value))] {
    var keys: [AggregateOperand] = []
    repeat keys.append((each key).operand)
    var columns: [AggregateColumn] = []
    repeat columns.append((each aggregate).column)
    let query = try AggregateQuery(
      descriptor, keys: keys, columns: columns, having: having.map { GroupCondition($0) },
      sortBy: sortBy, limit: limit, offset: offset)
    return try graph.groups(of: query).map { row in
      var cells = row.cells[...]
      return (
        key: (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Key).self)),
        values: (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Value).self))
      )
    }
  }
}
