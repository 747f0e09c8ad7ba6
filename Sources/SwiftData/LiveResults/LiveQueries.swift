/// The live queries of one context, and the changes since their last update.
///
/// The graph notifies it of each change, and retains it as long as there are queries. Queries are updated when their
/// results are read, and otherwise once per turn of the context's isolation.
final class LiveQueries: ChangeObserver {
  /// Not retained, because the graph retains the queries.
  private let graph: UncountedReference<ObjectGraph>
  /// The queries, grouped by equal concern.
  private var groups: [(concern: ResultsConcern, filters: [LiveQueryFilter])] = []
  private var count = 0
  /// The number of queries when released ones were removed last.
  private var lastCount = 16
  private var changes: LiveChanges
  /// Recorded changes that were saved since. They concern queries of committed values.
  private var saves: LiveChanges
  /// The queries by descriptor and options.
  private var known: [LiveQueryKey: LiveQueryFilter] = [:]
  /// The properties that any query depends on, by the position of the entity in the schema.
  private var watchedProperties: [UInt64]
  private var watchedMembers: [Bool]
  private var isolation: ResultsIsolation?
  private var isScheduled = false
  private var isUpdating = false
  /// Whether the context has deleted models in this turn of its isolation, and has not saved since. ``Query`` shows them
  /// until then, so that code that deletes models by position deletes the right ones.
  private(set) var hasFreshDeletions = false

  /// The live queries of a context.
  ///
  /// - Parameter isolation: The isolation that uses the context; nil if it is not known.
  static func of(_ graph: ObjectGraph, in isolation: ResultsIsolation?) -> LiveQueries {
    let queries = graph.changeObserver as? LiveQueries ?? LiveQueries(graph)
    graph.inbox.keepInserted(true)
    if queries.isolation == nil, let isolation { queries.observe(graph.inbox, in: isolation) }
    graph.changeObserver = queries
    return queries
  }

  private init(_ graph: ObjectGraph) {
    self.graph = UncountedReference(graph)
    changes = LiveChanges(entityCount: graph.bindingsByOrdinal.count)
    saves = changes
    watchedProperties = Array(repeating: 0, count: graph.bindingsByOrdinal.count)
    watchedMembers = Array(repeating: false, count: graph.bindingsByOrdinal.count)
  }

  /// Merges what other contexts save, and updates the queries, in turns of an isolation.
  private func observe(_ inbox: ChangeInbox, in isolation: ResultsIsolation) {
    self.isolation = isolation
    let reference = ResultsIsolation.Reference(queries: self)
    inbox.onPost { isolation.atEndOfTurn { reference.queries?.update() } }
  }

  /// Called when there are no queries any more.
  private func end(_ graph: ObjectGraph) {
    graph.changeObserver = nil
    graph.inbox.keepInserted(false)
    if graph.isMain { graph.observeInbox() } else { graph.inbox.onPost {} }
  }

