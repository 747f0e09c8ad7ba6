import Foundation
import SwiftData

/// Lines of text that show results: an adapter to the terminal.
///
/// It renders only the items that a difference names. A terminal redraws the list in place; a file or a pipe gets one list
/// after the other.
@MainActor
final class ItemList: @MainActor ResultsAdapter {
  struct Row {
    let item: Item
    let line: String
  }

  private(set) var rows: [Row] = []
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  func show(_ results: FetchResultsCollection<Item>) {
    rows = results.map(row)
    draw()
  }

  func show(_ results: FetchResultsCollection<Item>, changedBy difference: ResultsDifference) {
    rows.apply(difference) { row(results[$0]) }
    draw()
  }

  private func row(_ item: Item) -> Row { Row(item: item, line: item.line) }

  private func draw() {
    var text = isTerminal ? "\u{1B}[2J\u{1B}[H" : ""
    text += rows.count == 1 ? "1 task\n" : "\(rows.count) tasks\n"
    for (number, row) in zip(1..., rows) { text += "\(number). \(row.line)\n" }
    if isTerminal { text += "> " }
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}

extension Array {
  /// Applies a difference: removals from the end, then insertions from the start, then updates.
  ///
  /// - Parameter row: Makes the row at a position in the new results.
  mutating func apply(_ difference: ResultsDifference, row: (Int) -> Element) {
    let previous = self
    for position in (difference.removed + difference.moved.map(\.from)).sorted(by: >) { remove(at: position) }
    let arriving = difference.inserted.map { ($0, row($0)) } + difference.moved.map { ($0.to, previous[$0.from]) }
    for (position, element) in arriving.sorted(by: { $0.0 < $1.0 }) { insert(element, at: position) }
    for position in difference.updated { self[position] = row(position) }
  }
}
