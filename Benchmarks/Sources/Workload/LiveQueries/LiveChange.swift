/// A change of a store while queries are followed.
package enum LiveChange: Sendable {
  /// The row of another table gets another text, which no query selects.
  case note(Int)
  case position(row: Int, Int)
  case owner(row: Int, Int)
  case text(row: Int, word: Int)
  /// All rows get other positions, those of a turn.
  case allPositions(turn: Int)
  case insert([LiveSeed])
  /// The rows that were inserted last are deleted.
  case deleteInserted
}

/// Who saves a change.
package enum LiveSaving: Sendable {
  /// It stays unsaved.
  case unsaved
  case sameContext
  /// Another context makes the change and saves it.
  case otherContext
}
