import Timing

/// The measured repetitions of one peer.
struct PeerTiming {
  let name: String
  private(set) var elapsed: [Double] = []
  private(set) var processor: [Double] = []

  init(name: String) {
    self.name = name
  }

  mutating func measure(_ body: () throws -> Void) rethrows {
    let start = MonotonicClock.now
    let seconds = try CPUClock.seconds(of: body)
    elapsed.append(Double(MonotonicClock.now - start) / 1e9)
    processor.append(seconds)
  }

  mutating func removeAll() {
    (elapsed, processor) = ([], [])
  }

  var median: Double { Summary(of: elapsed, isCalm: true).median }
  var fastest: Double { Summary(of: elapsed, isCalm: true).minimum }
  var medianProcessor: Double { Summary(of: processor, isCalm: true).median }
}
