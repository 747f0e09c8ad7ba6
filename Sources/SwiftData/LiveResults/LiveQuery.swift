/// What shows the results of a live query.
protocol LiveQuerySubscriber: AnyObject {
  func resultsHaveChanged(_ change: LiveQueryChange)
}

/// How the results of a live query have changed.
struct LiveQueryChange {
  /// Whether the rows or their order are others than before. Otherwise some property that counts has another value.
  fileprivate(set) var hasOtherRows = false
  /// Keys of rows that may have other values, for a query of all properties.
  fileprivate(set) var updated: Set<Int64> = []
  /// Temporary keys of models that were saved, with those that they have now.
  fileprivate(set) var renumbered: [Int64: Int64] = [:]
}

/// A live query, which all share that show the same results in one context.
final class LiveQuery<Model: PersistentModel>: AnyLiveQuery {
  /// What the results are of a fetch by, apart from what it prefetches.
  let descriptor: FetchDescriptor<Model>
  /// How the rows are asked for: those in front of the results are kept too, and some behind them in reserve.
  private let question: FetchDescriptor<Model>
  private(set) var rows: ResultRows<Model>
  /// Whether there are no further rows behind those that are kept.
  private var isWhole = true
  /// The rows of the results.
  private(set) var shown = OrderedRows()
  /// Why the rows could not be asked for; nil when they could the last time.
  private(set) var failure: (any Error)?
  private var change = LiveQueryChange()
  private var subscribers: [Subscription] = []
  /// Models of rows that others are compared with first, by their keys.
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
  ///   - isOfAll: See ``LiveQueryFilter``.
  ///   - isFollowing: Whether changed rows are looked at where that can tell the results. Otherwise they are asked for
  ///     again, which is how tests know what is right.
  /// - Throws: What a fetch throws.
  init(
    _ descriptor: FetchDescriptor<Model>, _ concern: ResultsConcern, _ context: ModelContext, _ queries: LiveQueries,
    isOfAll: Bool, isFollowing: Bool, rows known: ResultRows<Model>? = nil
  ) throws {
    self.descriptor = descriptor
    self.context = context
    self.queries = queries
    self.isFollowing = isFollowing && !concern.isOfSaved && !concern.isUnknown
    question = self.isFollowing ? Self.question(for: descriptor) : descriptor
    let condition = descriptor.predicate.map { CompiledCondition($0) }
    self.condition = condition
    let graph = context.graph
    order = RowOrder(descriptor, try graph.requireBinding(for: Model.self))
    let question = question
    rows = try graph.exclusively {
      try graph.prepareToRead(descriptor)
      return try known ?? graph.resultRows(question)
    }
    super.init(LiveQueryFilter(concern, isOfAll: isOfAll, demand: condition?.demand))
    recordAsked()
  }

  func add(_ subscriber: any LiveQuerySubscriber) {
    subscribers.removeAll { $0.subscriber == nil }
    subscribers.append(Subscription(subscriber: subscriber))
  }

  func remove(_ subscriber: any LiveQuerySubscriber) {
    subscribers.removeAll { $0.subscriber == nil || $0.subscriber === subscriber }
  }

  /// Brings the rows up to date.
  func update() {
    queries.update()
  }

  /// The models among the results that have no row yet, by their temporary keys.
  var unsaved: [Int64: Model] { rows.unsaved }

  /// The position of a model among the results; nil when it is none of them.
  func position(of model: Model) -> Int? {
    let row = graph.row(of: model)
    return shown.position(of: row.key).flatMap { shown[$0] == row ? $0 : nil }
  }

  override func publish() {
    let change = change
    self.change = LiveQueryChange()
    for subscription in subscribers { subscription.subscriber?.resultsHaveChanged(change) }
  }

  // MARK: Asking

  /// The descriptor for the rows up to the last of the results, and some more.
  static func question(for descriptor: FetchDescriptor<Model>) -> FetchDescriptor<Model> {
    var question = descriptor
    question.fetchOffset = nil
    let (offset, limit) = (descriptor.fetchOffset ?? 0, descriptor.limit ?? .max)
    // No result has as many rows.
    question.fetchLimit = max(offset, limit) > 1 << 48 ? nil : offset + limit + max(16, limit / 4)
    return question
  }

