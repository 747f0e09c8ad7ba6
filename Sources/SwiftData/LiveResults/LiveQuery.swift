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

  /// Brings the rows up to date by looking at those that have changed, and at none else.
  func follow(_ changes: ChangedRows) -> Outcome { preconditionFailure("overridden") }

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
  /// Whether the unsaved changes of the context do not count.
  let isOfSaved: Bool
  /// Whether all properties of the models count, and subscribers want to know which of the models have other values.
  let isOfAll: Bool
  /// What a model demands to be selected.
  let demand: EqualityDemand?
  /// A bit for each of the rows, which several keys share.
  private var members: UInt64 = .max

  init(_ concern: ResultsConcern, isOfSaved: Bool = false, isOfAll: Bool = false, demand: EqualityDemand? = nil) {
    self.concern = concern
    self.isOfSaved = isOfSaved
    self.isOfAll = isOfAll
    self.demand = demand
  }

  /// Whether the rows may have one with a key.
  func mayHave(_ key: Int64) -> Bool { members & Self.bit(key) != 0 }

  private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key & 63) }

  func noteRows(_ rows: OrderedRows) {
    let keys = rows.count > 64 ? [] : rows.rows(at: 0..<rows.count).map(\.key)
    // A temporary key is another one as soon as the model is saved.
    let isKnown = keys.count == rows.count && keys.allSatisfy { $0 > 0 }
    members = isKnown ? keys.reduce(0) { $0 | Self.bit($1) } : .max
  }
}

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
  // Unchecked: each access is over before other code runs.
  @exclusivity(unchecked) private(set) var rows: ResultRows<Model>
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
    self.isFollowing = isFollowing && descriptor.includePendingChanges && !concern.isUnknown
    question = self.isFollowing ? Self.question(for: descriptor) : descriptor
    let condition = descriptor.predicate.map { CompiledCondition($0) }
    self.condition = condition
    let graph = context.graph
    order = RowOrder(descriptor, try graph.requireBinding(for: Model.self))
    let question = question
    rows = try graph.alone {
      try graph.prepareToRead(descriptor)
      return try known ?? graph.resultRows(question)
    }
    super.init(
      LiveQueryFilter(
        concern, isOfSaved: !descriptor.includePendingChanges, isOfAll: isOfAll, demand: condition?.demand))
    noteAsked()
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
    question.fetchLimit = descriptor.fetchLimit.map { sum(of: [descriptor.fetchOffset, $0, max(16, $0 / 4)]) }
    return question
  }

  private static func sum(of counts: [Int?]) -> Int {
    counts.reduce(0) { sum, count in
      let (sum, isOverflow) = sum.addingReportingOverflow(count ?? 0)
      return isOverflow ? .max : sum
    }
  }

  override func askAgain(after changes: ChangedRows?) -> Bool {
    if filter.isOfAll { noteUpdates(changes) }
    return graph.alone {
      graph.attempt("updating live results of \(Model.self)") {
        do {
          renumber()
          rows = try graph.resultRows(question)
          failure = nil
          let former = shown
          noteAsked()
          if shown != former { change.hasOtherRows = true }
        } catch {
          failure = error
          throw error
        }
      }
    }
  }

  private func noteUpdates(_ changes: ChangedRows?) {
    if let changed = changes?.group(of: concern.ownEntities) {
      change.updated.formUnion(changed.rows.lazy.filter(concern.isConcerned).map(\.key))
    } else {
      shown.visit { _, row in change.updated.insert(row.key) }
    }
  }

  private func noteAsked() {
    isWhole = question.fetchLimit.map { rows.keys.count < $0 } ?? true
    cutOut()
  }

  /// Takes the results from the rows.
  private func cutOut() {
    filter.noteRows(rows.keys)
    guard isFollowing, descriptor.fetchLimit != nil || descriptor.fetchOffset ?? 0 > 0 else {
      shown = rows.keys
      return
    }
    let start = min(descriptor.fetchOffset ?? 0, rows.keys.count)
    let count = min(descriptor.fetchLimit ?? .max, rows.keys.count - start)
    shown = OrderedRows(rows.keys.rows(at: start..<start + count))
  }

  private func renumber() {
    let count = rows.keys.count
    let renumbered = rows.renumber()
    shown.replaceKeys(renumbered)
    change.renumbered.merge(renumbered) { $1 }
    filter.noteRows(rows.keys)
    if rows.keys.count == count { return }
    change.hasOtherRows = true
    cutOut()
  }

  // MARK: Following

  override func follow(_ changes: ChangedRows) -> Outcome {
    guard isFollowing, failure == nil, let changed = changes.group(of: concern.ownEntities) else { return .unknown }
    if !rows.unsaved.isEmpty, changed.hasSaved {
      renumber()
      // What of the results has gone leaves a gap that only the store can fill.
      if change.hasOtherRows, !isWhole { return .unknown }
    }
    do {
      let concerned = changed.places(for: concern)
      let former = positions(of: concerned, changed)
      let added = try selected(of: concerned, changed)
      // A property that could not be read has a placeholder.
      if graph.hasUnreportedFailure { return .unknown }
      if former.isEmpty, added.isEmpty { return change.hasOtherRows ? .changed : .unchanged }
      if filter.isOfAll {
        // That a model was saved is no other value, unless it was changed before or after that.
        let saved = Set(change.renumbered.lazy.filter { changed.places[$0.key] == nil }.map(\.value))
        change.updated.formUnion(
          added.lazy.map { changed.rows[$0] }.filter { !($0.isNotedOnce && saved.contains($0.key)) }.map(\.key))
      }
      let isMoved = try move(from: former.values.sorted(), added, changed)
      return isMoved && !graph.hasUnreportedFailure ? .changed : .unknown
    } catch {
      // The fetch throws it, or knows better.
      return .unknown
    }
  }

  /// The positions of those of the changed rows that are kept, by their places among the changed.
  private func positions(of concerned: [Int], _ changed: ChangedRows.Group) -> [Int: Int] {
    var positions: [Int: Int] = [:]
    // Looking up a key takes as long as passing over some dozen rows.
    if concerned.count > 16 || concerned.count > 2 && rows.keys.count <= 16 {
      rows.keys.visit { position, row in
        if let place = changed.places[row.key], concern.isConcerned(by: changed.rows[place]) {
          positions[place] = position
        }
      }
    } else {
      for place in concerned {
        if let position = rows.keys.position(of: changed.rows[place].key) { positions[place] = position }
      }
    }
    return positions
  }

  /// The places of the changed rows that the predicate selects.
  private func selected(of concerned: [Int], _ changed: ChangedRows.Group) throws -> [Int] {
    var places = concerned
    if let demand = condition?.demand {
      places = changed.places(among: concerned, with: demand)
    } else if concerned.count > 32, !isWhole {
      places = try withinBounds(concerned, changed)
    }
    guard let condition else { return places.filter { changed.rows[$0].model != nil } }
    return try places.filter { place in
      guard let model = changed.rows[place].model else { return false }
      return try condition.evaluate(unsafeDowncast(model, to: Model.self))
    }
  }

  /// The places of the changed rows that come before the last row that is kept: no others can be kept.
  private func withinBounds(_ concerned: [Int], _ changed: ChangedRows.Group) throws -> [Int] {
    let count = rows.keys.count
    guard count > 0, changed.places[rows.keys[count - 1].key] == nil,
      let last = try models(of: [rows.keys[count - 1]]).first
    else { return concerned }
    let key = rows.keys[count - 1].key
    let order = order(of: changed)
    var (low, high) = (0, order.places.count)
    while low < high {
      let middle = (low + high) / 2
      let row = changed.rows[order.places[middle]]
      guard let model = row.model else { return concerned }
      let precedes = self.order.precedes(unsafeDowncast(model, to: Model.self), last, keys: (row.key, key))
      if precedes { low = middle + 1 } else { high = middle }
    }
    return order.places[..<low].filter { concern.isConcerned(by: changed.rows[$0]) }
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
      let end = Self.sum(of: [descriptor.fetchOffset, descriptor.fetchLimit])
      if keys.count - limit > limit - end {
        for position in limit..<keys.count { rows.unsaved[keys[position].key] = nil }
        keys.truncate(to: limit)
        isWhole = false
      }
      if !isWhole, keys.count < end { return false }
    }
    rows.keys = keys
    let former = shown
    cutOut()
    if descriptor.fetchLimit == nil || shown != former { change.hasOtherRows = true }
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
    let ranks = order(of: changed).ranks
    return places.sorted { ranks[$0] < ranks[$1] }
  }

  /// The changed rows in the order of the results, which other queries with this order share.
  private func order(of changed: ChangedRows.Group) -> ChangedRows.Group.Order {
    changed.order(named: AnyHashable(descriptor.sortBy)) { precedes($0, $1, changed) }
  }

  private func precedes(_ left: Int, _ right: Int, _ changed: ChangedRows.Group) -> Bool {
    let (left, right) = (changed.rows[left], changed.rows[right])
    guard let leftModel = left.model, let rightModel = right.model else { return false }
    return order.precedes(
      unsafeDowncast(leftModel, to: Model.self), unsafeDowncast(rightModel, to: Model.self),
      keys: (left.key, right.key))
  }

  /// How many rows are read at once to narrow down a position.
  private static var probeCount: Int { 15 }

  /// The position in a list that a model comes before, which is `start` or a later one; nil where that cannot be said, or
  /// takes too much effort.
  ///
  /// - Parameter effort: How many rows may be compared.
  private func position(
    for model: Model, _ key: Int64, in keys: OrderedRows, from start: Int, _ effort: inout Int
  ) throws -> Int? {
    var (low, high) = (start, keys.count)
    // First among the first rows of parts, whose models are kept: these rows stay the same for long.
    var (firstPart, lastPart) = keys.parts(beginningIn: low..<high)
    while firstPart < lastPart {
      let parts = Self.probes(firstPart..<lastPart)
      guard let below = try count(of: parts.map(keys.start), before: model, key, in: keys, keepingRead: true, &effort)
      else { return nil }
      if below > 0 { (firstPart, low) = (parts[below - 1] + 1, keys.start(of: parts[below - 1]) + 1) }
      if below < parts.count { (lastPart, high) = (parts[below], keys.start(of: parts[below])) }
    }
    while low < high {
      let places = Self.probes(low..<high)
      guard let below = try count(of: places, before: model, key, in: keys, &effort) else { return nil }
      if below > 0 { low = places[below - 1] + 1 }
      if below < places.count { high = places[below] }
    }
    return low
  }

  /// Numbers that divide a range into parts of about the same size.
  private static func probes(_ range: Range<Int>) -> [Int] {
    let count = min(probeCount, range.count)
    return (1...count).map { range.lowerBound + range.count * $0 / (count + 1) }
  }

  /// How many of the rows at some positions come before a model.
  private func count(
    of positions: [Int], before model: Model, _ key: Int64, in keys: OrderedRows, keepingRead: Bool = false,
    _ effort: inout Int
  ) throws -> Int? {
    let others = try models(of: positions.map { keys[$0] }, keepingRead: keepingRead)
    effort -= Int.bitWidth - positions.count.leadingZeroBitCount
    guard effort > 0, others.count == positions.count else { return nil }
    var (below, above) = (0, positions.count)
    while below < above {
      let middle = (below + above) / 2
      if order.precedes(others[middle], model, keys: (keys[positions[middle]].key, key)) {
        below = middle + 1
      } else {
        above = middle
      }
    }
    return below
  }

  /// Whether the row before a position, where there is one, belongs before the one at it.
  private func isAscending(at position: Int, in keys: OrderedRows) throws -> Bool {
    guard position > 0, position < keys.count else { return true }
    let (left, right) = (keys[position - 1], keys[position])
    let models = try models(of: [left, right])
    return models.count == 2 && order.precedes(models[0], models[1], keys: (left.key, right.key))
  }

  /// The models of some rows; fewer where a row is gone.
  private func models(of rows: [RowKey], keepingRead: Bool = false) throws -> [Model] {
    let unsaved = self.rows.unsaved
    var models: [Int64: any PersistentModel] = [:]
    let unknown = rows.filter { row in
      if unsaved[row.key] != nil { return false }
      guard let pivot = pivots[row.key], pivot._$withState({ $0.isLive }) else { return true }
      models[row.key] = pivot
      return false
    }
    models.merge(try graph.presentModels(of: unknown)) { $1 }
    let found = rows.compactMap { row in unsaved[row.key] ?? models[row.key] as? Model }
    if keepingRead, found.count == rows.count, !unknown.isEmpty {
      if pivots.count > self.rows.keys.parts.count { pivots = [:] }
      for (row, model) in zip(rows, found) where row.key > 0 { pivots[row.key] = model }
    }
    return found
  }
}
