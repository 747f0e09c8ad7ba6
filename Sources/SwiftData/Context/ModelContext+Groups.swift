public import Foundation

// Overloads for one key and one aggregate are not only for the reader's comfort: where a tuple has one element only because
// a parameter pack has, the compiler does not see through it within a longer expression.

extension ModelContext {
  /// Aggregates over groups of the models that `descriptor` selects: one group for each value that a property has.
  ///
  /// ```swift
  /// for (note, sum) in try context.fetchGroups(by: \.note, computing: .sum(of: \.amount), matching: descriptor)
  /// ```
  ///
  /// A key path may lead to a model, whose object is then the key and is read with a second statement. The cost is that
  /// of ``fetchAggregates(_:matching:)`` otherwise. Other forms of this method take several keys, several aggregates, and
  /// descriptors of keys that key paths cannot say.
  ///
  /// - Parameters:
  ///   - keyPath: What the groups go by.
  ///   - aggregate: What to work out for each group.
  ///   - descriptor: Which models; with a limit, those that ``fetch(_:)`` would return.
  ///   - having: Which groups to return, by their aggregates.
  ///   - sortBy: The order of the groups. Ties, and groups without any order, come in the order of their keys.
  ///   - limit: The largest number of groups; no limit when nil.
  ///   - offset: The number of groups to pass over.
  /// - Returns: The key of each group, and its aggregate.
  /// - Throws: ``SwiftDataError`` for a key path that leads to no persisted value and for an order by what is no key,
  ///   ``AggregateError`` for a negative limit and for a sum of integers that overflows, or the store's failure.
  public func fetchGroups<T: PersistentModel, Key: Hashable, Value>(
    by keyPath: KeyPath<T, Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, value: Value)] {
    try fetchGroups(
      by: GroupDescriptor.value(of: keyPath), computing: aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Several aggregates over groups of the models that `descriptor` selects: one group for each value that a property has.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
  public func fetchGroups<T: PersistentModel, Key: Hashable, each Value>(
    by keyPath: KeyPath<T, Key>, computing aggregate: repeat AggregateDescriptor<T, each Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<repeat each Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: Key, values: (repeat each Value))] {
    try fetchGroups(
      by: GroupDescriptor.value(of: keyPath), computing: repeat each aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// An aggregate over groups of the models that `descriptor` selects: one group for each combination of values that several properties have.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
  public func fetchGroups<T: PersistentModel, each Key: Hashable, Value>(
    by keyPath: repeat KeyPath<T, each Key>, computing aggregate: AggregateDescriptor<T, Value>,
    matching descriptor: FetchDescriptor<T> = FetchDescriptor(), having: Predicate<Value>? = nil,
    sortBy: [GroupSortDescriptor<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(key: (repeat each Key), value: Value)] {
    try fetchGroups(
      by: repeat GroupDescriptor.value(of: each keyPath), computing: aggregate, matching: descriptor, having: having,
      sortBy: sortBy, limit: limit, offset: offset)
  }

  /// Several aggregates over groups of the models that `descriptor` selects: one group for each combination of values that several properties have.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
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

  /// An aggregate over groups of the models that `descriptor` selects: one group for each value of a key.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
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

  /// Several aggregates over groups of the models that `descriptor` selects: one group for each value of a key.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
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

  /// An aggregate over groups of the models that `descriptor` selects: one group for each combination of several keys.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
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

  /// Several aggregates over groups of the models that `descriptor` selects: one group for each combination of several keys.
  ///
  /// See the form of this method with one key path and one aggregate for its parameters and its cost.
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
