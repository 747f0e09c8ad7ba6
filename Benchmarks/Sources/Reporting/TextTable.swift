/// Rows of text for terminals and Markdown: the first column is aligned to the left, the others to the right.
package struct TextTable {
  private let header: [String]
  private let rows: [[String]]

  package init(header: [String], rows: [[String]]) {
    self.header = header
    self.rows = rows
  }

  package var text: String {
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    let rule = widths.enumerated().map { index, width in
      index == 0 ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
    }
    let lines = [padded(header, to: widths), rule] + rows.map { padded($0, to: widths) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private func padded(_ cells: [String], to widths: [Int]) -> [String] {
    zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: cell.1 - cell.0.count)
      return column == 0 ? cell.0 + padding : padding + cell.0
    }
  }
}
