import Reporting
import Timing

/// The measured repetitions of one peer.
struct PeerTiming {
  let name: String
  private(set) var elapsed: [Double] = []
  /// Processor time of this process.
  private(set) var processor: [Double] = []
  /// Processor time of this process and of the server, where that is known.
  private(set) var total: [Double] = []

  init(name: String) {
    self.name = name
  }

  mutating func measure(with server: ServerClock? = nil, _ body: () throws -> Void) rethrows {
    let serverStart = server?.now ?? 0
    let start = MonotonicClock.now
    let seconds = try CPUClock.seconds(of: body)
    elapsed.append(Double(MonotonicClock.now - start) / 1e9)
    processor.append(seconds)
    if let server { total.append(seconds + server.now - serverStart) }
  }

  mutating func removeAll() {
    (elapsed, processor, total) = ([], [], [])
  }

  var median: Double { Summary(of: elapsed, isCalm: true).median }
  var fastest: Double { Summary(of: elapsed, isCalm: true).minimum }
  var medianProcessor: Double { Summary(of: processor, isCalm: true).median }
  /// The medians as a text.
  var text: String {
    func milliseconds(_ seconds: Double) -> String { "\((seconds * 1_000).shortened) ms" }
    let total = medianTotal.map { ", with the server's \(milliseconds($0))" } ?? ""
    return "\(name): \(milliseconds(median)), fastest \(milliseconds(fastest)), "
      + "processor time \(milliseconds(medianProcessor))\(total)"
  }

  var medianTotal: Double? { total.isEmpty ? nil : Summary(of: total, isCalm: true).median }
}
