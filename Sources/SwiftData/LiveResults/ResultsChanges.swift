/// One of the changes that turn results into those after a commit.
public enum ResultsChange<Value: Sendable>: Sendable {
  /// A model is gone from a position in the former results.
  case removed(PersistentIdentifier, from: Int)
  /// A model has come to a position in the new results.
  case inserted(PersistentIdentifier, Value, at: Int)
  /// A model has moved from a position in the former results to one in the new results.
  case moved(PersistentIdentifier, from: Int, to: Int)
  /// A model at a position in the new results has other values.
  case updated(PersistentIdentifier, Value, at: Int)
}

extension ResultsChange: Equatable where Value: Equatable {}

/// What changes in the results of a fetch, in one batch a commit; see ``ModelContainer/changes(of:coalescing:_:)``.
///
/// The first batch inserts all results. Each further one comes when a commit, by whichever context or process, has changed
/// the results or an attribute of a model among them, and has the removals, the insertions, the moves and the updates, in
/// this order: see ``ResultsDifference``. Commits during which the loop is busy come in one batch. The sequence ends when the
/// task of the loop is cancelled, and throws what fetching or making a value throws.
public struct ResultsChanges<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = [ResultsChange<Value>]

  private let makeIterator: @Sendable () -> Iterator

  init<Model: PersistentModel>(
    _ container: ModelContainer, _ descriptor: FetchDescriptor<Model>, _ coalescing: Duration,
    _ value: @escaping @Sendable (Model) throws -> Value
  ) {
    makeIterator = {
      var concern = ResultsConcern(descriptor, container.schema)
      concern.addAll(of: Model.self, container.schema)
      let source = ChangeSource(container, descriptor, value)
      return Iterator(
        container: container, signal: CommitSignal(container.core, concern), coalescing: coalescing, next: source.next)
    }
  }

  public func makeAsyncIterator() -> Iterator { makeIterator() }

  public struct Iterator: AsyncIteratorProtocol {
    private let container: ModelContainer
    private let coalescing: Duration
    private let next: @Sendable () throws -> Element
    private var commits: AsyncStream<Void>.Iterator
    private let signal: CommitSignal
    private var isFirst = true

    fileprivate init(
      container: ModelContainer, signal: CommitSignal, coalescing: Duration,
      next: @escaping @Sendable () throws -> Element
    ) {
      self.container = container
      self.signal = signal
      self.coalescing = coalescing
      self.next = next
      commits = signal.commits.makeAsyncIterator()
    }

    public mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      do {
        while true {
          let isFirst = isFirst
          if !isFirst {
            guard await commits.next(isolation: actor) != nil else { return nil }
            if coalescing > .zero { try await Task.sleep(for: coalescing) }
          }
          let next = next
          let changes = try await container.perform { _ in try next() }
          self.isFirst = false
          if isFirst || !changes.isEmpty { return changes }
        }
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
    }
  }
}

/// Follows a fetch with a context of its own, for one iterator, which asks it for one batch after the other.
private final class ChangeSource<Model: PersistentModel, Value: Sendable>: @unchecked Sendable {
  private let container: ModelContainer
  private let descriptor: FetchDescriptor<Model>
  private let value: @Sendable (Model) throws -> Value
  private var feed: ResultsFeed<Model>?

  init(
    _ container: ModelContainer, _ descriptor: FetchDescriptor<Model>,
    _ value: @escaping @Sendable (Model) throws -> Value
  ) {
    self.container = container
    self.descriptor = descriptor
    self.value = value
  }

  @Sendable func next() throws -> [ResultsChange<Value>] {
    let feed = try self.feed ?? ResultsFeed(container, descriptor)
    self.feed = feed
    guard let (former, difference) = try feed.update() else { return [] }
    let (rows, graph) = (feed.rows, feed.context.graph)
    let models = feed.models
    func identifier(_ rows: OrderedRows, _ position: Int) -> PersistentIdentifier {
      graph.identifier(of: rows[position])
    }
    var changes: [ResultsChange<Value>] = difference.removed.map { .removed(identifier(former, $0), from: $0) }
    changes += try difference.inserted.map { .inserted(identifier(rows, $0), try value(models[$0]), at: $0) }
    changes += difference.moved.map { .moved(identifier(rows, $0.to), from: $0.from, to: $0.to) }
    changes += try difference.updated.map { .updated(identifier(rows, $0), try value(models[$0]), at: $0) }
    return changes
  }
}

/// A live query whose differences are asked for.
private final class ResultsFeed<Model: PersistentModel>: LiveQuerySubscriber {
  let context: ModelContext
  private let descriptor: FetchDescriptor<Model>
  private let query: LiveQuery<Model>
  private var history = ResultsHistory()
  private(set) var rows = OrderedRows()

  init(_ container: ModelContainer, _ descriptor: FetchDescriptor<Model>) throws {
    context = ModelContext(container)
    self.descriptor = descriptor
    query = try LiveQueries.query(descriptor, context, in: nil, isOfAll: true)
    query.add(self)
  }

  func resultsHaveChanged(_ change: LiveQueryChange) {
    history.note(change)
  }

  /// - Returns: The rows that were there, and how they have become others; nil when they have not.
  func update() throws -> (former: OrderedRows, difference: ResultsDifference)? {
    query.update()
    if let failure = query.failure { throw failure }
    let former = rows
    rows = query.shown
    return history.difference(to: rows).map { (former, $0) }
  }

  var models: FetchResultsCollection<Model> {
    FetchResultsCollection(FetchedModels(rows, context, descriptor, batchSize: 64, keepsRead: true))
  }
}
