public import Foundation

extension ResultsObserver where SectionTitle == Never {
  /// Fetches, and follows the results.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: The errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, modelContext, isolation)
  }

  /// Fetches, and follows the results.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: The errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext, isolation)
  }

  /// Fetches in a new context, and follows the results.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: The errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, ModelContext(modelContainer), isolation)
  }

  /// Fetches in a new context, and follows the results.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: The errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, ModelContext(modelContainer), isolation)
  }
}

extension ResultsObserver where SectionTitle == String {
  /// Fetches, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, ResultsSectioning(sectionBy), modelContext, isolation)
  }

  /// Fetches, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ResultsSectioning(sectionBy), modelContext, isolation)
  }

  /// Fetches in a new context, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, ResultsSectioning(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Fetches in a new context, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ResultsSectioning(sectionBy),
      ModelContext(modelContainer), isolation)
  }

  /// Fetches, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections; the title is "" for nil.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, ResultsSectioning(sectionBy), modelContext, isolation)
  }

  /// Fetches, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections; the title is "" for nil.
  ///   - modelContext: The context that fetches, whose unsaved changes count.
  ///   - isolation: The isolation of `modelContext`.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ResultsSectioning(sectionBy), modelContext, isolation)
  }

  /// Fetches in a new context, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: Selects the models and their order.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections; the title is "" for nil.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, ResultsSectioning(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Fetches in a new context, and follows the results, in sections.
  ///
  /// - Parameters:
  ///   - filterBy: The condition on the models; all models of the class if nil.
  ///   - sortBy: The order of the models; no particular order if nil.
  ///   - sectionBy: The key path of an attribute, whose values are the titles of the sections; the title is "" for nil.
  ///   - modelContainer: The container in which the observer makes a context.
  ///   - isolation: The isolation of the observer and its context.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if `sectionBy` does not name an attribute, and the errors of a fetch.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ResultsSectioning(sectionBy),
      ModelContext(modelContainer), isolation)
  }
}
