import Timing
import Workload

/// What was found out, for programs to read.
struct ResultFile: Encodable {
  /// How long a peer took for an operation.
  private struct Operation: Encodable {
    let name: String
    let peer: String
    let medianMs: Double
    let minMs: Double
    let maxMs: Double
    /// How the median compares with that of raw C, unless raw C did not take part.
    let ratioToRaw: Double?
    let repetitions: Int
    /// Whether the machine was calm enough for this to be relied on.
    let calm: Bool
  }

  /// How much memory a peer took.
  private struct Memory: Encodable {
    let name: String
    let peer: String
    let medianMb: Double
    let minMb: Double
    let maxMb: Double
    let ratioToRaw: Double?
  }

  /// What this library takes without a history and with one.
  private struct History: Encodable {
    let name: String
    let unit: String
    let medianOff: Double
    let medianOn: Double
    let ratioToOff: Double
    let calm: Bool
  }

  /// What was found out about this library alone.
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
      // One peer alone has nothing to be compared with.
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
