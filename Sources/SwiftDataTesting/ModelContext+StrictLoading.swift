public import SwiftData
public import Testing

extension ModelContext {
  /// Makes lazy loads record an issue for as long as the context exists.
  ///
  /// A lazy load is a read of a row or of a relationship because code accesses a property of a model. The issue names the
  /// property, and the line of the access if the program has debug information, or else the line that calls this method.
  /// A fetch, with the relationships of `FetchDescriptor.relationshipKeyPathsForPrefetching`, is not a lazy load, and
  /// neither is an access to models and relationships that are in memory.
  ///
  /// ```swift
  /// let context = ModelContext(container)
  /// context.failOnLazyLoading()
  /// ```
  ///
  /// An issue is recorded only while a test of Swift Testing runs, and costs some milliseconds, to find its line.
  ///
  /// - Parameters:
  ///   - allowsBatches: Whether a batch fault is allowed: one read for two or more models that were fetched together. When
  ///     false, each lazy load records an issue.
  ///   - sourceLocation: The line of an issue when the line of the access is unknown.
  public func failOnLazyLoading(
    allowingBatches allowsBatches: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    lazyLoadHandler = { load in
      if allowsBatches, load.modelCount > 1 { return }
      Issue.record(Comment(rawValue: load.complaint), sourceLocation: .ofModelAccess ?? sourceLocation)
    }
  }

  /// Runs a closure in which lazy loads of the context record an issue.
  ///
  /// ```swift
  /// try context.withStrictLoading {
  ///   try ShelfList(context).rows()
  /// }
  /// ```
  ///
  /// See ``failOnLazyLoading(allowingBatches:sourceLocation:)`` for what a lazy load is.
  ///
  /// - Parameters:
  ///   - allowsBatches: Whether a batch fault is allowed: one read for two or more models that were fetched together.
  ///   - sourceLocation: The line of an issue when the line of the access is unknown.
  ///   - body: Uses models of the context.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  public func withStrictLoading<Result>(
    allowingBatches allowsBatches: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let handler = lazyLoadHandler
    defer { lazyLoadHandler = handler }
    failOnLazyLoading(allowingBatches: allowsBatches, sourceLocation: sourceLocation)
    return try body()
  }

  /// Runs an asynchronous closure in which lazy loads of the context record an issue.
  ///
  /// See ``failOnLazyLoading(allowingBatches:sourceLocation:)`` for what a lazy load is. The context is strict for all code
  /// that uses it until the closure ends.
  ///
  /// - Parameters:
  ///   - allowsBatches: Whether a batch fault is allowed: one read for two or more models that were fetched together.
  ///   - sourceLocation: The line of an issue when the line of the access is unknown.
  ///   - isolation: The isolation of the caller and of the context, in which the closure runs.
  ///   - body: Uses models of the context.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  public func withStrictLoading<Result>(
    allowingBatches allowsBatches: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let handler = lazyLoadHandler
    defer { lazyLoadHandler = handler }
    failOnLazyLoading(allowingBatches: allowsBatches, sourceLocation: sourceLocation)
    return try await body()
  }
}

extension ModelContext.LazyLoad {
  fileprivate var complaint: String {
    let property = "\(persistentModelID.entityName).\(propertyName)"
    let scope = modelCount == 1 ? "one model" : "\(modelCount) models"
    return isRelationship
      ? "\(property) is loaded lazily, for \(scope). Name it in relationshipKeyPathsForPrefetching of the fetch."
      : "The row with \(property) is loaded lazily, for \(scope). Fetch the model, or prefetch the relationship to it."
  }
}
