import Foundation

/// A descriptor as it is put to a custom store.
///
/// Only asking tells what a custom store can do. One that refuses the predicate or the order is asked again without, in
/// the same call, and the plan remembers it. When it refuses the same again, its error goes to whoever fetches.
final class SnapshotPlan<Custom: DataStore, Model: PersistentModel>: FetchPlan {
  private let session: SnapshotSession<Custom>
  private let descriptor: FetchDescriptor<Model>
  private let allowsResidue: Bool
  private(set) var residue = FetchResidue()

  init(_ descriptor: FetchDescriptor<Model>, _ session: SnapshotSession<Custom>, allowsResidue: Bool) {
    self.descriptor = descriptor
    self.session = session
    self.allowsResidue = allowsResidue
  }

  // MARK: Running

  func rows(_ restriction: FetchRestriction, receive: (RowKey, _RowReader) throws -> Void) throws {
    let (result, generation) = try answer(to: restriction) { try $0.fetch($1) }
    try session.hand(result, ofGeneration: generation, limit: limits(restriction).limit, to: receive)
  }

  /// Only asking tells what the store refuses: it is asked for no row.
  func explanation(_ restriction: FetchRestriction) throws -> FetchExplanation {
    var restriction = restriction
    restriction.limit = .atMost(0)
    _ = try answer(to: restriction) { try $0.fetch($1) }
    var inMemory: [FetchExplanation.InMemoryPart] = []
    if residue.filters { inMemory.append(.init(.predicate, reason: "the store prefers it")) }
    if residue.sorts { inMemory.append(.init(.sortOrder, reason: "the store prefers it")) }
    return FetchExplanation(store: session.storeName, sql: "", steps: [], inMemory: inMemory)
  }

  func keys(receive: (RowKey) throws -> Void) throws -> Bool {
    guard let identifiers = try wholeAnswer({ try $0.fetchIdentifiers($1) }) else { return false }
    for identifier in identifiers.prefix(limits(FetchRestriction()).limit ?? .max) {
      try receive(session.rowKey(identifier))
    }
    return true
  }

  func count() throws -> Int? {
    try wholeAnswer { try $0.fetchCount($1) }.map { min($0, limits(FetchRestriction()).limit ?? .max) }
  }

  /// Custom stores know no aggregates.
  func aggregates<Queried: PersistentModel>(_ query: AggregateQuery<Queried>) throws -> [AggregateRow]? { nil }

  // MARK: Asking

  /// What the store answers, asked as often as it refuses something else.
  func answer<Answer>(
    to restriction: FetchRestriction, _ body: (Custom, DataStoreFetchRequest<Model>) throws -> Answer
  ) throws -> (answer: Answer, generation: Int) {
    while true {
      let request = request(restriction)
      do {
        return try session.store.read { try body($0, request) }
      } catch let refusal as DataStoreError {
        try take(refusal)
      }
    }
  }

  /// What the store answers to all of the descriptor; nil when something is left to the caller.
  private func wholeAnswer<Answer>(
    _ body: (Custom, DataStoreFetchRequest<Model>) throws -> Answer
  ) throws -> Answer? {
    guard residue.isEmpty else { return nil }
    let request = request(FetchRestriction())
    do {
      return try session.store.read { try body($0, request) }.answer
    } catch let refusal as DataStoreError {
      try take(refusal)
      return nil
    }
  }

  /// - Throws: The refusal, when it is not the first of its kind, and the error of a context that does nothing in memory.
  private func take(_ refusal: DataStoreError) throws {
    switch refusal {
    case .preferInMemoryFilter where !residue.filters: residue.filters = true
    case .preferInMemorySort where !residue.sorts: residue.sorts = true
    default: throw refusal
    }
    if !allowsResidue, let refusal = residue.refusal(entity: ModelRuntime.of(Model.self).entityName.string) {
      throw refusal
    }
  }

  private func request(_ restriction: FetchRestriction) -> DataStoreFetchRequest<Model> {
    var descriptor = descriptor
    if restriction.ignoresPredicate || residue.filters { descriptor.predicate = nil }
    if residue.sorts { descriptor.sortBy = [] }
    (descriptor.fetchLimit, descriptor.fetchOffset) = limits(restriction)
    return DataStoreFetchRequest(editingState: session.editingState, descriptor: descriptor)
  }

  /// The limit and the offset that the store is asked for, which are left to the caller along with anything else.
  private func limits(_ restriction: FetchRestriction) -> (limit: Int?, offset: Int?) {
    guard residue.isEmpty else { return (nil, nil) }
    switch restriction.limit {
    case .asDescribed: return (descriptor.limit.map { max(0, $0) }, descriptor.fetchOffset.map { max(0, $0) })
    case .atMost(let limit): return (limit, nil)
    case .none, .page: return (nil, nil)
    }
  }
}
