/// The live queries of one context, and what has changed since they were brought up to date.
///
/// The graph notifies it of every change, and holds it as long as there are queries. Queries are updated when their results
/// are read, and otherwise once a turn of the context's isolation.
final class LiveQueries: ChangeObserver {
  /// Not retained, because the graph holds the queries.
  private let graph: UncountedReference<ObjectGraph>
  private var entries: [Entry] = []
  /// How many queries there were when released ones were removed last.
  private var lastCount = 16
  private var changes = LiveChanges()
  /// What has been saved of changes that were noted before. It concerns the queries of what is saved.
  private var saves = LiveChanges()
  /// What any of the queries depends on, by the position of the entity in the schema.
  private var watchedProperties: [UInt64]
  private var watchedMembers: [Bool]
  private var isolation: ResultsIsolation?
  private var isScheduled = false
  private var isUpdating = false

  private struct Entry {
    weak var query: AnyLiveQuery?
  }

  /// Those of a context.
  ///
  /// - Parameter isolation: Where code runs that uses the context; nil where that is not known.
  static func of(_ graph: ObjectGraph, in isolation: ResultsIsolation?) -> LiveQueries {
    let queries = graph.changeObserver as? LiveQueries ?? LiveQueries(graph)
    graph.inbox.keepInserted(true)
    if queries.isolation == nil, let isolation { queries.listen(to: graph.inbox, in: isolation) }
    graph.changeObserver = queries
    return queries
  }

  private init(_ graph: ObjectGraph) {
    self.graph = UncountedReference(graph)
    watchedProperties = Array(repeating: 0, count: graph.bindingsByOrdinal.count)
    watchedMembers = Array(repeating: false, count: graph.bindingsByOrdinal.count)
  }

  /// Merges what other contexts save, and updates the queries, in turns of an isolation.
  private func listen(to inbox: ChangeInbox, in isolation: ResultsIsolation) {
    self.isolation = isolation
    let reference = ResultsIsolation.Reference(queries: self)
    inbox.onPost { isolation.atEndOfTurn { reference.queries?.update() } }
  }

  /// There are no queries any more.
  private func end(_ graph: ObjectGraph) {
    graph.changeObserver = nil
    graph.inbox.keepInserted(false)
    if graph.isMain { graph.listen() } else { graph.inbox.onPost {} }
  }

  func attach(_ query: AnyLiveQuery) {
    if entries.count >= 2 * lastCount { removeReleased() }
    entries.append(Entry(query: query))
    watch(query.concern)
  }

  /// Forgets queries that were released, on whatever thread that was.
  private func removeReleased() {
    let count = entries.count
    entries.removeAll { $0.query == nil }
    lastCount = max(entries.count, 16)
    if entries.count == count { return }
    for place in watchedMembers.indices { (watchedProperties[place], watchedMembers[place]) = (0, false) }
    for entry in entries { if let query = entry.query { watch(query.concern) } }
  }

  private func watch(_ concern: ResultsConcern) {
    for place in watchedMembers.indices {
      watchedProperties[place] |= concern.isUnknown ? .max : concern.properties[place] ?? 0
      if concern.isUnknown || concern.entities.contains(place) { watchedMembers[place] = true }
    }
  }

  // MARK: Changes

  func noteChange(of model: any PersistentModel, entity: Int, properties: UInt64) {
    let watched = properties & watchedProperties[entity]
    if watched == 0 { return }
    changes.add(model, entity, watched, isMember: false)
    schedule()
  }

  func noteMember(_ model: any PersistentModel, entity: Int) {
    guard watchedMembers[entity] else { return }
    changes.add(model, entity, .max, isMember: true)
    schedule()
  }

  func noteDeletion(of row: RowKey) {
    guard watchedMembers[row.entity] else { return }
    changes.add(row)
    schedule()
  }

  func noteRows(_ rows: ChangeInbox.EntityChanges, ofEntity entity: Int) {
    let isWatched = (rows.isBeyondCount ? .max : rows.properties) & watchedProperties[entity] != 0
    guard isWatched || watchedMembers[entity] && (rows.hasOtherRows || rows.isBeyondCount) else { return }
    changes.add(rows, of: entity)
    schedule()
  }

  func noteSave(ofEntity entity: Int, properties: UInt64) {
    let watched = properties & watchedProperties[entity]
    guard watched != 0, entries.contains(where: { $0.query?.isOfSaved == true }) else { return }
    saves.add(watched, of: entity)
    schedule()
  }

  func noteAnyChange() {
    changes.addAnything()
    schedule()
  }

  private func schedule() {
    guard !isScheduled, let isolation else { return }
    isScheduled = true
    let reference = ResultsIsolation.Reference(queries: self)
    isolation.atEndOfTurn {
      reference.queries?.isScheduled = false
      reference.queries?.update()
    }
  }

  // MARK: Bringing up to date

  /// Takes in what others saved, and asks for the results again that may be others now.
  func update() {
    // The context and its last query can be released on another thread just now.
    guard let graph = graph.object else { return }
    // What is being saved, or what subscribers change meanwhile, comes later.
    if isUpdating || graph.saving.isWriting { return }
    for query in askAgain(graph) { query.publish() }
  }

  /// - Returns: The queries that were asked for their results again.
  private func askAgain(_ graph: ObjectGraph) -> [AnyLiveQuery] {
    isUpdating = true
    defer { isUpdating = false }
    graph.attemptToProcessInbox()
    if changes.isEmpty, saves.isEmpty { return [] }
    removeReleased()
    guard !entries.isEmpty else {
      end(graph)
      return []
    }
    let (due, saved) = (changes, saves)
    (changes, saves) = (LiveChanges(), LiveChanges())
    var asked: [AnyLiveQuery] = []
    var hasFailed = false
    // Made when the first query needs it; nil when the rows cannot be read.
    var changed: ChangedRows??
    func isConcerned(_ query: AnyLiveQuery) -> Bool {
      switch query.concern.includes(due) {
      case .yes: return true
      case .no: return query.isOfSaved && query.concern.includes(saved) != .no
      case .dependsOnRows:
        // What is saved can be something else than the models say.
        if query.isOfSaved { return true }
        let rows = changed ?? graph.alone { try? ChangedRows(due, graph) }
        changed = .some(rows)
        return rows.map(query.isConcerned) ?? true
      }
    }
    for query in entries.compactMap(\.query) where isConcerned(query) {
      if query.askAgain() { asked.append(query) } else { hasFailed = true }
    }
    // The next update tries again.
    if hasFailed {
      changes.add(due)
      saves.add(saved)
    }
    return asked
  }
}
