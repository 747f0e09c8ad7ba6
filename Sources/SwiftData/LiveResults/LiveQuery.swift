/// A subscriber to the results of a live query.
protocol LiveQuerySubscriber: AnyObject {
  func resultsHaveChanged(_ change: LiveQueryChange)
}

/// A change of a live query's results.
struct LiveQueryChange {
  /// Whether the rows or their order have changed. Otherwise only properties have.
  fileprivate(set) var hasOtherRows = false
  /// The keys of rows that may have other values; empty unless the query follows all properties.
  fileprivate(set) var updated: Set<Int64> = []
  /// The temporary keys of models that were saved, with their permanent keys.
  fileprivate(set) var renumbered: [Int64: Int64] = [:]
}

/// A live query, shared by all subscribers to the same results in one context.
final class LiveQuery<Model: PersistentModel>: AnyLiveQuery {
  /// The descriptor of the results, without prefetched relationships.
  let descriptor: FetchDescriptor<Model>
  /// The descriptor of the fetched rows: it includes the rows before the results, and a reserve of rows behind them.
  private let request: FetchDescriptor<Model>
  private(set) var rows: ResultRows<Model>
  /// Whether `rows` has all rows that the predicate selects.
  private var isWhole = true
  /// The rows of the results.
  private(set) var shown = OrderedRows()
  /// The error of the last fetch; nil if it succeeded.
  private(set) var failure: (any Error)?
  private var change = LiveQueryChange()
  private var subscribers: [Subscription] = []
  /// Cached models of the rows with which rows are compared first, by their keys.
  private var pivots: [Int64: Model] = [:]

  private let condition: CompiledCondition<Model>?
  private let order: RowOrder<Model>
  private let context: ModelContext
  private let queries: LiveQueries
  private var graph: ObjectGraph { context.graph }
  private let isFollowing: Bool

  private struct Subscription {
    weak var subscriber: (any LiveQuerySubscriber)?
  }

  /// - Parameters:
  ///   - followsAllProperties: Whether a change of any property matters to the subscribers, and not only of the properties in
  ///     the predicate and the order.
  ///   - isFollowing: Whether changed rows are evaluated where that is sufficient. Otherwise the rows are always fetched
  ///     again, which tests use as the reference.
  /// - Throws: The errors of a fetch.
  init(
    _ descriptor: FetchDescriptor<Model>, _ concern: ResultsConcern, _ context: ModelContext, _ queries: LiveQueries,
    followsAllProperties: Bool, isFollowing: Bool, rows known: ResultRows<Model>? = nil
  ) throws {
    self.descriptor = descriptor
    self.context = context
    self.queries = queries
    self.isFollowing = isFollowing && !concern.isOfSaved && !concern.isUnknown
    request = self.isFollowing ? Self.request(for: descriptor) : descriptor
    let condition = descriptor.predicate.map { CompiledCondition($0) }
    self.condition = condition
    let graph = context.graph
    order = RowOrder(descriptor, try graph.requireBinding(for: Model.self))
    let request = request
    rows = try graph.exclusively {
      try graph.prepareToRead(descriptor)
      return try known ?? graph.resultRows(request)
    }
    super.init(LiveQueryFilter(concern, followsAllProperties: followsAllProperties, demand: condition?.demand))
    recordFetchedRows()
  }

  func add(_ subscriber: any LiveQuerySubscriber) {
    subscribers.removeAll { $0.subscriber == nil }
    subscribers.append(Subscription(subscriber: subscriber))
  }

  func remove(_ subscriber: any LiveQuerySubscriber) {
    subscribers.removeAll { $0.subscriber == nil || $0.subscriber === subscriber }
  }

  /// Merges the changes of other contexts, and updates all live queries of the context, this one included.
  func update() {
    queries.update()
  }

  /// The unsaved models among the results, by their temporary keys.
  var unsaved: [Int64: Model] { rows.unsaved }

  /// The position of a model in the results; nil if it is not among them.
  func position(of model: Model) -> Int? {
    let row = graph.row(of: model)
    return shown.position(of: row.key).flatMap { shown[$0] == row ? $0 : nil }
  }

  override func publish() {
    let change = change
    self.change = LiveQueryChange()
    for subscription in subscribers { subscription.subscriber?.resultsHaveChanged(change) }
  }

  // MARK: Fetching

  /// The descriptor for the rows up to the last of the results, with a reserve.
  static func request(for descriptor: FetchDescriptor<Model>) -> FetchDescriptor<Model> {
    var request = descriptor
    request.fetchOffset = nil
    let (offset, limit) = (descriptor.fetchOffset ?? 0, descriptor.limit ?? .max)
    // No result has that many rows.
    request.fetchLimit = max(offset, limit) > 1 << 48 ? nil : offset + limit + max(16, limit / 4)
    return request
  }

