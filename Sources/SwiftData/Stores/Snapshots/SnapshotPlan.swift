import Foundation

/// A descriptor, planned for a custom store.
///
/// A custom store shows what it can evaluate only when it is asked. If it refuses the predicate or the order, it is asked
/// again without, in the same call, and the plan records it. If it refuses the same again, its error is rethrown.
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
    try session.pass(result, ofGeneration: generation, limit: limits(restriction).limit, to: receive)
  }

  /// Asks the store for zero rows, to find out what it refuses.
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

  /// Custom stores have no aggregates.
  func aggregates<Queried: PersistentModel>(_ query: AggregateQuery<Queried>) throws -> [AggregateRow]? { nil }

  // MARK: Asking

  /// The store's answer, asked again after each new refusal.
  func answer<Answer>(
    to restriction: FetchRestriction, _ body: (Custom, DataStoreFetchRequest<Model>) throws -> Answer
  ) throws -> (answer: Answer, generation: Int) {
    while true {
      let request = request(restriction)
      do {
        return try session.store.read { try body($0, request) }
      } catch let refusal as DataStoreError {
        try record(refusal)
      }
    }
  }

  /// The store's answer to the whole descriptor; nil if there is a residue.
  private func wholeAnswer<Answer>(
    _ body: (Custom, DataStoreFetchRequest<Model>) throws -> Answer
  ) throws -> Answer? {
    guard residue.isEmpty else { return nil }
    let request = request(FetchRestriction())
    do {
      return try session.store.read { try body($0, request) }.answer
    } catch let refusal as DataStoreError {
      try record(refusal)
      return nil
    }
  }

  /// - Throws: The refusal, if it is not the first of its kind, or the error of a context that evaluates nothing in memory.
  private func record(_ refusal: DataStoreError) throws {
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

  /// The limit and the offset for the store; nil if there is a residue, which includes them.
  private func limits(_ restriction: FetchRestriction) -> (limit: Int?, offset: Int?) {
    guard residue.isEmpty else { return (nil, nil) }
    switch restriction.limit {
    case .asDescribed: return (descriptor.limit.map { max(0, $0) }, descriptor.fetchOffset.map { max(0, $0) })
    case .atMost(let limit): return (limit, nil)
    case .none, .page: return (nil, nil)
    }
  }
}
