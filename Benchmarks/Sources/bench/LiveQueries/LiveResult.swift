import Workload

/// One row of the table of live results.
struct LiveResult {
  let subject: LiveSubject
  /// By peer, in the order of `livePeers`; nil for a peer that does not support the subject or was not measured.
  let values: [LiveValue?]

  var isCalm: Bool {
    values.allSatisfy { $0?.isCalm ?? true }
  }
}

/// A peer's value, in the unit of the subject.
struct LiveValue: Codable {
  let value: Double
  /// Whether there were enough calm repetitions.
  var isCalm = true
}
