import Reporting
import Workload

/// The costs of live results.
struct LiveTable {
  let results: [LiveResult]

  var text: String {
    let header = ["live results"] + livePeers.map { $0.name } + ["bar"]
    return TextTable(header: header, rows: results.map(cells)).text
  }

  private func cells(_ result: LiveResult) -> [String] {
    let unit = result.subject.unit
    return [result.subject.rawValue + (result.isCalm ? "" : " ~")] + result.values.map { text($0?.value, unit) }
      + [text(result.subject.bar, unit)]
  }

  private func text(_ value: Double?, _ unit: LiveSubject.Unit) -> String {
    guard let value else { return "–" }
    return switch unit {
    case .milliseconds, .microseconds: "\(value.shortened) \(unit.rawValue)"
    case .bytes: "\(Int(value.rounded())) bytes"
    case .count: "\(Int(value))"
    case .ratio: value.shortened
    }
  }
}
