/// What one save has made of the members of a to-many that the store had before.
struct ListChange: Sendable {
  let owner: RowKey
  /// The position of the relationship among the properties of the owner's entity.
  let property: Int
  /// Nil when the members have to be asked for.
  let difference: Difference?

  struct Difference: Sendable {
    /// In their order, which is behind all others.
    let added: [RowKey]
    let removed: [RowKey]
  }

  struct Place: Hashable {
    fileprivate let owner: RowKey
    fileprivate let property: Int
  }

  var place: Place { Place(owner: owner, property: property) }

  var withoutDifference: ListChange { ListChange(owner: owner, property: property, difference: nil) }

  /// What it takes to remember it, in keys.
  var keyCount: Int { 1 + (difference.map { $0.added.count + $0.removed.count } ?? 0) }
}
