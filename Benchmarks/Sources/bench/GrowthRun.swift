import Foundation
import Reporting
import SwiftDataPeer

/// Measures the growth of the time of some work with its size.
struct GrowthRun {
  let options: Options

  func callAsFunction() throws {
    let cases = GrowthCase.allCases.filter {
      options.filter.isEmpty || $0.rawValue.localizedCaseInsensitiveContains(options.filter)
    }
    guard !cases.isEmpty else { throw BenchError("No work has that name.") }
    let sizes = GrowthCase.sizes
    let rows = try cases.map { work in
      Progress.show("measuring: \(work.rawValue)")
      let times = try sizes.map { size in try least(of: work, size) }
      let exponents = zip(times, times.dropFirst()).enumerated().map { index, times in
        log(times.1 / times.0) / log(Double(sizes[index + 1]) / Double(sizes[index]))
      }
      return [work.rawValue] + times.map { String(format: "%.2f ms", $0 * 1000) }
        + exponents.map { String(format: "%.2f", $0) }
    }
    let header =
      ["work of size n"] + sizes.map { "n = \($0)" }
      + zip(sizes, sizes.dropFirst()).map { "exponent \($0 / 1000) k to \($1 / 1000) k" }
    print(TextTable(header: header, rows: rows).text)
  }

  /// The shortest time of several runs: other programs disturbed the longer ones.
  private func least(of work: GrowthCase, _ size: Int) throws -> Double {
    try (0..<(options.isQuick ? 1 : 3)).map { _ in try work.seconds(size) }.min() ?? 0
  }
}
