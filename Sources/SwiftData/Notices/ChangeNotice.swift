/// What one save changed, or another call that writes.
struct ChangeNotice: Sendable {
  var inserted = KeysByEntity()
  var updated = KeysByEntity()
  /// Those of the updated of which somebody has set to-ones, with these properties.
  var relinked = KeysByEntity()
  var deleted = KeysByEntity()
  /// The to-manys that have other members, or the same in another order, in the order of the changes. Those that the rows
  /// of their members tell can be missing. Nil when nobody says which they are.
  var lists: [ListChange]? = []
  /// Entities of which any rows may have been changed or deleted.
  var unknown: Set<Int> = []
  /// Whether something has happened to the unknown rows of which nobody can tell more, so that contexts post that. It has
  /// not where it is only unknown whether something has.
  var isInvalidation = false
  /// The place of the save in the histories of the stores, by their identifiers. Custom stores can have the same one.
  var historyTokens: [(store: String, token: any HistoryToken)] = []

  /// - Parameter toOnes: The to-ones of the entity that concern lists, as `_ModelState.dirty` has properties.
  mutating func recordUpdate(of key: Int64, _ entity: Int, properties: UInt64, toOnes: UInt64) {
    updated.add(key, of: entity, properties: properties)
    if properties & toOnes != 0 { relinked.add(key, of: entity, properties: properties & toOnes) }
  }

  /// Notes that others may be the members of a to-many of some rows.
  mutating func recordLists(of keys: [Int64], _ entity: Int, _ property: Int) {
    if keys.count > ChangeInbox.keyLimit { lists = nil }
    guard lists != nil else { return }
    for key in keys {
      lists?.append(ListChange(owner: RowKey(key: key, entity: entity), property: property))
    }
  }

  /// Adds what the same save has changed in another store.
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