  /// The query of a context for a descriptor. Equal queries are shared.
  ///
  /// - Parameters:
  ///   - followsAllProperties: See ``LiveQuery``.
  ///   - isFollowing: See ``LiveQuery``.
  ///   - rows: The rows, if they were fetched already.
  /// - Throws: The errors of a fetch.
  static func query<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ context: ModelContext, in isolation: (any Actor)?,
    followsAllProperties: Bool = false, isFollowing: Bool = true, rows: ResultRows<Model>? = nil
  ) throws -> LiveQuery<Model> {
    let graph = context.graph
    let key = LiveQueryKey(descriptor, followsAllProperties: followsAllProperties, isFollowing: isFollowing)
    // Before the fetch, so that no later save is missed.
    let queries = of(graph, in: ResultsIsolation(isolation, graph))
    if let query = queries.known[key]?.query as? LiveQuery<Model> {
      try graph.exclusively { try graph.prepareToRead(descriptor) }
      query.update()
      if query.failure == nil { return query }
    }
    var concern = ResultsConcern(descriptor, graph.core.schema)
    if followsAllProperties { concern.addAll(of: Model.self, graph.core.schema) }
    let query = try LiveQuery(
      descriptor, concern, context, queries, followsAllProperties: followsAllProperties, isFollowing: isFollowing,
      rows: rows)
    queries.attach(query, key)
    return query
  }

  func attach(_ query: AnyLiveQuery, _ key: LiveQueryKey? = nil) {
    if count >= 2 * lastCount { removeReleased() }
    count += 1
    if let key { known[key] = query.filter }
    if let index = groups.firstIndex(where: { $0.concern == query.concern }) {
      groups[index].filters.append(query.filter)
    } else {
      groups.append((query.concern, [query.filter]))
      watch(query.concern)
    }
  }

  /// Removes queries that were released, on any thread.
  private func removeReleased() {
    known = known.filter { !$0.value.isReleased.load(ordering: .relaxed) }
    for index in groups.indices { groups[index].filters.removeAll { $0.isReleased.load(ordering: .relaxed) } }
    groups.removeAll(where: \.filters.isEmpty)
    count = groups.reduce(0) { $0 + $1.filters.count }
    lastCount = max(count, 16)
    for entity in watchedMembers.indices { (watchedProperties[entity], watchedMembers[entity]) = (0, false) }
    for (concern, _) in groups { watch(concern) }
  }

  private func watch(_ concern: ResultsConcern) {
    for entity in watchedMembers.indices {
      watchedProperties[entity] |= concern.isUnknown ? .max : concern.properties[entity]
      if concern.isUnknown || concern.entities.contains(entity) { watchedMembers[entity] = true }
    }
  }

  // MARK: Changes

  func recordChange(of model: any PersistentModel, entity: Int, properties: UInt64) {
    let watched = properties & watchedProperties[entity]
    if watched == 0 { return }
    changes.add(model, entity, watched, isMember: false)
    schedule()
  }

  func recordMember(_ model: any PersistentModel, entity: Int, isDeleted: Bool) {
    guard watchedMembers[entity] else { return }
    changes.add(model, entity, .max, isMember: true)
    schedule()
    if isDeleted { hasFreshDeletions = true }
  }

  func recordSaveEnd() {
    hasFreshDeletions = false
  }

  func recordRow(_ row: RowKey) {
    guard watchedMembers[row.entity] else { return }
    changes.add(row)
    if !isScheduled { schedule() }
  }

  func recordRows(_ rows: ChangeInbox.EntityChanges, ofEntity entity: Int) {
    let isWatched = (rows.hasUnlistedKeys ? .max : rows.properties) & watchedProperties[entity] != 0
    guard isWatched || watchedMembers[entity] && (rows.hasInsertionsOrDeletions || rows.hasUnlistedKeys) else { return }
    changes.add(rows, of: entity)
    schedule()
  }

  func recordSave(ofEntity entity: Int, properties: UInt64) {
    let watched = properties & watchedProperties[entity]
    guard watched != 0, groups.contains(where: \.concern.isOfSaved) else { return }
    saves.add(watched, of: entity)
    schedule()
  }

  func recordAnyChange() {
    hasFreshDeletions = false
    changes.addAnything()
    schedule()
  }

  private func schedule() {
    guard !isScheduled, let isolation else { return }
    isScheduled = true
    let reference = ResultsIsolation.Reference(queries: self)
    isolation.atEndOfTurn {
      reference.queries?.isScheduled = false
      reference.queries?.hasFreshDeletions = false
      reference.queries?.update()
    }
  }

  // MARK: Updates

  /// Merges the changes of other contexts, and updates the results that these and the recorded changes concern.
  func update() {
    // The context and its last query may be released on another thread at this moment.
    guard let graph = graph.object else { return }
    // Changes of a save in progress, and changes that subscribers make meanwhile, are handled later.
    if isUpdating || graph.saving.isWriting { return }
    for query in bringUpToDate(graph) { query.publish() }
  }

  /// - Returns: The queries whose results, or whose sort values, have changed.
  private func bringUpToDate(_ graph: ObjectGraph) -> [AnyLiveQuery] {
    isUpdating = true
    graph.readsUnobserved = true
    defer {
      isUpdating = false
      graph.readsUnobserved = false
    }
    graph.attemptToProcessInbox()
    if changes.isEmpty, saves.isEmpty { return [] }
    let (due, saved) = (changes, saves)
    changes = LiveChanges(entityCount: graph.bindingsByOrdinal.count)
    saves = changes
    var changed: [AnyLiveQuery] = []
    var (hasFailed, hasReleased) = (false, false)
    graph.exclusively {
      // Made when the first query needs it; nil if the rows are not known, or cannot be read.
      var known: ChangedRows??
      func rows() -> ChangedRows? {
        if let known { return known }
        let rows = due.isAnything ? nil : try? ChangedRows(due, graph)
        known = .some(rows)
        return rows
      }
      for (concern, filters) in groups {
        var answer = concern.includes(due)
        // The committed values can differ from the models' values.
        if concern.isOfSaved, answer != .no || concern.includes(saved) != .no { answer = .yes }
        if answer == .no { continue }
        let group = answer == .dependsOnRows ? rows()?.group(of: concern.ownEntities) : nil
        for filter in filters {
          if filter.isReleased.load(ordering: .relaxed) { hasReleased = true }
          if let group, !group.concerns(filter) { continue }
          guard let query = filter.query else { continue }
          let outcome = group.map(query.follow) ?? .unknown
          if outcome == .unchanged { continue }
          let isDone = outcome == .changed || query.refetch(after: filter.followsAllProperties ? rows() : nil)
          if isDone { changed.append(query) } else { hasFailed = true }
        }
      }
    }
    // The next update tries again.
    if hasFailed {
      changes.add(due)
      saves.add(saved)
    }
    if hasReleased { removeReleased() }
    if groups.isEmpty { end(graph) }
    return changed
  }
}

/// The identity of a live query in a context.
struct LiveQueryKey: Hashable {
  private let type: ObjectIdentifier
  private let predicate: AnyHashable?
  private let sortBy: AnyHashable
  private let limits: [Int?]
  private let options: [Bool]

  init<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, followsAllProperties: Bool, isFollowing: Bool) {
    type = ObjectIdentifier(Model.self)
    predicate = descriptor.predicate.map(PredicateShape.identity)
    sortBy = AnyHashable(descriptor.sortBy)
    limits = [descriptor.fetchLimit, descriptor.fetchOffset]
    options = [descriptor.includePendingChanges, followsAllProperties, isFollowing]
  }
}
