import Support

/// Where other contexts leave word of their saves, from any thread, until this one looks.
///
/// Notices are merged: however long nobody looks, an inbox has one entry for each entity and, of all together, no more
/// keys than `keyLimit`. Beyond that it is only known that an entity's rows may have changed.
final class ChangeInbox: Sendable {
  /// What happened since somebody looked last.
  struct Changes: Sendable {
    /// By the position of the entity in the schema.
    fileprivate(set) var entities: [Int: EntityChanges] = [:]
    fileprivate var keyCount = 0
    /// Whether the keys of rows that came are worth remembering.
    fileprivate var keepsInserted = false
    /// As notices have them.
    fileprivate(set) var lists: [ListChange.Place: ListChange]? = [:]
    fileprivate var listCount = 0

    var isEmpty: Bool { entities.isEmpty }
  }

  struct EntityChanges: Sendable {
    fileprivate(set) var updated: Set<Int64> = []
    /// Those of the updated of which a to-one was set, and these.
    fileprivate(set) var relinked: Set<Int64> = []
    fileprivate(set) var relinkedProperties: UInt64 = 0
    fileprivate(set) var deleted: Set<Int64> = []
    /// Rows that came, where the inbox keeps them: see `keepInserted`.
    fileprivate(set) var inserted: Set<Int64> = []
    /// Whether more rows came than are kept.
    fileprivate(set) var hasOtherInserted = false
    /// The properties that changed in any of the rows, as `_ModelState.dirty` has them.
    fileprivate(set) var properties: UInt64 = 0
    /// Whether rows came, or went.
    fileprivate(set) var hasOtherRows = false
    /// Whether rows were changed or deleted that the keys do not tell.
    fileprivate(set) var isBeyondCount = false
    /// Whether all rows were invalidated: see `ChangeNotice.isInvalidation`.
    fileprivate(set) var isInvalidated = false

    fileprivate var keyCount: Int { updated.count + deleted.count }
  }

  /// How many keys are worth remembering: they take some 64 KB.
  static let keyLimit = 4096
  /// The same for rows of an entity that came.
  static let insertedLimit = 256

  private struct State {
    var changes = Changes()
    /// Whether somebody was told since the last look.
    var isAnnounced = false
    /// Called on the thread that left the first notice after a look.
    var announce: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func post(_ notice: ChangeNotice) {
    leave(notice)?()
  }

  /// Does the same but for telling whoever looks that there is something.
  ///
  /// - Returns: What tells them; nil when that was done already.
  func leave(_ notice: ChangeNotice) -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.changes.merge(notice)
      if state.isAnnounced { return nil }
      state.isAnnounced = true
      return state.announce
    }
  }

  /// The context of the inbox has committed members of to-manys after the commits that the inbox has. The order of its
  /// members and of theirs is for the store to say, so that lists which have grown are to be read again.
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

  /// Whether the keys of rows that came are kept, for those who look for more than changes of what they have.
  func keepInserted(_ keepsInserted: Bool) {
    state.withLock { $0.changes.keepsInserted = keepsInserted }
  }

  /// Takes back what somebody could not take in, as what came before all that has come since.
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
    // Who has made nothing of the rows has nothing to learn but that there are some.
    notice.inserted.visit { entry in
      record(entry.entity, hasOtherRows: true)
      recordInserted(entry.keys, of: entry.entity)
    }
    notice.updated.visit { entry in
      record(entry.entity, properties: entry.properties)
      merge(entry.keys, into: \.updated, of: entry.entity)
    }
    notice.relinked.visit { mergeRelinked($0.keys, $0.properties, of: $0.entity) }
    notice.deleted.visit { entry in
      record(entry.entity, hasOtherRows: true)
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
      if lists?[change.place]?.merge(change) == nil { lists?[change.place] = change }
    }
    if listCount > ChangeInbox.keyLimit { lists = nil }
  }

  fileprivate mutating func merge(_ other: Self) {
    for (entity, changes) in other.entities {
      record(entity, properties: changes.properties, hasOtherRows: changes.hasOtherRows)
      if changes.isBeyondCount { forgetKeys(of: entity) }
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

  /// Of those that are among the updated already.
  private mutating func mergeRelinked(_ keys: some Collection<Int64>, _ properties: UInt64, of entity: Int) {
    if entities[entity]?.isBeyondCount != false { return }
    entities[entity]?.relinked.formUnion(keys)
    entities[entity]?.relinkedProperties |= properties
  }

  private mutating func record(_ entity: Int, properties: UInt64 = 0, hasOtherRows: Bool = false) {
    entities[entity, default: ChangeInbox.EntityChanges()].properties |= properties
    if hasOtherRows { entities[entity]?.hasOtherRows = true }
  }

  private mutating func merge(
    _ keys: some Collection<Int64>, into list: WritableKeyPath<ChangeInbox.EntityChanges, Set<Int64>>, of entity: Int
  ) {
    record(entity)
    if entities[entity]?.isBeyondCount == true { return }
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
    entities[entity] = ChangeInbox.EntityChanges(isBeyondCount: true, isInvalidated: previous?.isInvalidated == true)
  }
}