  override func refetch(after changes: ChangedRows?) -> Bool {
    if filter.followsAllProperties { recordUpdates(changes) }
    return graph.exclusively {
      graph.attempt("updating live results of \(Model.self)") {
        do {
          renumber()
          rows = try graph.resultRows(request)
          failure = nil
          let previous = shown
          recordFetchedRows()
          if shown != previous { change.hasOtherRows = true }
        } catch {
          failure = error
          throw error
        }
      }
    }
  }

  private func recordUpdates(_ changes: ChangedRows?) {
    if let changed = changes?.group(of: concern.ownEntities) {
      change.updated.formUnion(changed.rows.lazy.filter(concern.isConcerned).map(\.key))
    } else {
      shown.visit { _, row in change.updated.insert(row.key) }
    }
  }

  /// Records whether the fetch returned all selected rows, and updates the results.
  private func recordFetchedRows() {
    isWhole = request.limit.map { rows.keys.count < $0 } ?? true
    updateShown()
  }

  /// Updates the results from the rows.
  private func updateShown() {
    filter.recordRows(rows.keys)
    guard isFollowing, descriptor.limit != nil || descriptor.fetchOffset ?? 0 > 0 else {
      shown = rows.keys
      return
    }
    let start = min(descriptor.fetchOffset ?? 0, rows.keys.count)
    let count = min(descriptor.limit ?? .max, rows.keys.count - start)
    shown = OrderedRows(rows.keys.rows(at: start..<start + count))
  }

  /// Gives the rows of saved models their permanent keys, and removes the rows of models that are gone or whose row is in
  /// the results already.
  private func renumber() {
    let count = rows.keys.count
    let renumbered = rows.renumber()
    shown.replaceKeys(renumbered)
    change.renumbered.merge(renumbered) { $1 }
    filter.recordRows(rows.keys)
    if rows.keys.count == count { return }
    change.hasOtherRows = true
    updateShown()
  }

  // MARK: Evaluating changed rows

  override func follow(_ changed: ChangedRows.Group) -> Outcome {
    guard isFollowing, failure == nil else { return .unknown }
    if !rows.unsaved.isEmpty, changed.hasSaved {
      renumber()
      // A deleted row of the results leaves a gap that only a fetch can fill.
      if change.hasOtherRows, !isWhole { return .unknown }
    }
    do {
      let concerned = changed.indices(for: concern)
      // A fetch of the first rows is faster than evaluating that many changed rows.
      if !isWhole, concerned.count > rows.keys.count, !graph.hasChanges { return .unknown }
      let previous = positions(of: concerned, changed)
      let added = try selected(of: concerned, changed)
      // A property that could not be read has a fallback value.
      if graph.hasUnreportedFailure { return .unknown }
      if previous.isEmpty, added.isEmpty { return change.hasOtherRows ? .changed : .unchanged }
      if filter.followsAllProperties {
        // A model that was only saved has a new key and the same values, so it is not updated. It is if it was also
        // changed: then there is a record under its temporary key, or a second one under its permanent key.
        let saved = Set(change.renumbered.lazy.filter { changed.indices[$0.key] == nil }.map(\.value))
        change.updated.formUnion(
          added.lazy.map { changed.rows[$0] }.filter { !($0.isRecordedOnce && saved.contains($0.key)) }.map(\.key))
      }
      let session = try graph.requireBinding(for: Model.self).session
      let isMoved = try session.readingTogether { try move(from: previous, added, changed) }
      return isMoved && !graph.hasUnreportedFailure ? .changed : .unknown
    } catch {
      // A fetch throws the error, or succeeds.
      return .unknown
    }
  }

  /// The positions of the changed rows that are in `rows`, in ascending order.
  private func positions(of concerned: [Int], _ changed: ChangedRows.Group) -> [Int] {
    // Looking up a key takes as long as enumerating some dozen rows.
    if concerned.count <= 2 || concerned.count <= 16 && rows.keys.count > 16 {
      return concerned.compactMap { rows.keys.position(of: changed.rows[$0].key) }.sorted()
    }
    var positions: [Int] = []
    rows.keys.visit { position, row in
      guard let index = changed.indices[row.key], concern.isConcerned(by: changed.rows[index]) else { return }
      positions.append(position)
    }
    return positions
  }

  /// The indices of the changed rows that the predicate selects.
  private func selected(of concerned: [Int], _ changed: ChangedRows.Group) throws -> [Int] {
    var indices = concerned
    if let demand = condition?.demand { indices = changed.indices(among: concerned, with: demand) }
    guard let condition else { return indices.filter { changed.rows[$0].model != nil } }
    return try indices.filter { index in
      guard let model = changed.rows[index].model else { return false }
      return try condition.evaluate(unsafeDowncast(model, to: Model.self))
    }
  }

