import Timing
import Workload

/// The results, in a file for programs.
struct ResultFile: Encodable {
  /// The time of a peer for an operation.
  private struct Operation: Encodable {
    let name: String
    let peer: String
    let medianMs: Double
    let minMs: Double
    let maxMs: Double
    /// The ratio of the median to raw C's, unless raw C was not measured.
    let ratioToRaw: Double?
    let repetitions: Int
    /// Whether there were enough calm repetitions.
    let calm: Bool
  }

  /// The memory of a peer.
  private struct Memory: Encodable {
    let name: String
    let peer: String
    let medianMb: Double
    let minMb: Double
    let maxMb: Double
    let ratioToRaw: Double?
  }

  /// This library without and with a history.
  private struct History: Encodable {
    let name: String
    let unit: String
    let medianOff: Double
    let medianOn: Double
    let ratioToOff: Double
    let calm: Bool
  }

  /// A figure of this library.
  private struct Figure: Encodable {
    let name: String
    let unit: String
    let median: Double
    let min: Double
    let max: Double
  }

  private var operations: [Operation] = []
  private var memory: [Memory] = []
  private let history: [History]
  private let figures: [Figure]
  private let live: [LiveFile.Entry]

  init(peers: [any Peer.Type], rows: [Row], history: [Row], figures: [Row], live: [LiveResult]) {
    self.live = LiveFile(results: live).live
    self.history = history.compactMap { row -> History? in
      // A single peer has no ratio.
      guard row.summaries.count == 2, let off = row.summaries[0], let on = row.summaries[1], let ratio = row.ratio(1)
      else { return nil }
      return History(
        name: row.subject.name, unit: row.unit.rawValue, medianOff: off.median, medianOn: on.median, ratioToOff: ratio,
        calm: row.isCalm)
    }
    self.figures = figures.flatMap { row in
      row.summaries.compactMap(\.self).map {
        Figure(
          name: row.subject.name, unit: row.unit.rawValue, median: $0.median, min: $0.minimum, max: $0.maximum)
      }
    }
    for row in rows {
      for (index, peer) in peers.enumerated() {
        guard let summary = row.summaries[index] else { continue }
        let ratio = peers[0] == allPeers[0] ? row.ratio(index) : nil
        if row.unit == .milliseconds {
          operations.append(
            Operation(
              name: row.subject.name, peer: peer.name, medianMs: summary.median, minMs: summary.minimum,
              maxMs: summary.maximum, ratioToRaw: ratio, repetitions: summary.count, calm: summary.isCalm))
        } else {
          memory.append(
            Memory(
              name: row.subject.name, peer: peer.name, medianMb: summary.median, minMb: summary.minimum,
              maxMb: summary.maximum, ratioToRaw: ratio))
        }
      }
    }
  }
}
