/// An entry of a context's journal: one changed property of a persistent model, with the value to roll back to.
///
/// The model has the current value, so the entry has the value before the change. A property has at most one entry, made by
/// its first change since the last save; later changes of a to-many update the same entry.
enum JournalEntry {
  /// An attribute was set. `old` is a copy of its storage before.
  case attribute(Int32, old: Any)
  /// A to-one was set. `old` is its storage before.
  case target(Int32, old: _ToOneContent)
  /// Members of a to-many were linked, unlinked or moved.
  case members(Int32, MemberChanges)

  /// The position of the property in its model's list of properties.
  var index: Int {
    switch self {
    case .attribute(let index, _), .target(let index, _), .members(let index, _): Int(index)
    }
  }
}

/// The committed value of a property before it was changed both in this context and in another one. It retains no models.
enum OriginalValue {
  /// A copy of an attribute's storage.
  case attribute(Any)
  /// The key of a to-one's target; zero for nil.
  case target(Int64)
  /// The members of a to-many, in order.
  case members([PersistentIdentifier])
}
