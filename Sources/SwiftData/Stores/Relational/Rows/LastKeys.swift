import Support

/// The sequences of one store, kept between its saves, which spares asking for the last keys as long as nobody else
/// writes to its database.
final class LastKeys: Sendable {
  private struct Known {
    /// The connection's number for the time in which it was the only one that wrote. A transaction that is not committed
    /// ends it, and so makes later ones forget what was given out.
    var generation: UInt64 = 0
    var sequences: [String: KeySequence] = [:]
    var recent: (table: String, sequence: KeySequence)?
    /// That of the table which gets a row with each save, whatever else does.
    var history: KeySequence?
  }

  private let known = Mutex(Known())

  /// The sequence of a table.
  ///
  /// - Parameter last: Asks for the last number when it is not known.
  func sequence(of table: String, _ generation: UInt64, last: () throws -> Int64) rethrows -> KeySequence {
    let kept = known.withLock { known -> KeySequence? in
      if known.generation != generation { known = Known(generation: generation) }
      if table == HistoryTable.name { return known.history }
      if let recent = known.recent, recent.table == table { return recent.sequence }
      guard let sequence = known.sequences[table] else { return nil }
      known.recent = (table, sequence)
      return sequence
    }
    if let kept { return kept }
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
