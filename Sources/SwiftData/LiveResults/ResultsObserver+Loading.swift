extension ResultsObserver where SectionTitle == Never {
  /// Fetches on another thread, so that a first fetch of many rows does not block the isolation, and follows the results.
  ///
  /// The results are the same as with the initializer with the same arguments. If the context has unsaved changes, or if
  /// changes are made while the rows are fetched, they are fetched in the isolation instead. An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: The errors of a fetch, and `CancellationError`.
  public static func load(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ResultsObserver {
    let rows = try await LiveQueries.load(fetchDescriptor, modelContext, isolation: isolation)
    return try ResultsObserver(fetchDescriptor, nil, modelContext, isolation, rows: rows)
  }
}

extension ResultsObserver where SectionTitle == String {
  /// Fetches on another thread, in sections by an attribute, whose values are their titles.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public static func load(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ResultsObserver {
    try await load(fetchDescriptor, ResultsSectioning(sectionBy), modelContext, isolation: isolation)
  }

  /// Fetches on another thread, in sections by an optional attribute; "" is the title of the models without a value.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public static func load(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> ResultsObserver {
    try await load(fetchDescriptor, ResultsSectioning(sectionBy), modelContext, isolation: isolation)
  }

  private static func load(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: ResultsSectioning<Element, String>, _ context: ModelContext,
    isolation: isolated (any Actor)?
  ) async throws -> ResultsObserver {
    let rows = try await LiveQueries.load(try sectioning.sorted(descriptor), context, isolation: isolation)
    return try ResultsObserver(descriptor, sectioning, context, isolation, rows: rows)
  }
}

/// Records whether a change concerns the rows of a fetch on another thread.
final class LoadingRows: AnyLiveQuery {
  /// Whether a change that concerns the rows was recorded.
  private(set) var isOutdated = false

  override func follow(_ changed: ChangedRows.Group) -> Outcome {
    isOutdated = true
    return .unchanged
  }

  override func refetch(after changes: ChangedRows?) -> Bool {
    isOutdated = true
    return true
  }

  override func publish() {}
}

extension LiveQueries {
  /// Fetches the rows of a descriptor on another thread.
  ///
  /// - Returns: Nil if a query has to fetch the rows itself.
  static func load<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ context: ModelContext, isolation: isolated (any Actor)?
  ) async throws -> ResultRows<Model>? {
    let graph = context.graph
    let queries = of(graph, in: ResultsIsolation(isolation, graph))
    let concern = ResultsConcern(descriptor, graph.core.schema)
    if graph.hasChanges || concern.isOfSaved || concern.isUnknown { return nil }
    let rows = LoadingRows(LiveQueryFilter(concern))
    // Before the fetch, so that no change is missed.
    queries.attach(rows)
    let request = LiveQuery.request(for: descriptor)
    let keys = try await context.container.perform { context in
      let graph = context.graph
      return try graph.exclusively {
        try graph.prepareToRead(request)
        return try graph.savedRowKeys(request)
      }
    }
    queries.update()
    return rows.isOutdated || graph.hasChanges ? nil : ResultRows(keys: keys)
  }
}
