/// A to-many that the store had before, and that has other members by a save.
struct ListChange: Sendable {
  let owner: RowKey
  /// The position of the relationship among the properties of the owner's entity.
  let property: Int
  /// The members that have come, where those before them are the same in the same order; nil where that is not known.
  private(set) var added: [RowKey]?

  struct Place: Hashable {
    fileprivate let owner: RowKey
    fileprivate let property: Int
  }

  var place: Place { Place(owner: owner, property: property) }

  /// What it takes to remember it, in keys.
  var keyCount: Int { 1 + (added?.count ?? 0) }

  /// The same after a later change.
  mutating func merge(_ later: ListChange) {
    if let more = later.added { added?.append(contentsOf: more) } else { added = nil }
  }

  /// The same without the members that have come, so that the list is to be read again.
  var withoutGrowth: ListChange { ListChange(owner: owner, property: property) }

  init(owner: RowKey, property: Int, added: [RowKey]? = nil) {
    self.owner = owner
    self.property = property
    self.added = added
  }
}
