import Timing

/// What was found out about one subject.
struct Row {
  let subject: Subject
  let unit: Unit
  /// By peer, in the order of the columns.
  let summaries: [Summary]

  /// How a peer's median compares with the first peer's, unless that one did not take part.
  func ratio(_ index: Int) -> Double? {
    guard let baseline = summaries.first?.median, baseline > 0 else { return nil }
    return summaries[index].median / baseline
  }

  var isCalm: Bool {
    summaries.allSatisfy(\.isCalm)
  }
}
