import Workload

/// What was found out about live results: a row of their table.
struct LiveResult {
  let subject: LiveSubject
  /// By peer, in the order of `livePeers`; nil for a peer that has no notion of it or did not take part.
  let values: [LiveValue?]

  var isCalm: Bool {
    values.allSatisfy { $0?.isCalm ?? true }
  }
}

/// What a peer takes, in the unit of the subject.
struct LiveValue: Codable {
  let value: Double
  /// Whether the machine was calm enough, often enough.
  var isCalm = true
}
