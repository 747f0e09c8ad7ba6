extension ModelContext {
  /// Describes how ``fetch(_:)`` would execute a descriptor, without fetching: the SQL, whether an index serves it, and
  /// what the context does in memory.
  ///
  /// ```swift
  /// print(try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" })))
  /// ```
  ///
  /// An addition of OpenSwiftData. The explanation describes the fetch's first statement. Relationships that the descriptor
  /// prefetches take further statements. The plan depends on the database: on its version, and on its statistics about the
  /// values in a table.
  ///
  /// - Throws: What ``fetch(_:)`` would throw before it reads the first row.
  public func explain<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchExplanation {
    try graph.exclusively { try graph.explain(descriptor) }
  }
}
