import Reporting

/// The latency of notifications of another process's commits.
struct LatencyTable {
  let results: [LatencyResult]

  var text: String {
    let header = ["from commit to notice", "saves", "median", "p90", "p99", "highest", "missed"]
    return TextTable(header: header, rows: results.map(cells)).text
  }

  private func cells(_ result: LatencyResult) -> [String] {
    let quantiles = [0.5, 0.9, 0.99, 1].map { share in
      result.latencies.quantile(share).map { "\(($0 * 1_000).shortened) ms" } ?? "–"
    }
    return [result.name, "\(result.count)"] + quantiles + ["\(result.missed)"]
  }
}
