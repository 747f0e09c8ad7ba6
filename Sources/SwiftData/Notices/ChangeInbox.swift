import Support

/// Collects change notifications of other contexts, from any thread, until its context merges them.
///
/// Notifications are merged: however late the context merges, an inbox has one entry for each entity, and at most
/// `keyLimit` keys in total. Beyond that an entry only says that any row of the entity may have changed.
final class ChangeInbox: Sendable {
  /// The changes since the last call of `take`.
  struct Changes: Sendable {
    /// By the position of the entity in the schema.
    fileprivate(set) var entities: [Int: EntityChanges] = [:]
    fileprivate var keyCount = 0
    /// Whether the keys of inserted rows are kept.
    fileprivate var keepsInserted = false
    /// As in `ChangeNotice.lists`.
    fileprivate(set) var lists: [ListChange.Key: ListChange]? = [:]
    fileprivate var listCount = 0

    var isEmpty: Bool { entities.isEmpty }
  }

  struct EntityChanges: Sendable {
    fileprivate(set) var updated: Set<Int64> = []
    /// The updated rows of which to-ones were set, and these to-ones.
    fileprivate(set) var relinked: Set<Int64> = []
    fileprivate(set) var relinkedProperties: UInt64 = 0
    fileprivate(set) var deleted: Set<Int64> = []
    /// Inserted rows, if the inbox keeps them: see `keepInserted`.
    fileprivate(set) var inserted: Set<Int64> = []
    /// Whether more rows were inserted than are kept.
    fileprivate(set) var hasOtherInserted = false
    /// The properties that changed in any of the rows, in the format of `_ModelState.dirty`.
    fileprivate(set) var properties: UInt64 = 0
    /// Whether rows were inserted or deleted.
    fileprivate(set) var hasInsertionsOrDeletions = false
    /// Whether rows were changed or deleted whose keys are not kept.
    fileprivate(set) var hasUnlistedKeys = false
    /// Whether all rows were invalidated: see `ChangeNotice.isInvalidation`.
    fileprivate(set) var isInvalidated = false

    fileprivate var keyCount: Int { updated.count + deleted.count }
  }

  /// The maximum number of keys: they take about 64 KB.
  static let keyLimit = 4096
  /// The maximum number of inserted rows of an entity.
  static let insertedLimit = 256

  private struct State {
    var changes = Changes()
    /// Whether `announce` was called since the last call of `take`.
    var isAnnounced = false
    /// Called on the thread that posts the first notification after a call of `take`.
    var announce: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func post(_ notice: ChangeNotice) {
    leave(notice)?()
  }

  /// Adds a notification without announcing it.
  ///
  /// - Returns: The announcement, which the caller has to call; nil if it was made already.
  func leave(_ notice: ChangeNotice) -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.changes.merge(notice)
      if state.isAnnounced { return nil }
      state.isAnnounced = true
      return state.announce
    }
  }

  /// Discards which members grown lists have gained, so that these lists are read again: the context of the inbox has
  /// committed members of to-manys after the commits in the inbox, and only the store has the order of both.
  func forgetGrowth() {
    state.withLock { state in
      guard state.changes.lists?.isEmpty == false else { return }
      state.changes.lists = state.changes.lists?.mapValues(\.withoutGrowth)
    }
  }

  func take() -> Changes {
    state.withLock { state in
      state.isAnnounced = false
      defer { state.changes = Changes(keepsInserted: state.changes.keepsInserted) }
      return state.changes
    }
  }

  /// Sets whether the keys of inserted rows are kept, for queries that need more than changes of registered models.
  func keepInserted(_ keepsInserted: Bool) {
    state.withLock { $0.changes.keepsInserted = keepsInserted }
  }

  /// Returns changes that could not be merged, as older than all that were posted since.
  func putBack(_ changes: Changes) {
    state.withLock { state in
      var merged = changes
      merged.merge(state.changes)
      state.changes = merged
    }
  }

  func onPost(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.announce = body }
  }
}

