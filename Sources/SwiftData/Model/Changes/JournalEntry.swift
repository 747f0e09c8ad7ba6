/// One entry of a context's journal: what became of a property of a saved model since the last save, and how to go back.
///
/// What the property has now is in the model, so an entry has what was there before. A property has one entry at most,
/// made at its first change; later changes of a to-many go on in the same one.
enum JournalEntry {
  /// An attribute was set. `old` is the storage that it had.
  case attribute(Int32, old: Any)
  /// A to-one was led elsewhere.
  case target(Int32, old: _ToOneContent)
  /// Members of a to-many were linked, unlinked or moved.
  case members(Int32, MemberChanges)

  /// The property's position among those of its model.
  var index: Int {
    switch self {
    case .attribute(let index, _), .target(let index, _), .members(let index, _): Int(index)
    }
  }
}

/// What a property had before it was changed here and by others. It holds no models.
enum JournalBase {
  /// A copy of an attribute's storage.
  case attribute(Any)
  /// The key of what a to-one led to; zero for nothing.
  case target(Int64)
  /// The order of a to-many.
  case members([PersistentIdentifier])
}