  override func askAgain(after changes: ChangedRows?) -> Bool {
    if filter.isOfAll { recordUpdates(changes) }
    return graph.exclusively {
      graph.attempt("updating live results of \(Model.self)") {
        do {
          renumber()
          rows = try graph.resultRows(question)
          failure = nil
          let previous = shown
          recordAsked()
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

  private func recordAsked() {
    isWhole = question.limit.map { rows.keys.count < $0 } ?? true
    cutOut()
  }

  /// Takes the results from the rows.
  private func cutOut() {
    filter.recordRows(rows.keys)
    guard isFollowing, descriptor.limit != nil || descriptor.fetchOffset ?? 0 > 0 else {
      shown = rows.keys
      return
    }
    let start = min(descriptor.fetchOffset ?? 0, rows.keys.count)
    let count = min(descriptor.limit ?? .max, rows.keys.count - start)
    shown = OrderedRows(rows.keys.rows(at: start..<start + count))
  }

  private func renumber() {
    let count = rows.keys.count
    let renumbered = rows.renumber()
    shown.replaceKeys(renumbered)
    change.renumbered.merge(renumbered) { $1 }
    filter.recordRows(rows.keys)
    if rows.keys.count == count { return }
    change.hasOtherRows = true
    cutOut()
  }

  // MARK: Following

  override func follow(_ changed: ChangedRows.Group) -> Outcome {
    guard isFollowing, failure == nil else { return .unknown }
    if !rows.unsaved.isEmpty, changed.hasSaved {
      renumber()
      // What of the results has gone leaves a gap that only the store can fill.
      if change.hasOtherRows, !isWhole { return .unknown }
    }
    do {
      let concerned = changed.places(for: concern)
      // The store finds the first rows sooner than as many changed ones are looked at.
      if !isWhole, concerned.count > rows.keys.count, !graph.hasChanges { return .unknown }
      let previous = positions(of: concerned, changed)
      let added = try selected(of: concerned, changed)
      // A property that could not be read has a placeholder.
      if graph.hasUnreportedFailure { return .unknown }
      if previous.isEmpty, added.isEmpty { return change.hasOtherRows ? .changed : .unchanged }
      if filter.isOfAll {
        // That a model was saved is no other value, unless it was changed before or after that.
        let saved = Set(change.renumbered.lazy.filter { changed.places[$0.key] == nil }.map(\.value))
        change.updated.formUnion(
          added.lazy.map { changed.rows[$0] }.filter { !($0.isRecordedOnce && saved.contains($0.key)) }.map(\.key))
      }
      let session = try graph.requireBinding(for: Model.self).session
      let isMoved = try session.readingTogether { try move(from: previous, added, changed) }
      return isMoved && !graph.hasUnreportedFailure ? .changed : .unknown
    } catch {
      // The fetch throws it, or knows better.
      return .unknown
    }
  }

  /// The positions of those of the changed rows that are kept, in ascending order.
  private func positions(of concerned: [Int], _ changed: ChangedRows.Group) -> [Int] {
    // Looking up a key takes as long as passing over some dozen rows.
    if concerned.count <= 2 || concerned.count <= 16 && rows.keys.count > 16 {
      return concerned.compactMap { rows.keys.position(of: changed.rows[$0].key) }.sorted()
    }
    var positions: [Int] = []
    rows.keys.visit { position, row in
      guard let place = changed.places[row.key], concern.isConcerned(by: changed.rows[place]) else { return }
      positions.append(position)
    }
    return positions
  }

  /// The places of the changed rows that the predicate selects.
  private func selected(of concerned: [Int], _ changed: ChangedRows.Group) throws -> [Int] {
    var places = concerned
    if let demand = condition?.demand { places = changed.places(among: concerned, with: demand) }
    guard let condition else { return places.filter { changed.rows[$0].model != nil } }
    return try places.filter { place in
      guard let model = changed.rows[place].model else { return false }
      return try condition.evaluate(unsafeDowncast(model, to: Model.self))
    }
  }

  /// Takes rows out, and puts changed ones where they belong now.
  ///
  /// - Returns: False where looking for the places would take longer than to ask for the rows, or they are not known.
  private func move(from removed: [Int], _ added: [Int], _ changed: ChangedRows.Group) throws -> Bool {
    var keys = rows.keys
    keys.remove(at: removed)
    var effort = max(1024, keys.count / 2)
    // A row that was compared with one that others had changed, before the notice of that came, can be at the wrong side of it.
    for position in Set(removed.indices.map { removed[$0] - $0 }) where try !isAscending(at: position, in: keys) {
      return false
    }
    var insertions: [(position: Int, row: RowKey)] = []
    var start = 0
    for place in sorted(added, changed) {
      // What comes after as many rows as are kept is not kept.
      if let limit = question.fetchLimit, start + insertions.count >= limit {
        isWhole = false
        break
      }
      let row = changed.rows[place]
      guard let model = row.model.map({ unsafeDowncast($0, to: Model.self) }),
        let position = try self.position(for: model, row.key, in: keys, from: start, &effort)
      else { return false }
      start = position
      // What comes after the last one that is kept belongs to the results only where there is nothing else behind it.
      if position == keys.count, !isWhole { break }
      insertions.append((position, RowKey(key: row.key, entity: row.entity)))
    }
    let isSame =
      removed.count == insertions.count
      && insertions.indices.allSatisfy { place in
        insertions[place].position + place == removed[place] && rows.keys[removed[place]] == insertions[place].row
      }
    hold(insertions, insteadOf: removed, changed)
    if isSame { return true }
    keys.insert(insertions)
    if let limit = question.fetchLimit {
      // Twice the reserve, so that it is not cut each time.
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
    cutOut()
    if descriptor.limit == nil || shown != previous { change.hasOtherRows = true }
    return true
  }

  /// Holds those of the models that have no row yet.
  private func hold(
    _ insertions: [(position: Int, row: RowKey)], insteadOf removed: [Int], _ changed: ChangedRows.Group
  ) {
    if !rows.unsaved.isEmpty { for position in removed { rows.unsaved[rows.keys[position].key] = nil } }
    for (_, row) in insertions where row.key < 0 {
      rows.unsaved[row.key] = changed.places[row.key].flatMap { changed.rows[$0].model }.map {
        unsafeDowncast($0, to: Model.self)
      }
    }
  }

  // MARK: Order

  private func sorted(_ places: [Int], _ changed: ChangedRows.Group) -> [Int] {
    if places.count < 32 { return places.sorted { precedes($0, $1, changed) } }
    let ranks = changed.ranks(inOrder: AnyHashable(descriptor.sortBy)) { precedes($0, $1, changed) }
    return places.sorted { ranks[$0] < ranks[$1] }
  }

  private func precedes(_ left: Int, _ right: Int, _ changed: ChangedRows.Group) -> Bool {
    let (left, right) = (changed.rows[left], changed.rows[right])
    guard let leftModel = left.model, let rightModel = right.model else { return false }
    return order.precedes(
      unsafeDowncast(leftModel, to: Model.self), unsafeDowncast(rightModel, to: Model.self),
      keys: (left.key, right.key))
  }

  /// The position in a list that a model comes before, which is `start` or a later one; nil where that cannot be said, or
  /// takes too much effort.
  ///
  /// - Parameter effort: How many rows may be compared.
  private func position(
    for model: Model, _ key: Int64, in keys: OrderedRows, from start: Int, _ effort: inout Int
  ) throws -> Int? {
    var (low, high) = (start, keys.count)
    while low < high {
      // The models of rows where parts begin are kept: these rows stay the same for long.
      let (middle, isBeginning) = keys.middle(of: low..<high)
      effort -= 1
      guard effort > 0, let other = try self.model(of: keys[middle], keepingRead: isBeginning) else { return nil }
      if order.precedes(other, model, keys: (keys[middle].key, key)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether the row before a position, where there is one, belongs before the one at it.
  private func isAscending(at position: Int, in keys: OrderedRows) throws -> Bool {
    guard position > 0, position < keys.count else { return true }
    let (left, right) = (keys[position - 1], keys[position])
    guard let leftModel = try model(of: left), let rightModel = try model(of: right) else { return false }
    return order.precedes(leftModel, rightModel, keys: (left.key, right.key))
  }

  /// The model of a row; nil when the row is gone.
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
