public import Foundation

// One aggregate over all models that a descriptor selects: `fetchAggregates` with a name of its own for each.

extension ModelContext {
  /// Counts the different values of a property over the models that `descriptor` selects, without nil.
  public func fetchDistinctCount<T: PersistentModel, Value: Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Int {
    try fetchAggregates(.distinctCount(of: keyPath), matching: descriptor)
  }

  /// Counts the different values of an expression over the models that `descriptor` selects, without nil.
  public func fetchDistinctCount<T: PersistentModel, Value: Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Int {
    try fetchAggregates(.distinctCount(of: expression), matching: descriptor)
  }

  /// Computes the sum of a property over the models that `descriptor` selects; zero when no model has a value.
  ///
  /// - Throws: ``AggregateError`` when a sum of integers overflows, and what ``fetchAggregates(_:matching:)`` throws.
  public func fetchSum<T: PersistentModel, Value: SummableValue>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Sum {
    try fetchAggregates(.sum(of: keyPath), matching: descriptor)
  }

  /// Computes the sum of an expression over the models that `descriptor` selects; zero when no model has a value.
  ///
  /// - Throws: ``AggregateError`` when a sum of integers overflows, and what ``fetchAggregates(_:matching:)`` throws.
  public func fetchSum<T: PersistentModel, Value: SummableValue>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Sum {
    try fetchAggregates(.sum(of: expression), matching: descriptor)
  }

  /// Computes the mean of a property over the models that `descriptor` selects; nil when no model has a value.
  public func fetchAverage<T: PersistentModel, Value: AverageableValue>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Average? {
    try fetchAggregates(.average(of: keyPath), matching: descriptor)
  }

  /// Computes the mean of an expression over the models that `descriptor` selects; nil when no model has a value.
  public func fetchAverage<T: PersistentModel, Value: AverageableValue>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value.Average? {
    try fetchAggregates(.average(of: expression), matching: descriptor)
  }

  /// Finds the smallest value of a property over the models that `descriptor` selects; nil when no model has a value.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: keyPath), matching: descriptor)
  }

  /// Finds the smallest value of an optional property over the models that `descriptor` selects; nil when no model has
  /// a value.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: keyPath), matching: descriptor)
  }

  /// Finds the smallest value of an expression over the models that `descriptor` selects; nil when no model has a
  /// value.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: expression), matching: descriptor)
  }

  /// Finds the smallest value of an optional expression over the models that `descriptor` selects; nil when no model
  /// has a value.
  public func fetchMinimum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.minimum(of: expression), matching: descriptor)
  }

  /// Finds the largest value of a property over the models that `descriptor` selects; nil when no model has a value.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: keyPath), matching: descriptor)
  }

  /// Finds the largest value of an optional property over the models that `descriptor` selects; nil when no model has a
  /// value.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of keyPath: KeyPath<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: keyPath), matching: descriptor)
  }

  /// Finds the largest value of an expression over the models that `descriptor` selects; nil when no model has a value.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: expression), matching: descriptor)
  }

  /// Finds the largest value of an optional expression over the models that `descriptor` selects; nil when no model has
  /// a value.
  public func fetchMaximum<T: PersistentModel, Value: Comparable & Hashable>(
    of expression: Expression<T, Value?>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value? {
    try fetchAggregates(.maximum(of: expression), matching: descriptor)
  }
}
