import Foundation
import Workload

/// The rows for programs to read.
struct ResultFile: Encodable {
  private struct Entry: Encodable {
    let name: String
    let peer: String
    var medianMs: Double?
    var minimumMs: Double?
    var maximumMs: Double?
    var medianMb: Double?
    var minimumMb: Double?
    var maximumMb: Double?
    var ratioToRaw: Double?
    let repetitions: Int
    /// Whether the machine was calm enough for this entry to be relied on.
    let calm: Bool
  }

  private let operations: [Entry]

  init(peers: [any Peer.Type], rows: [Row]) {
    operations = rows.flatMap { row in
      zip(peers, row.summaries).enumerated().map { index, pair in
        let (peer, summary) = pair
        var entry = Entry(
          name: row.subject.name, peer: peer.name, repetitions: summary.count, calm: summary.isCalm)
        entry.ratioToRaw = peers[0] == allPeers[0] ? row.ratio(index) : nil
        switch row.unit {
        case .milliseconds:
          (entry.minimumMs, entry.medianMs, entry.maximumMs) = (summary.minimum, summary.median, summary.maximum)
        case .megabytes:
          (entry.minimumMb, entry.medianMb, entry.maximumMb) = (summary.minimum, summary.median, summary.maximum)
        }
        return entry
      }
    }
  }

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: file)
  }
}
