/// A to-many of an existing row whose members were changed by a save.
struct ListChange: Sendable {
  let owner: RowKey
  /// The position of the relationship among the properties of the owner's entity.
  let property: Int
  /// The appended members, if the members before them are unchanged; nil otherwise, or if not known.
  private(set) var added: [RowKey]?

  struct Key: Hashable {
    fileprivate let owner: RowKey
    fileprivate let property: Int
  }

  var listKey: Key { Key(owner: owner, property: property) }

  /// The memory that it takes, as a number of keys.
  var keyCount: Int { 1 + (added?.count ?? 0) }

  /// Merges a later change of the same list.
  mutating func merge(_ later: ListChange) {
    if let more = later.added { added?.append(contentsOf: more) } else { added = nil }
  }

  /// The change without the appended members, so that the list is read again.
  var withoutGrowth: ListChange { ListChange(owner: owner, property: property) }

  init(owner: RowKey, property: Int, added: [RowKey]? = nil) {
    self.owner = owner
    self.property = property
    self.added = added
  }
}
