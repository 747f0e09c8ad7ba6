import Foundation
import Workload

/// The rows as a table that reads well in a terminal and in Markdown.
struct ResultTable {
  let peers: [any Peer.Type]
  let rows: [Row]

  var text: String {
    let lines = [header] + rows.map(cells)
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let rule = widths.enumerated().map { index, width in
      index == 0 ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
    }
    var text = [lines[0], rule] + lines.dropFirst()
    for index in text.indices {
      text[index] = zip(text[index], widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }
    }
    return text.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private var header: [String] {
    let others = peers.dropFirst().flatMap { [$0.name, "ratio"] }
    let ranges = peers.map { "\($0.name) min – max" }
    return ["operation", peers[0].name] + others + ranges
  }

  private func cells(_ row: Row) -> [String] {
    let others = row.summaries.indices.dropFirst().flatMap { index in
      [number(row.summaries[index].median, row.unit), row.ratio(index).map { number($0) } ?? ""]
    }
    let ranges = row.summaries.map { "\(number($0.minimum)) – \(number($0.maximum))" }
    let name = row.subject.name + (row.isCalm ? "" : " ~")
    return [name, number(row.summaries[0].median, row.unit)] + others + ranges
  }

  private func number(_ value: Double, _ unit: Unit) -> String {
    "\(number(value)) \(unit.rawValue)"
  }

  /// Three significant digits, as far as there are that many.
  private func number(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }
}
