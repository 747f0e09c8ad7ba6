import Reporting
import SwiftDataPeer

/// The costs of the steps with a large store.
struct ScaleTable {
  let results: [(step: ScaleStep, result: ScaleResult)]

  var text: String {
    let rows = results.map { step, result in
      [
        step.rawValue, "\((result.seconds * 1_000).shortened) ms", "\((result.elapsedSeconds * 1_000).shortened) ms",
        "\(result.peakMemory.shortened) MB",
      ]
    }
    return TextTable(header: ["step", "processor time", "elapsed", "peak memory"], rows: rows).text
  }
}
