import Foundation
import LibpqPeer
import PostgresPeer
import Reporting
import Timing

/// Works on a store with more rows than should be in memory.
struct LargeRun {
  private static let namespace = "bench_large"

  let url: String
  let itemCount: Int

  func callAsFunction() throws {
    try StoreFilling.drop(Self.namespace, url)
    defer { try? StoreFilling.drop(Self.namespace, url) }
    // The library makes the tables.
    _ = try Store(url, namespace: Self.namespace)
    var loading = PeerTiming(name: "")
    try loading.measure { try StoreFilling(url, namespace: Self.namespace).fill(items: itemCount) }
    print("\(itemCount) items by COPY, vacuumed and analyzed: \(loading.median.shortened) s\n")
    let rows = try LargeStep.allCases.map { step in
      let work = try step.prepare(url, namespace: Self.namespace)
      try ResidentMemory.resetPeak()
      let before = try ResidentMemory().current
      var timing = PeerTiming(name: step.rawValue)
      var rows = 0
      try timing.measure { rows = try work() }
      let peak = try ResidentMemory().peak
      guard rows == step.rows(of: itemCount) else { throw Failure("\(step.rawValue): \(rows) rows") }
      return [
        step.rawValue, "\((timing.median * 1_000).shortened) ms", "\((timing.medianProcessor * 1_000).shortened) ms",
        "\(megabytes(before)) MB", "\(megabytes(peak)) MB",
      ]
    }
    let header = ["step", "elapsed", "processor time", "memory before", "peak"]
    print(TextTable(header: header, rows: rows).text)
  }

  private func megabytes(_ bytes: Int) -> String {
    (Double(bytes) / 1_048_576).shortened
  }
}
