/// A change to a store while queries are followed.
package enum LiveChange: Sendable {
  /// Changes the text of a row in another table, which no query selects.
  case note(Int)
  case position(row: Int, Int)
  case owner(row: Int, Int)
  case text(row: Int, word: Int)
  /// Changes the positions of all rows to those of a turn.
  case allPositions(turn: Int)
  case insert([LiveSeed])
  /// Deletes the rows that were inserted last.
  case deleteInserted
}

/// How a change is saved.
package enum LiveSaving: Sendable {
  /// The change stays unsaved.
  case unsaved
  case sameContext
  /// Another context makes the change and saves it.
  case otherContext
}
