/// Models that a property shows, as they are now: what the macro ``Query()`` keeps beside it.
///
/// ```swift
/// final class Shelf {
///   @Query(filter: #Predicate<Book> { $0.isRead }, sort: \.title) var read: [Book]
/// }
/// let shelf = withModelContainer(container) { Shelf() }
/// ```
///
/// The property is called `read`, and the query `_read`: it has the sections and the error of the fetch, and can be set to
/// another query, as in an initializer: `_read = Query(sort: \.date)`.
///
/// Models that the context deletes stay in the query until the context is saved or the turn of its isolation ends, where it
/// has one, so that `for index in offsets { context.delete(items[index]) }` deletes the right ones.
///
/// A query fetches when it is read for the first time, and follows changes then as a ``ResultsObserver`` does. Reading it
/// where `withObservationTracking` or `Observations` look is observed. Its context is one that an initializer is given, or
/// that of the container of ``withModelContainer(_:_:)`` in which the query was made: the main context where the query is
/// first used on the main thread, and one of the query's own elsewhere. Without either there are no models, and an inserted
/// one cannot be saved.
///
/// In contrast to Apple's, which is a part of SwiftUI and belongs to the main actor, it is for any type, and belongs to the
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

  /// The models, or these in sections.
  public var wrappedValue: Result { result(state) }

  /// The same, read in the isolation of the property's owner. Called by the macro.
  public func _result(in isolation: (any Actor)?) -> Result {
    state.recordIsolation(isolation)
    return result(state)
  }

  /// Why the models could not be fetched; nil when they could.
  public var fetchError: (any Error)? { state.failure }

  /// The context whose models the query shows.
  public var modelContext: ModelContext { state.context }

  /// The models in sections; none without a section key path.
  public var sections: SectionedResults<Element, String> { state.sections }

  /// Brings the results up to date. Reading them does so as well.
  public nonisolated func update() { state.update() }
}

// A query belongs to the isolation that uses it first, like its context. Apple's is `Sendable` because it belongs to the
// main actor, and code that says so compiles here.
extension Query: @unchecked Sendable {}

/// What a query has found.
final class QueryState<Element: PersistentModel> {
  private let descriptor: FetchDescriptor<Element>
  private let sectioning: ResultsSectioning<Element, String>?
  /// What the context is made from at the first use, when it is known which isolation that is.
  private let container: ModelContainer?
  private(set) lazy var context = AmbientContainer.makeContext(of: container)
  private weak var isolation: (any Actor)?
  private var known: ResultsObserver<Element, String>?
  private var firstFailure: (any Error)?
  /// The models of the results that were read last.
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

  /// Fetches, the first time; nil when that fails.
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

  /// Whether the results that were read last are shown, whatever has changed. See ``LiveQueries/hasFreshDeletions``.
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

  /// Reads all models by one statement. Later most of them are in memory.
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
