/// The changes of one save, or of another call that writes.
struct ChangeNotice: Sendable {
  var inserted = KeysByEntity()
  var updated = KeysByEntity()
  /// The updated rows of which a to-one was set, with these to-ones.
  var relinked = KeysByEntity()
  var deleted = KeysByEntity()
  /// The to-manys whose members or order have changed, in the order of the changes. Lists that follow from the rows of
  /// their members can be missing. Nil if the changed lists are not known.
  var lists: [ListChange]? = []
  /// Entities whose rows may all have been changed or deleted.
  var unknown: Set<Int> = []
  /// Whether the unknown rows have changed in an unknown way, so that contexts post a notification. False if it is not
  /// known whether they have changed.
  var isInvalidation = false
  /// The tokens of the save in the histories of the stores, by store identifier. Several custom stores can have the same
  /// identifier.
  var historyTokens: [(store: String, token: any HistoryToken)] = []

  /// - Parameter toOnes: The to-ones of the entity that affect lists, in the format of `_ModelState.dirty`.
  mutating func recordUpdate(of key: Int64, _ entity: Int, properties: UInt64, toOnes: UInt64) {
    updated.add(key, of: entity, properties: properties)
    if properties & toOnes != 0 { relinked.add(key, of: entity, properties: properties & toOnes) }
  }

  /// Records that the members of a to-many of some rows may have changed.
  mutating func recordLists(of keys: [Int64], _ entity: Int, _ property: Int) {
    if keys.count > ChangeInbox.keyLimit { lists = nil }
    guard lists != nil else { return }
    for key in keys {
      lists?.append(ListChange(owner: RowKey(key: key, entity: entity), property: property))
    }
  }

  /// Adds the changes of the same save in another store.
  mutating func add(_ other: ChangeNotice) {
    inserted.add(other.inserted)
    updated.add(other.updated)
    relinked.add(other.relinked)
    deleted.add(other.deleted)
    if let others = other.lists { lists?.append(contentsOf: others) } else { lists = nil }
    historyTokens += other.historyTokens
  }

  var tokensByStore: [String: any HistoryToken] {
    Dictionary(historyTokens.map { ($0.store, $0.token) }) { _, last in last }
  }
}
