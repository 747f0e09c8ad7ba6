public import SwiftData
public import Testing

extension ModelContext {
  /// Makes lazy loads record an issue for as long as the context exists.
  ///
  /// A lazy load is a read of a row or of a relationship that happens because code touches a property of a model. The
  /// issue has the property, and the line that touches it where the program has debug information; otherwise it has the
  /// line that calls this method. Reads of fetches, with the relationships that
  /// `FetchDescriptor.relationshipKeyPathsForPrefetching` names, are no lazy loads, and neither are models and
  /// relationships that are in memory.
  ///
  /// ```swift
  /// let context = ModelContext(container)
  /// context.failOnLazyLoading()
  /// ```
  ///
  /// An issue costs some milliseconds, because its line is looked up.
  ///
  /// - Parameters:
  ///   - allowsBatches: Whether a read is allowed that serves two or more models that were fetched together. When it is
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

  /// Runs a closure, during which lazy loads of the context record an issue.
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
  ///   - allowsBatches: Whether a read is allowed that serves two or more models that were fetched together.
  ///   - sourceLocation: The line of an issue when the line of the access is unknown.
  ///   - body: Uses models of the context.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withStrictLoading<Result>(
    allowingBatches allowsBatches: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let handler = lazyLoadHandler
    defer { lazyLoadHandler = handler }
    failOnLazyLoading(allowingBatches: allowsBatches, sourceLocation: sourceLocation)
    return try body()
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
