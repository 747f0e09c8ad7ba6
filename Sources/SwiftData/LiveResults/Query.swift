/// Models that a property shows, always up to date: the storage of the macro ``Query()``.
///
/// ```swift
/// final class Shelf {
///   @Query(filter: #Predicate<Book> { $0.isRead }, sort: \.title) var read: [Book]
/// }
/// let shelf = withModelContainer(container) { Shelf() }
/// ```
///
/// The property is called `read`, and the query `_read`: it has the sections and the error of the fetch. An initializer can
/// set another query: `_read = Query(sort: \.date)`.
///
/// Models that the context deletes stay in the query until the context is saved or the turn of its isolation ends, so that
/// `for index in offsets { context.delete(items[index]) }` deletes the right ones.
///
/// A query fetches when it is read for the first time, and then follows changes as a ``ResultsObserver`` does. Reads inside
/// `withObservationTracking` or `Observations` are observed. Its context is the one that is passed to an initializer.
/// Otherwise the query uses the container of ``withModelContainer(_:_:)`` in which it was made: with the main context if it
/// is first used on the main thread, and with a context of its own elsewhere. Without either there are no models, and an
/// inserted one cannot be saved.
///
/// Apple's query is a part of SwiftUI and belongs to the main actor. This one can be used in any type, and belongs to the
/// isolation that uses it.
public struct Query<Element: PersistentModel, Result> {
  private let state: QueryState<Element>
  private let result: (QueryState<Element>) -> Result

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: ResultsSectioning<Element, String>?, _ context: ModelContext?,
    _ result: @escaping (QueryState<Element>) -> Result
  ) {
    state = QueryState(descriptor, sectioning, context)
    self.result = result
  }

  /// The models, or the models in sections.
  public var wrappedValue: Result { result(state) }

  /// `wrappedValue`, read in the isolation of the property's owner. Called by the macro.
  public func _result(in isolation: (any Actor)?) -> Result {
    state.recordIsolation(isolation)
    return result(state)
  }

  /// Why the models could not be fetched; nil if the fetch succeeded.
  public var fetchError: (any Error)? { state.failure }

  /// The context whose models the query shows.
  public var modelContext: ModelContext { state.context }

  /// The models in sections; none without a section key path.
  public var sections: SectionedResults<Element, String> { state.sections }

  /// Updates the results. Reading them does so too.
  public nonisolated func update() { state.update() }
}

// A query belongs to the isolation that uses it first, like its context. Apple's is `Sendable` because it belongs to the
// main actor; with this conformance, code that depends on it compiles.
extension Query: @unchecked Sendable {}

/// The state and the results of a query.
final class QueryState<Element: PersistentModel> {
  private let descriptor: FetchDescriptor<Element>
  private let sectioning: ResultsSectioning<Element, String>?
  /// The container for making the context at the first use, when the isolation is known.
  private let container: ModelContainer?
  private(set) lazy var context = AmbientContainer.makeContext(of: container)
  private weak var isolation: (any Actor)?
  private var known: ResultsObserver<Element, String>?
  private var firstFailure: (any Error)?
  /// The last results that were read, with their models.
  private var read: (results: FetchResultsCollection<Element>, models: [Element])?
  private var readSections: SectionedResults<Element, String>?

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: ResultsSectioning<Element, String>?, _ context: ModelContext?
  ) {
    self.descriptor = descriptor
    self.sectioning = sectioning
    container = context == nil ? AmbientContainer.current : nil
    if let context { self.context = context }
  }

  func recordIsolation(_ isolation: (any Actor)?) {
    if known == nil { self.isolation = isolation }
  }

  /// Made by the first fetch; nil if it fails.
  private var observer: ResultsObserver<Element, String>? {
    if let known { return known }
    do {
      known = try ResultsObserver(descriptor, sectioning, context, isolation)
      firstFailure = nil
    } catch {
      if firstFailure == nil { Log.store.error("A query of \(Element.self) cannot fetch: \(error)") }
      firstFailure = error
    }
    return known
  }

  var failure: (any Error)? {
    guard let observer else { return firstFailure }
    return observer.failure
  }

  /// Whether the last results are shown, ignoring changes. See ``LiveQueries/hasFreshDeletions``.
  private var isHeld: Bool {
    (context.graph.changeObserver as? LiveQueries)?.hasFreshDeletions == true
  }

  var models: [Element] {
    guard let observer else { return [] }
    if let read, isHeld {
      observer.recordAccess()
      return read.models
    }
    let results = observer.results
    if let read, read.results.isSame(as: results) { return read.models }
    let models = withExtendedLifetime(read == nil ? readAll(observer) : []) { Array(results) }
    read = (results, models)
    return models
  }

  /// Reads all models with one statement. Later most of them are in memory.
  private func readAll(_ observer: ResultsObserver<Element, String>) -> [Element] {
    let graph = context.graph
    var models: [Element] = []
    graph.exclusively {
      _ = graph.attempt("reading live results of \(Element.self)") {
        models = try graph.fetch(observer.fetchDescriptor)
      }
    }
    return models
  }

  var sections: SectionedResults<Element, String> {
    if let readSections, isHeld {
      observer?.recordAccess()
      return readSections
    }
    let sections = observer?.sections ?? SectionedResults(grouping: []) { _ in "" }
    readSections = sections
    return sections
  }

  func update() {
    _ = observer?.results
  }
}
