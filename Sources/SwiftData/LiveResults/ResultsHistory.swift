/// The results that a follower has seen, and how they have changed since.
struct ResultsHistory {
  private var rows = OrderedRows()
  private var updated: Set<Int64> = []

  init(_ rows: OrderedRows = OrderedRows()) {
    self.rows = rows
  }

  mutating func record(_ change: LiveQueryChange) {
    if !change.renumbered.isEmpty {
      rows.replaceKeys(change.renumbered)
      updated = Set(updated.map { change.renumbered[$0] ?? $0 })
    }
    updated.formUnion(change.updated)
  }

  /// The difference of the rows that were seen to those that are there now, which count as seen from now on; nil when there
  /// is none.
  mutating func difference(to now: OrderedRows) -> ResultsDifference? {
    let difference = ResultsDifference(from: rows, to: now, updated: updated)
    rows = now
    updated = []
    return difference.isEmpty ? nil : difference
  }
}
