import Foundation
import Timing

/// The latency of notifications of another process's commits, in a file for programs.
struct LatencyFile: Encodable {
  private struct Latency: Encodable {
    let name: String
    let saves: Int
    let medianMs: Double?
    let p90Ms: Double?
    let p99Ms: Double?
    let maxMs: Double?
    let missed: Int
  }

  private let latency: [Latency]

  init(results: [LatencyResult]) {
    latency = results.map { result in
      func milliseconds(_ share: Double) -> Double? {
        result.latencies.quantile(share).map { $0 * 1_000 }
      }
      return Latency(
        name: result.name, saves: result.count, medianMs: milliseconds(0.5), p90Ms: milliseconds(0.9),
        p99Ms: milliseconds(0.99), maxMs: milliseconds(1), missed: result.missed)
    }
  }
}
