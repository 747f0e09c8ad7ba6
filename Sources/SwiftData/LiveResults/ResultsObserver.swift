public import Foundation
public import Observation

/// The results of a fetch that follow every change: unsaved ones of its context, and what other contexts, containers and
/// processes save.
///
/// ```swift
/// let observer = try ResultsObserver(
///   filterBy: #Predicate<Trip> { $0.isPlanned }, sortBy: [SortDescriptor(\.startDate)], modelContext: context)
/// withObservationTracking { show(observer.results) } onChange: { … }
/// ```
///
/// Whenever the results are read, they are what ``ModelContext/fetch(_:)`` would return then, without deleted models. An
/// observation of ``results`` is notified at most once a turn of the context's isolation, and only when the models or their
/// order have changed; the models notify of changes of their values. A change of an entity or a property that the fetch does
/// not depend on costs nothing.
///
/// The observer belongs to the isolation of its context. When that is the main actor, a model actor, or the actor on which
/// the observer was made, saves of other contexts update the results without a call. Without an isolation they do at the next
/// use of the context or the results.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable, LiveQuerySubscriber {
  /// The context whose models the results are. The observer keeps it.
  public let modelContext: ModelContext
  private let sectioning: ResultsSectioning<Element, SectionTitle>?
  private var query: LiveQuery<Element>
  /// Not retained, because an actor often holds its observers.
  private weak var isolation: (any Actor)?
  private let registrar = ObservationRegistrar()
  private var shownResults: FetchResultsCollection<Element>
  private var shownSections: SectionedResults<Element, SectionTitle>?

  /// How many models are read at once.
  private static var batchSize: Int { 64 }

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: ResultsSectioning<Element, SectionTitle>?,
    _ context: ModelContext, _ isolation: (any Actor)?
  ) throws {
    let descriptor = try sectioning?.sorted(descriptor) ?? descriptor
    let query = try LiveQuery(descriptor, context, in: isolation)
    modelContext = context
    self.sectioning = sectioning
    self.query = query
    self.isolation = isolation
    let results = Self.results(of: query, context)
    shownResults = results
    shownSections = Self.sections(of: results, sectioning)
    query.subscriber = self
  }

  // MARK: What is fetched

  /// The key path of the titles of sections; nil without sections.
  public var sectionBy: PartialKeyPath<Element>? { sectioning?.keyPath }

  /// The fetch, with the order by sections in front where there are sections.
  public var fetchDescriptor: FetchDescriptor<Element> {
    registrar.access(self, keyPath: \.fetchDescriptor)
    return query.descriptor
  }

  /// The condition that selects the models; all models when nil.
  ///
  /// Setting it fetches at once. When that fails, the results stay what they were, and the error is thrown by the next
  /// fetch or save of the context.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set {
      var descriptor = query.descriptor
      descriptor.predicate = newValue
      replaceQuery(by: descriptor)
    }
  }

  /// The order of the results. The section key path comes first, whether or not it is named here.
  ///
  /// Setting it fetches at once; see ``filterBy``.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set {
      var descriptor = query.descriptor
      descriptor.sortBy = newValue
      replaceQuery(by: descriptor)
    }
  }

  private func replaceQuery(by descriptor: FetchDescriptor<Element>) {
    let graph = modelContext.graph
    var replacement: LiveQuery<Element>?
    graph.attempt("fetching live results of \(Element.self)") {
      replacement = try LiveQuery(sectioning?.sorted(descriptor) ?? descriptor, modelContext, in: isolation)
    }
    guard let replacement else { return }
    registrar.withMutation(of: self, keyPath: \.fetchDescriptor) {
      query.subscriber = nil
      query = replacement
      query.subscriber = self
    }
    show()
  }

  // MARK: Results

  /// The models, which are read when they are accessed, a batch at a time.
  ///
  /// What is read here does not change: read it again after a change. A value that is set is shown until the next change.
  public var results: FetchResultsCollection<Element> {
    get {
      query.update()
      registrar.access(self, keyPath: \.results)
      return shownResults
    }
    set {
      registrar.withMutation(of: self, keyPath: \.results) { shownResults = newValue }
    }
  }

  /// The results in sections; nil without a section key path.
  ///
  /// The sections are in the order in which their titles appear in ``results``, and "" is the title of models whose section
  /// key is nil.
  public var sections: SectionedResults<Element, SectionTitle>? {
    get {
      query.update()
      registrar.access(self, keyPath: \.sections)
      return shownSections
    }
    set {
      registrar.withMutation(of: self, keyPath: \.sections) { shownSections = newValue }
    }
  }

  /// The model at a place: of a section and an item there, or of an item alone where there are no sections.
  ///
  /// - Returns: nil when there is no such place.
  public func element(at indexPath: IndexPath) -> Element? {
    if let sections {
      return indexPath.count == 2 ? sections.element(indexPath[1], inSection: indexPath[0]) : nil
    }
    let results = results
    guard indexPath.count == 1 || indexPath.count == 2 && indexPath[0] == 0, let item = indexPath.last,
      results.indices.contains(item)
    else { return nil }
    return results[item]
  }

  /// The place of a model among the results: its section, which is 0 without sections, and its item there. Takes time in
  /// proportion to the number of results.
  ///
  /// - Returns: nil when the model is not among the results.
  public func indexPath(for element: Element) -> IndexPath? {
    query.update()
    guard let position = query.rows.position(of: element) else { return nil }
    guard let sections else { return [0, position] }
    let (section, item) = sections.place(of: position)
    return [section, item]
  }

  /// Why the results could not be brought up to date; nil when they could.
  var failure: (any Error)? {
    query.update()
    return query.failure
  }

  // MARK: Following

  func resultsWereFound(hasOtherRows: Bool) {
    if hasOtherRows || sectioning != nil { show() }
  }

  private func show() {
    let results = Self.results(of: query, modelContext)
    let sections = Self.sections(of: results, sectioning)
    let areOthers = !results.areSame(as: shownResults, in: results.indices, and: shownResults.indices)
    let areOtherSections = sections != shownSections
    if areOthers { registrar.willSet(self, keyPath: \.results) }
    if areOtherSections { registrar.willSet(self, keyPath: \.sections) }
    (shownResults, shownSections) = (results, sections)
    if areOthers { registrar.didSet(self, keyPath: \.results) }
    if areOtherSections { registrar.didSet(self, keyPath: \.sections) }
  }

  private static func results(
    of query: LiveQuery<Element>, _ context: ModelContext
  ) -> FetchResultsCollection<Element> {
    let rows = query.rows
    return FetchResultsCollection(
      FetchedModels(
        rows.keys, unsaved: rows.unsaved, context, query.descriptor, batchSize: batchSize,
        keepsRead: true))
  }

  private static func sections(
    of results: FetchResultsCollection<Element>, _ sectioning: ResultsSectioning<Element, SectionTitle>?
  ) -> SectionedResults<Element, SectionTitle>? {
    sectioning.map { SectionedResults(results, titledBy: $0.title) }
  }
}

extension ResultsObserver: CustomDebugStringConvertible {
  public var debugDescription: String {
    "ResultsObserver<\(Element.self)>(\(shownResults.count) results)"
  }
}