  /// Removes rows, and inserts changed ones at their new positions.
  ///
  /// - Returns: False if the search for the positions would take longer than a fetch, or if they are not known.
  private func move(from removed: [Int], _ added: [Int], _ changed: ChangedRows.Group) throws -> Bool {
    var keys = rows.keys
    keys.remove(at: removed)
    var effort = max(1024, keys.count / 2)
    // Another context's change of a removed row may have been read before its notification. Rows inserted meanwhile were
    // compared with its new values at its old position, so the neighbours of each gap may be in the wrong order.
    let gaps = Set(removed.indices.map { removed[$0] - $0 })
    for position in gaps where try !isAscending(at: position, in: keys) { return false }
    var insertions: [(position: Int, row: RowKey)] = []
    var start = 0
    for index in sorted(added, changed) {
      // Rows beyond the limit are dropped.
      if let limit = request.fetchLimit, start + insertions.count >= limit {
        isWhole = false
        break
      }
      let row = changed.rows[index]
      guard let model = row.model.map({ unsafeDowncast($0, to: Model.self) }),
        let position = try self.position(for: model, row.key, in: keys, from: start, &effort)
      else { return false }
      start = position
      // A row behind the last one belongs to the results only if there are no further rows in the store.
      if position == keys.count, !isWhole { break }
      insertions.append((position, RowKey(key: row.key, entity: row.entity)))
    }
    let isSame =
      removed.count == insertions.count
      && insertions.indices.allSatisfy { index in
        insertions[index].position + index == removed[index] && rows.keys[removed[index]] == insertions[index].row
      }
    hold(insertions, insteadOf: removed, changed)
    if isSame { return true }
    keys.insert(insertions)
    if let limit = request.fetchLimit {
      // Twice the reserve, so that it is not truncated each time.
      let end = (descriptor.fetchOffset ?? 0) + (descriptor.limit ?? 0)
      if keys.count - limit > limit - end {
        for position in limit..<keys.count { rows.unsaved[keys[position].key] = nil }
        keys.truncate(to: limit)
        isWhole = false
      }
      if !isWhole, keys.count < end { return false }
    }
    rows.keys = keys
    let previous = shown
    updateShown()
    if descriptor.limit == nil || shown != previous { change.hasOtherRows = true }
    return true
  }

  /// Retains the models without a row.
  private func hold(
    _ insertions: [(position: Int, row: RowKey)], insteadOf removed: [Int], _ changed: ChangedRows.Group
  ) {
    if !rows.unsaved.isEmpty { for position in removed { rows.unsaved[rows.keys[position].key] = nil } }
    for (_, row) in insertions where row.key < 0 {
      rows.unsaved[row.key] = changed.indices[row.key].flatMap { changed.rows[$0].model }.map {
        unsafeDowncast($0, to: Model.self)
      }
    }
  }

  // MARK: Order

  private func sorted(_ indices: [Int], _ changed: ChangedRows.Group) -> [Int] {
    if indices.count < 32 { return indices.sorted { precedes($0, $1, changed) } }
    let ranks = changed.ranks(inOrder: AnyHashable(descriptor.sortBy)) { precedes($0, $1, changed) }
    return indices.sorted { ranks[$0] < ranks[$1] }
  }

  private func precedes(_ left: Int, _ right: Int, _ changed: ChangedRows.Group) -> Bool {
    let (left, right) = (changed.rows[left], changed.rows[right])
    guard let leftModel = left.model, let rightModel = right.model else { return false }
    return order.precedes(
      unsafeDowncast(leftModel, to: Model.self), unsafeDowncast(rightModel, to: Model.self),
      keys: (left.key, right.key))
  }

  /// The position in a list before which a model belongs, at or behind `start`; nil if it cannot be determined, or takes
  /// too much effort.
  ///
  /// - Parameter effort: The number of rows that may still be compared.
  private func position(
    for model: Model, _ key: Int64, in keys: OrderedRows, from start: Int, _ effort: inout Int
  ) throws -> Int? {
    var (low, high) = (start, keys.count)
    while low < high {
      // The models at the beginnings of parts are cached: these rows are compared again and again.
      let (middle, isBeginning) = keys.middle(of: low..<high)
      effort -= 1
      guard effort > 0, let other = try self.model(of: keys[middle], keepingRead: isBeginning) else { return nil }
      if order.precedes(other, model, keys: (keys[middle].key, key)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether the row before a position, if there is one, belongs before the row at it.
  private func isAscending(at position: Int, in keys: OrderedRows) throws -> Bool {
    guard position > 0, position < keys.count else { return true }
    let (left, right) = (keys[position - 1], keys[position])
    guard let leftModel = try model(of: left), let rightModel = try model(of: right) else { return false }
    return order.precedes(leftModel, rightModel, keys: (left.key, right.key))
  }

  /// The model of a row; nil if the row is gone.
  private func model(of row: RowKey, keepingRead: Bool = false) throws -> Model? {
    if let model = rows.unsaved[row.key] { return model }
    if let pivot = pivots[row.key], pivot._$withState({ $0.isLive }) { return pivot }
    let model = try graph.presentModel(of: row) as? Model
    if keepingRead, row.key > 0 {
      if pivots.count > rows.keys.parts.count { pivots = [:] }
      pivots[row.key] = model
    }
    return model
  }
}
