import Synchronization

/// A fetch whose results follow the changes of a context, and those of others that it takes in.
class AnyLiveQuery {
  let filter: LiveQueryFilter
  var concern: ResultsConcern { filter.concern }

  init(_ filter: LiveQueryFilter) {
    self.filter = filter
    filter.query = self
  }

  deinit {
    filter.isReleased.store(true, ordering: .relaxed)
  }

  enum Outcome {
    case unchanged
    case changed
    /// The rows have to be asked for again.
    case unknown
  }

  /// Brings the rows up to date by looking only at changed rows.
  func follow(_ changed: ChangedRows.Group) -> Outcome { preconditionFailure("overridden") }

  /// Asks for the rows again.
  ///
  /// - Parameter changes: Why; nil when anything may have changed.
  /// - Returns: False where that failed; the rows stay what they were.
  func askAgain(after changes: ChangedRows?) -> Bool { preconditionFailure("overridden") }

  /// Notifies the subscribers of the rows that were found.
  func publish() { preconditionFailure("overridden") }
}

/// What tells most changes that do not concern a live query, without a look at the query.
final class LiveQueryFilter {
  fileprivate(set) weak var query: AnyLiveQuery?
  let isReleased = Atomic(false)
  let concern: ResultsConcern
  /// Whether all properties of the models count, and subscribers want to know which of the models have other values.
  let isOfAll: Bool
  /// What a model demands to be selected.
  let demand: EqualityDemand?
  /// The keys of the rows, where these are few and all are saved: a temporary key is another one as soon as its model is
  /// saved.
  private var members: [Int64]?

  init(_ concern: ResultsConcern, isOfAll: Bool = false, demand: EqualityDemand? = nil) {
    self.concern = concern
    self.isOfAll = isOfAll
    self.demand = demand
  }

  /// Whether the rows may have one with a key.
  func mayHave(_ key: Int64) -> Bool { members?.contains(key) ?? true }

  func recordRows(_ rows: OrderedRows) {
    let keys = rows.count > 64 ? nil : rows.rows(at: 0..<rows.count).map(\.key)
    members = keys.flatMap { keys in keys.allSatisfy { $0 > 0 } ? keys : nil }
  }
}
