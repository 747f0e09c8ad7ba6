import Synchronization

/// A fetch whose results follow the changes of a context, including merged changes of other contexts.
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
    /// The rows have to be fetched again.
    case unknown
  }

  /// Updates the rows by evaluating only the changed rows.
  func follow(_ changed: ChangedRows.Group) -> Outcome { preconditionFailure("overridden") }

  /// Fetches the rows again.
  ///
  /// - Parameter changes: The cause; nil if anything may have changed.
  /// - Returns: False if the fetch failed; the rows are unchanged then.
  func refetch(after changes: ChangedRows?) -> Bool { preconditionFailure("overridden") }

  /// Notifies the subscribers of the current rows.
  func publish() { preconditionFailure("overridden") }
}

/// Rejects most changes that do not concern a live query, without accessing the query.
final class LiveQueryFilter {
  fileprivate(set) weak var query: AnyLiveQuery?
  let isReleased = Atomic(false)
  let concern: ResultsConcern
  /// Whether all properties of the models matter, because subscribers need to know which models have other values.
  let followsAllProperties: Bool
  /// The attribute value that the predicate demands.
  let demand: EqualityDemand?
  /// The keys of the rows, if these are few and all are saved: a temporary key changes when its model is saved.
  private var members: [Int64]?

  init(_ concern: ResultsConcern, followsAllProperties: Bool = false, demand: EqualityDemand? = nil) {
    self.concern = concern
    self.followsAllProperties = followsAllProperties
    self.demand = demand
  }

  /// Whether the results may have a row with a key.
  func mayHave(_ key: Int64) -> Bool { members?.contains(key) ?? true }

  func recordRows(_ rows: OrderedRows) {
    let keys = rows.count > 64 ? nil : rows.rows(at: 0..<rows.count).map(\.key)
    members = keys.flatMap { keys in keys.allSatisfy { $0 > 0 } ? keys : nil }
  }
}
