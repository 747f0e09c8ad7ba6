public import Foundation
public import Observation

/// The results of a fetch, which follow each change: unsaved changes of its context, and saves of other contexts,
/// containers and processes.
///
/// ```swift
/// let observer = try ResultsObserver(
///   filterBy: #Predicate<Trip> { $0.isPlanned }, sortBy: [SortDescriptor(\.startDate)], modelContext: context)
/// withObservationTracking { show(observer.results) } onChange: { … }
/// ```
///
/// Whenever the results are read, they equal the result of ``ModelContext/fetch(_:)`` at that time, without deleted models.
/// An observation of ``results`` is notified at most once per turn of the context's isolation, and only if the models or
/// their order have changed; the models notify of changes of their values. A change of an entity or a property that the
/// fetch does not depend on costs nothing.
///
/// The observer belongs to the isolation of its context. If that is the main actor, a model actor, or the actor on which
/// the observer was made, saves of other contexts update the results without a call. Without an isolation they do so at the
/// next use of the context or the results.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable, LiveQuerySubscriber {
  /// The context of the result models. The observer retains it.
  public let modelContext: ModelContext
  private let sectioning: ResultsSectioning<Element, SectionTitle>?
  private var descriptor: FetchDescriptor<Element>
  private var query: LiveQuery<Element>
  /// Not retained, because an actor often retains its observers.
  private weak var isolation: (any Actor)?
  private var followers: [Follower] = []
  private var followsAllProperties = false
  private let registrar = ObservationRegistrar()
  private var shownResults: FetchResultsCollection<Element>
  private var shownSections: SectionedResults<Element, SectionTitle>?

  /// The number of models that are read at once.
  private static var batchSize: Int { 64 }

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: ResultsSectioning<Element, SectionTitle>?,
    _ context: ModelContext, _ isolation: (any Actor)?, rows: ResultRows<Element>? = nil
  ) throws {
    let descriptor = try sectioning?.sorted(descriptor) ?? descriptor
    let query = try LiveQueries.query(descriptor, context, in: isolation, rows: rows)
    modelContext = context
    self.sectioning = sectioning
    self.query = query
    self.descriptor = descriptor
    self.isolation = isolation
    let results = Self.results(of: query, descriptor, context)
    shownResults = results
    shownSections = Self.sections(of: results, sectioning)
    query.add(self)
  }

  // MARK: The fetch

  /// The key path of the titles of sections; nil without sections.
  public var sectionBy: PartialKeyPath<Element>? { sectioning?.keyPath }

  /// The fetch. With sections, its order begins with the order of the sections.
  public var fetchDescriptor: FetchDescriptor<Element> {
    registrar.access(ObservedResults.all, keyPath: \.fetchDescriptor)
    return descriptor
  }

  /// The predicate that selects the models; all models if nil.
  ///
  /// Setting it fetches at once. If that fails, the results are unchanged, and the next fetch or save of the context throws
  /// the error.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set {
      var descriptor = descriptor
      descriptor.predicate = newValue
      replaceQuery(by: descriptor)
    }
  }

  /// The order of the results. The section key path comes first, whether or not the value has it.
  ///
  /// Setting it fetches at once; see ``filterBy``.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set {
      var descriptor = descriptor
      descriptor.sortBy = newValue
      replaceQuery(by: descriptor)
    }
  }

  private func replaceQuery(by descriptor: FetchDescriptor<Element>) {
    var replacement: (descriptor: FetchDescriptor<Element>, query: LiveQuery<Element>)?
    modelContext.graph.attempt("fetching live results of \(Element.self)") {
      let descriptor = try sectioning?.sorted(descriptor) ?? descriptor
      replacement = (descriptor, try makeQuery(descriptor))
    }
    guard let (descriptor, query) = replacement else { return }
    registrar.withMutation(of: ObservedResults.all, keyPath: \.fetchDescriptor) {
      self.query.remove(self)
      (self.descriptor, self.query) = (descriptor, query)
      query.add(self)
    }
    show(hasOtherRows: true)
    for follower in followers { follower.follower?.restart() }
  }

  private func makeQuery(
    _ descriptor: FetchDescriptor<Element>, rows: ResultRows<Element>? = nil
  ) throws -> LiveQuery<Element> {
    try LiveQueries.query(
      descriptor, modelContext, in: isolation, followsAllProperties: followsAllProperties, rows: rows)
  }

  // MARK: Results

  /// The models, which are read in batches when they are accessed.
  ///
  /// The returned collection does not change: read the property again after a change. A value that is set is shown until
  /// the next change.
  public var results: FetchResultsCollection<Element> {
    get {
      query.update()
      registrar.access(ObservedResults.all, keyPath: \.results)
      return shownResults
    }
    set {
      registrar.withMutation(of: ObservedResults.all, keyPath: \.results) { shownResults = newValue }
    }
  }

  /// The results in sections; nil without a section key path.
  ///
  /// The sections are in the order in which their titles appear in ``results``, and "" is the title of models whose section
  /// key is nil.
  public var sections: SectionedResults<Element, SectionTitle>? {
    get {
      query.update()
      registrar.access(ObservedResults.all, keyPath: \.sections)
      return shownSections
    }
    set {
      registrar.withMutation(of: ObservedResults.all, keyPath: \.sections) { shownSections = newValue }
    }
  }

  /// The model at an index path of a section and an item in it.
  ///
  /// - Returns: Nil if the index path is out of bounds, and without sections, as Apple documents it.
  public func element(at indexPath: IndexPath) -> Element? {
    guard let sections, indexPath.count == 2 else { return nil }
    return sections.element(indexPath[1], inSection: indexPath[0])
  }

  /// The index path of a model: its section, and its item there. Takes time in proportion to the number of results.
  ///
  /// - Returns: Nil if the model is not among the results, and without sections, as Apple documents it.
  public func indexPath(for element: Element) -> IndexPath? {
    query.update()
    guard let sections, let position = query.position(of: element) else { return nil }
    let (section, item) = sections.indexPath(of: position)
    return [section, item]
  }

  /// The error of the last update; nil if it succeeded.
  var failure: (any Error)? {
    query.update()
    return query.failure
  }

  // MARK: Changes

  private struct Follower {
    weak var follower: (any ResultsFollower)?
  }

  func resultsHaveChanged(_ change: LiveQueryChange) {
    if change.hasOtherRows || sectioning != nil { show(hasOtherRows: change.hasOtherRows) }
    for follower in followers { follower.follower?.resultsHaveChanged(change) }
  }

  func add(_ follower: any ResultsFollower) {
    followers.removeAll { $0.follower == nil }
    followers.append(Follower(follower: follower))
  }

  /// Notifies followers also of changes of all properties of the models from now on.
  func followAllProperties() {
    if followsAllProperties { return }
    followsAllProperties = true
    modelContext.graph.attempt("fetching live results of \(Element.self)") {
      query.update()
      let replacement = try makeQuery(descriptor, rows: query.failure == nil ? query.rows : nil)
      query.remove(self)
      query = replacement
      query.add(self)
    }
  }

  /// Updates the results.
  func update() {
    query.update()
  }

  /// Lets an observation of the current code be notified of the next change of the results.
  func recordAccess() {
    registrar.access(ObservedResults.all, keyPath: \.results)
    registrar.access(ObservedResults.all, keyPath: \.sections)
  }

  /// The rows of the results.
  var rows: OrderedRows { query.shown }

  /// The results for followers, without registering an observation.
  var currentResults: FetchResultsCollection<Element> { shownResults }

  /// The isolation of updates that are not requested by a read.
  var isolationOfUpdates: ResultsIsolation? { ResultsIsolation(isolation, modelContext.graph) }

  private func show(hasOtherRows: Bool) {
    let results = Self.results(of: query, descriptor, modelContext)
    let sections = Self.sections(of: results, sectioning)
    let hasOtherSections = sectioning != nil && (hasOtherRows || sections?.hasSameBounds(as: shownSections) != true)
    if hasOtherRows { registrar.willSet(ObservedResults.all, keyPath: \.results) }
    if hasOtherSections { registrar.willSet(ObservedResults.all, keyPath: \.sections) }
    (shownResults, shownSections) = (results, sections)
    if hasOtherRows { registrar.didSet(ObservedResults.all, keyPath: \.results) }
    if hasOtherSections { registrar.didSet(ObservedResults.all, keyPath: \.sections) }
  }

  private static func results(
    of query: LiveQuery<Element>, _ descriptor: FetchDescriptor<Element>, _ context: ModelContext
  ) -> FetchResultsCollection<Element> {
    FetchResultsCollection(
      FetchedModels(
        query.shown, unsaved: query.unsaved, context, descriptor, batchSize: batchSize, keepsRead: true))
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

/// The object that the registrars of all observers use as the observed object. For a generic class, Swift makes a new key
/// path at each use, which takes longer than the rest of an access.
private final class ObservedResults: Observable, Sendable {
  static let all = ObservedResults()

  var fetchDescriptor: Void { () }
  var results: Void { () }
  var sections: Void { () }
}
