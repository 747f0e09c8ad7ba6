import SwiftData

/// Rows of text for the results of an observer. A difference renders only the rows that it names.
@MainActor
final class RowList<Model: PersistentModel, Row>: @MainActor ResultsAdapter {
  private(set) var rows: [Row] = []
  private let row: (Model) -> Row
  private let didChange: () -> Void

  init(row: @escaping (Model) -> Row, didChange: @escaping () -> Void) {
    self.row = row
    self.didChange = didChange
  }

  func show(_ results: FetchResultsCollection<Model>) {
    rows = results.map(row)
    didChange()
  }

  func show(_ results: FetchResultsCollection<Model>, changedBy difference: ResultsDifference) {
    let former = rows
    for position in (difference.removed + difference.moved.map(\.from)).sorted(by: >) { rows.remove(at: position) }
    let arriving =
      difference.inserted.map { ($0, row(results[$0])) } + difference.moved.map { ($0.to, former[$0.from]) }
    for (position, row) in arriving.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: position) }
    for position in difference.updated { rows[position] = row(results[position]) }
    didChange()
  }
}
