/// The measurements of a load test.
struct Summary: Sendable, CustomStringConvertible {
  let count: Int
  let failures: Int
  let duration: Duration
  private let sorted: [Duration]

  init(_ samples: [Sample], in duration: Duration) {
    count = samples.count
    failures = samples.count(where: \.hasFailed)
    self.duration = duration
    sorted = samples.map(\.duration).sorted()
  }

  /// The time within which this share of the requests, from 0 to 1, was answered; zero without requests.
  func percentile(_ share: Double) -> Duration {
    guard let last = sorted.indices.last else { return .zero }
    return sorted[min(last, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }

  var requestsPerSecond: Int { Int(Double(count) / (duration / .seconds(1))) }

  var description: String {
    func milliseconds(_ share: Double) -> String {
      let tenths = Int((percentile(share) / .microseconds(100)).rounded())
      return "\(tenths / 10).\(tenths % 10) ms"
    }
    return "\(count) requests, \(failures) failed, \(requestsPerSecond)/s, "
      + "p50 \(milliseconds(0.5)), p99 \(milliseconds(0.99)), slowest \(milliseconds(1))"
  }
}
