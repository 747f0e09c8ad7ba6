import Support

/// The sequences of one store, kept between its saves, so that the last keys are read, and spare ones discarded, only after
/// another connection has written to the database.
final class LastKeys: Sendable {
  private struct Known {
    /// The write generation of the connection. A transaction that is not committed ends it, so that the numbers assigned
    /// in it are discarded.
    var generation: UInt64 = 0
    var sequences: [String: KeySequence] = [:]
    var recent: (table: String, sequence: KeySequence)?
    /// The sequence of the history, which gets a row with each save.
    var history: KeySequence?
  }

  private let known = Mutex(Known())

  /// The sequence of a table, which is out of date if another connection has written.
  func recentSequence(of table: String) -> KeySequence? {
    known.withLock { $0.sequences[table] }
  }

  /// The sequence of a table.
  ///
  /// - Parameter last: Reads the last number if it is not known.
  func sequence(of table: String, _ generation: UInt64, last: () throws -> Int64) rethrows -> KeySequence {
    let existing = known.withLock { known -> KeySequence? in
      if known.generation != generation { known = Known(generation: generation) }
      if table == HistoryTable.name { return known.history }
      if let recent = known.recent, recent.table == table { return recent.sequence }
      guard let sequence = known.sequences[table] else { return nil }
      known.recent = (table, sequence)
      return sequence
    }
    if let existing {
      existing.isReused = true
      return existing
    }
    let sequence = KeySequence(of: table, last: try last())
    known.withLock { known in
      if table == HistoryTable.name {
        known.history = sequence
        return
      }
      known.sequences[table] = sequence
      known.recent = (table, sequence)
    }
    return sequence
  }
}
