/// One of the changes between the results before and after a commit.
public enum ResultsChange<Value: Sendable>: Sendable {
  /// A model was removed from a position in the previous results.
  case removed(PersistentIdentifier, from: Int)
  /// A model was inserted at a position in the new results.
  case inserted(PersistentIdentifier, Value, at: Int)
  /// A model has moved from a position in the previous results to one in the new results.
  case moved(PersistentIdentifier, from: Int, to: Int)
  /// A model at a position in the new results has other values.
  case updated(PersistentIdentifier, Value, at: Int)
}

extension ResultsChange: Equatable where Value: Equatable {}

/// Follows a fetch with a context of its own, for one iterator, which requests one batch after the other.
final class ChangeSource<Model: PersistentModel, Value: Sendable>: LiveQuerySubscriber, @unchecked Sendable {
  private let container: ModelContainer
  private let descriptor: FetchDescriptor<Model>
  private let value: @Sendable (Model) throws -> Value
  private var followed: (context: ModelContext, query: LiveQuery<Model>)?
  private var history = ResultsHistory()
  private var rows = OrderedRows()

  init(
    _ container: ModelContainer, _ descriptor: FetchDescriptor<Model>,
    _ value: @escaping @Sendable (Model) throws -> Value
  ) {
    self.container = container
    self.descriptor = descriptor
    self.value = value
  }

  private func follow() throws -> (context: ModelContext, query: LiveQuery<Model>) {
    let context = ModelContext(container)
    let query = try LiveQueries.query(descriptor, context, in: nil, followsAllProperties: true)
    query.add(self)
    followed = (context, query)
    return (context, query)
  }

  func resultsHaveChanged(_ change: LiveQueryChange) {
    history.record(change)
  }

  /// - Returns: Nil if nothing has changed since the last batch.
  @Sendable func next() throws -> [ResultsChange<Value>]? {
    let isFirst = followed == nil
    let (context, query) = try followed ?? follow()
    query.update()
    if let failure = query.failure { throw failure }
    let previous = rows
    rows = query.shown
    guard let difference = history.difference(to: rows) else { return isFirst ? [] : nil }
    let models = FetchResultsCollection(FetchedModels(rows, context, descriptor, batchSize: 64, keepsRead: true))
    func identifier(_ rows: OrderedRows, _ position: Int) -> PersistentIdentifier {
      context.graph.identifier(of: rows[position])
    }
    var changes: [ResultsChange<Value>] = difference.removed.map { .removed(identifier(previous, $0), from: $0) }
    changes += try difference.inserted.map { .inserted(identifier(rows, $0), try value(models[$0]), at: $0) }
    changes += difference.moved.map { .moved(identifier(rows, $0.to), from: $0.from, to: $0.to) }
    changes += try difference.updated.map { .updated(identifier(rows, $0), try value(models[$0]), at: $0) }
    return changes
  }
}
