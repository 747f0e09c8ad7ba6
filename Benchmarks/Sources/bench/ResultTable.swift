import Reporting
import Workload

/// The rows by peer: the medians, and their ratios to the first peer's.
struct ResultTable {
  private static let absent = "–"

  let peers: [any Peer.Type]
  let rows: [Row]

  var text: String {
    let header = ["operation"] + peers.map { $0.name } + peers.dropFirst().map { "\($0.name) ratio" }
    return TextTable(header: header, rows: rows.map(cells)).text
  }

  /// The lowest and the highest measured values.
  var ranges: String {
    let rows = rows.map { row in
      [name(row)]
        + row.summaries.map { summary in
          summary.map { "\($0.minimum.shortened) – \($0.maximum.shortened) \(row.unit.rawValue)" } ?? Self.absent
        }
    }
    return TextTable(header: ["lowest – highest"] + peers.map { $0.name }, rows: rows).text
  }

  private func cells(_ row: Row) -> [String] {
    let medians = row.summaries.map { summary in
      summary.map { "\($0.median.shortened) \(row.unit.rawValue)" } ?? Self.absent
    }
    let ratios = row.summaries.indices.dropFirst().map { row.ratio($0)?.shortened ?? Self.absent }
    return [name(row)] + medians + ratios
  }

  private func name(_ row: Row) -> String {
    row.subject.name + (row.isCalm ? "" : " ~")
  }
}
