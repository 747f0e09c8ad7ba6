import Reporting

/// The figures of this library.
struct FigureTable {
  let rows: [Row]

  var text: String {
    let rows = rows.flatMap { row in
      row.summaries.compactMap(\.self).map { summary in
        [
          row.subject.name, summary.median.shortened, "\(summary.minimum.shortened) – \(summary.maximum.shortened)",
          row.unit.rawValue,
        ]
      }
    }
    return TextTable(header: ["figure", "median", "lowest – highest", "unit"], rows: rows).text
  }
}
