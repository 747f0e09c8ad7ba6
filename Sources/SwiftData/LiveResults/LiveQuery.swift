/// A fetch whose results follow the changes of a context, and those of others that it takes in.
class AnyLiveQuery {
  let concern: ResultsConcern
  /// Whether the unsaved changes of the context do not count.
  let isOfSaved: Bool

  init(concern: ResultsConcern, isOfSaved: Bool) {
    self.concern = concern
    self.isOfSaved = isOfSaved
  }

  /// Whether rows that have changed can make the results others.
  func isConcerned(by rows: ChangedRows) -> Bool { preconditionFailure("overridden") }

  /// Asks for the rows again.
  ///
  /// - Returns: False where that failed; the rows stay what they were.
  func askAgain() -> Bool { preconditionFailure("overridden") }

  /// Notifies the subscriber of the rows that were found.
  func publish() { preconditionFailure("overridden") }
}

/// What shows the results of a live query.
protocol LiveQuerySubscriber: AnyObject {
  /// - Parameter hasOtherRows: Whether the rows or their order are others than before. Otherwise some property that they
  ///   are ordered by has another value.
  func resultsWereFound(hasOtherRows: Bool)
}

final class LiveQuery<Model: PersistentModel>: AnyLiveQuery {
  let descriptor: FetchDescriptor<Model>
  private(set) var rows: ResultRows<Model>
  /// Why the rows could not be asked for; nil when they could the last time.
  private(set) var failure: (any Error)?
  weak var subscriber: (any LiveQuerySubscriber)?
  private var hasOtherRows = false
  private let condition: CheckedPredicate<Model>?

  private let context: ModelContext
  private let queries: LiveQueries
  private var graph: ObjectGraph { context.graph }

  /// - Throws: What a fetch throws.
  init(_ descriptor: FetchDescriptor<Model>, _ context: ModelContext, in isolation: (any Actor)?) throws {
    self.descriptor = descriptor
    self.context = context
    condition = descriptor.predicate.map { CheckedPredicate($0) }
    let graph = context.graph
    // Before the fetch, so that no later save is missed.
    queries = LiveQueries.of(graph, in: ResultsIsolation(isolation, graph))
    rows = try graph.alone {
      try graph.prepareToRead(descriptor)
      return try graph.resultRows(descriptor)
    }
    super.init(
      concern: ResultsConcern(descriptor, graph.core.schema), isOfSaved: !descriptor.includePendingChanges)
    queries.attach(self)
  }

  /// Brings the rows up to date.
  func update() {
    queries.update()
  }

  override func isConcerned(by changed: ChangedRows) -> Bool {
    // What comes before the first of the results is not known.
    if descriptor.fetchOffset ?? 0 > 0 { return true }
    rows.renumber()
    return concern.ownEntities.contains { entity in
      if changed.incomplete.contains(entity) { return true }
      let watched = concern.properties[entity] ?? 0
      return changed.rows[entity, default: []].contains { row in
        // All properties are those of one that came or went.
        guard row.properties & watched != 0 || row.properties == .max else { return false }
        return rows.contains(row.key) || rows.contains(row.formerKey) || row.model.map(matches) ?? false
      }
    }
  }

  private func matches(_ model: any PersistentModel) -> Bool {
    guard let condition else { return true }
    guard let model = model as? Model else { return false }
    do {
      // A property that cannot be read has a placeholder.
      return try condition.evaluate(model) || graph.hasUnreportedFailure
    } catch {
      // The fetch throws it, or knows better.
      return true
    }
  }

  override func askAgain() -> Bool {
    graph.alone {
      graph.attempt("updating live results of \(Model.self)") {
        do {
          let found = try graph.resultRows(descriptor)
          rows.renumber()
          if found.keys != rows.keys { hasOtherRows = true }
          rows = found
          failure = nil
        } catch {
          failure = error
          throw error
        }
      }
    }
  }

  override func publish() {
    defer { hasOtherRows = false }
    subscriber?.resultsWereFound(hasOtherRows: hasOtherRows)
  }
}