extension ChangeInbox.Changes {
  fileprivate mutating func merge(_ notice: ChangeNotice) {
    // A context that has not registered the rows needs to know only that rows were inserted.
    notice.inserted.visit { entry in
      record(entry.entity, hasInsertionsOrDeletions: true)
      recordInserted(entry.keys, of: entry.entity)
    }
    notice.updated.visit { entry in
      record(entry.entity, properties: entry.properties)
      merge(entry.keys, into: \.updated, of: entry.entity)
    }
    notice.relinked.visit { mergeRelinked($0.keys, $0.properties, of: $0.entity) }
    notice.deleted.visit { entry in
      record(entry.entity, hasInsertionsOrDeletions: true)
      merge(entry.keys, into: \.deleted, of: entry.entity)
    }
    for entity in notice.unknown {
      forgetKeys(of: entity)
      if notice.isInvalidation { entities[entity]?.isInvalidated = true }
    }
    merge(notice.lists)
  }

  private mutating func merge(_ others: (some Sequence<ListChange>)?) {
    guard lists != nil else { return }
    guard let others else {
      lists = nil
      return
    }
    for change in others {
      listCount += change.keyCount
      if lists?[change.listKey]?.merge(change) == nil { lists?[change.listKey] = change }
    }
    if listCount > ChangeInbox.keyLimit { lists = nil }
  }

  fileprivate mutating func merge(_ other: Self) {
    for (entity, changes) in other.entities {
      record(entity, properties: changes.properties, hasInsertionsOrDeletions: changes.hasInsertionsOrDeletions)
      if changes.hasUnlistedKeys { forgetKeys(of: entity) }
      if changes.isInvalidated { entities[entity]?.isInvalidated = true }
      merge(changes.updated, into: \.updated, of: entity)
      recordInserted(changes.inserted, of: entity)
      if changes.hasOtherInserted { entities[entity]?.hasOtherInserted = true }
      mergeRelinked(changes.relinked, changes.relinkedProperties, of: entity)
      merge(changes.deleted, into: \.deleted, of: entity)
    }
    merge(other.lists?.values)
  }

  private mutating func recordInserted(_ keys: some Collection<Int64>, of entity: Int) {
    guard keepsInserted, let count = entities[entity]?.inserted.count else { return }
    if count + keys.count <= ChangeInbox.insertedLimit {
      entities[entity]?.inserted.formUnion(keys)
    } else {
      entities[entity]?.hasOtherInserted = true
    }
  }

  /// The keys are among the updated ones already.
  private mutating func mergeRelinked(_ keys: some Collection<Int64>, _ properties: UInt64, of entity: Int) {
    if entities[entity]?.hasUnlistedKeys != false { return }
    entities[entity]?.relinked.formUnion(keys)
    entities[entity]?.relinkedProperties |= properties
  }

  private mutating func record(_ entity: Int, properties: UInt64 = 0, hasInsertionsOrDeletions: Bool = false) {
    entities[entity, default: ChangeInbox.EntityChanges()].properties |= properties
    if hasInsertionsOrDeletions { entities[entity]?.hasInsertionsOrDeletions = true }
  }

  private mutating func merge(
    _ keys: some Collection<Int64>, into list: WritableKeyPath<ChangeInbox.EntityChanges, Set<Int64>>, of entity: Int
  ) {
    record(entity)
    if entities[entity]?.hasUnlistedKeys == true { return }
    guard keys.count <= ChangeInbox.keyLimit else { return forgetKeys(of: entity) }
    let count = entities[entity]?.keyCount ?? 0
    entities[entity]?[keyPath: list].formUnion(keys)
    keyCount += (entities[entity]?.keyCount ?? 0) - count
    while keyCount > ChangeInbox.keyLimit, let largest = entities.max(by: { $0.value.keyCount < $1.value.keyCount }) {
      forgetKeys(of: largest.key)
    }
  }

  private mutating func forgetKeys(of entity: Int) {
    keyCount -= entities[entity]?.keyCount ?? 0
    let previous = entities[entity]
    entities[entity] = ChangeInbox.EntityChanges(hasUnlistedKeys: true, isInvalidated: previous?.isInvalidated == true)
  }
}
