extension ModelContainer {
  /// Values of the models that a fetch returns, now and after each commit that concerns them.
  ///
  /// ```swift
  /// for try await titles in container.values(of: FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), \.title) {
  ///   send(titles)
  /// }
  /// ```
  ///
  /// A commit concerns them if it changes, inserts or deletes a model of the class, or if it changes another model that the
  /// predicate or the order refers to. Values are computed on the threads of ``perform(_:)``, each time with a context of
  /// its own. An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - others: Further classes whose changes matter, if `value` reads related models.
  ///   - coalescing: The time to collect commits, after the first one, before a value is computed; none if it is
  ///     zero or less.
  ///   - value: Computes a value from a model.
  public func values<Model: PersistentModel, Value: Sendable>(
    of descriptor: FetchDescriptor<Model>, following others: [any PersistentModel.Type] = [],
    coalescing: Duration = .zero, _ value: @escaping @Sendable (Model) throws -> Value
  ) -> LiveValues<[Value]> {
    var concern = ResultsConcern(descriptor, schema)
    for type in [Model.self] + others { concern.addAll(of: type, schema) }
    return LiveValues(self, concern, coalescing) { { context in try context.fetch(descriptor).map(value) } }
  }

  /// A value that is computed with a context, such as a count, a sum or groups, now and after each commit that concerns it.
  ///
  /// ```swift
  /// for try await count in container.values(following: [Book.self], { try $0.fetchCount(FetchDescriptor<Book>()) }) {
  ///   show(count)
  /// }
  /// ```
  ///
  /// An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - types: The classes whose changes matter, with their subclasses.
  ///   - coalescing: The time to collect commits, after the first one, before a value is computed; none if it is
  ///     zero or less.
  ///   - value: Computes the value. The context and its models must not be used after it returns.
  public func values<Value: Sendable>(
    following types: [any PersistentModel.Type], coalescing: Duration = .zero,
    _ value: @escaping @Sendable (ModelContext) throws -> Value
  ) -> LiveValues<Value> {
    LiveValues(self, ResultsConcern(all: types, schema), coalescing) { value }
  }

  /// The changes of a fetch's results: first all results as insertions, and then a batch for each commit that changes the
  /// results or an attribute of a model among them.
  ///
  /// ```swift
  /// for try await changes in container.changes(of: FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), \.title) {
  ///   for change in changes { send(change) }
  /// }
  /// ```
  ///
  /// A batch has the removals, the insertions, the moves and the updates, in this order: see ``ResultsDifference``. Commits
  /// while the loop is busy come in one batch. Only changed models are read again, if the predicate and the order refer
  /// only to the models themselves. An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: Selects the models and their order.
  ///   - coalescing: The time to collect commits, after the first one, before a batch is made; none if it is zero
  ///     or less.
  ///   - value: Computes a value from a model. It is called on the threads of ``perform(_:)``.
  public func changes<Model: PersistentModel, Value: Sendable>(
    of descriptor: FetchDescriptor<Model>, coalescing: Duration = .zero,
    _ value: @escaping @Sendable (Model) throws -> Value
  ) -> LiveValues<[ResultsChange<Value>]> {
    var concern = ResultsConcern(descriptor, schema)
    concern.addAll(of: Model.self, schema)
    return LiveValues(self, concern, coalescing) {
      let source = ChangeSource(self, descriptor, value)
      return { _ in try source.next() }
    }
  }
}
