public import Foundation

// One aggregate over all models that a descriptor selects: `fetchAggregates` with a name of its own for each.

extension ModelContext {
  /// The number of different values that a property has in the models that `descriptor` selects, nil not counted.
  public func fetchDistinctCount<T: PersistentModel, Value: Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Int {
    try fetchAggregates(.distinctCount(of: keyPath), matching: descriptor)
  }

  /// The number of different values that an expression has for the models that `descriptor` selects, nil not counted.
  public func fetchDistinctCount<T: PersistentModel, Value: Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Int {
    try fetchAggregates(.distinctCount(of: expression), matching: descriptor)
  }

  /// The sum of a property over the models that `descriptor` selects: zero when there are none.
  ///
  /// - Throws: ``AggregateError`` when a sum of integers overflows; what ``fetchAggregates(_:matching:)`` throws besides.
  public func fetchSum<T: PersistentModel, Value: SummableValue>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Sum {
    try fetchAggregates(.sum(of: keyPath), matching: descriptor)
  }

  /// The sum of an expression over the models that `descriptor` selects: zero when there are none.
  ///
  /// - Throws: ``AggregateError`` when a sum of integers overflows; what ``fetchAggregates(_:matching:)`` throws besides.
  public func fetchSum<T: PersistentModel, Value: SummableValue>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Sum {
    try fetchAggregates(.sum(of: expression), matching: descriptor)
  }

  /// The mean of a property over the models that `descriptor` selects: nil when none has a value.
  public func fetchAverage<T: PersistentModel, Value: AverageableValue>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Average? {
    try fetchAggregates(.average(of: keyPath), matching: descriptor)
  }

  /// The mean of an expression over the models that `descriptor` selects: nil when none has a value.
  public func fetchAverage<T: PersistentModel, Value: AverageableValue>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Average? {
    try fetchAggregates(.average(of: expression), matching: descriptor)
  }

  /// The smallest value of a property in the models that `descriptor` selects: nil when there is none.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: keyPath), matching: descriptor)
  }

  /// The smallest value of an optional property in the models that `descriptor` selects: nil when there is none.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: keyPath), matching: descriptor)
  }

  /// The smallest value of an expression for the models that `descriptor` selects: nil when there is none.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: expression), matching: descriptor)
  }

  /// The smallest value of an optional expression for the models that `descriptor` selects: nil when there is none.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: expression), matching: descriptor)
  }

  /// The largest value of a property in the models that `descriptor` selects: nil when there is none.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: keyPath), matching: descriptor)
  }

  /// The largest value of an optional property in the models that `descriptor` selects: nil when there is none.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: keyPath), matching: descriptor)
  }

  /// The largest value of an expression for the models that `descriptor` selects: nil when there is none.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: expression), matching: descriptor)
  }

  /// The largest value of an optional expression for the models that `descriptor` selects: nil when there is none.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: expression), matching: descriptor)
  }
}
