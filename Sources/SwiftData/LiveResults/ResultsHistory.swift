/// The results that a client has seen, and the changes since.
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

  /// The difference between the rows that were seen and the current ones, which count as seen afterwards; nil if there is
  /// none.
  mutating func difference(to now: OrderedRows) -> ResultsDifference? {
    let difference = ResultsDifference(from: rows, to: now, updated: updated)
    rows = now
    updated = []
    return difference.isEmpty ? nil : difference
  }
}
