import Timing

/// What was found out about one subject.
struct Row {
  let subject: Subject
  let unit: Unit
  /// By peer, in the order of the columns; nil for a peer that has no notion of the subject. Of a figure there is one.
  let summaries: [Summary?]

  /// How a peer's median compares with the first peer's, if both took part.
  func ratio(_ index: Int) -> Double? {
    guard let baseline = summaries.first??.median, baseline > 0 else { return nil }
    return summaries[index].map { $0.median / baseline }
  }

  var isCalm: Bool {
    summaries.allSatisfy { $0?.isCalm ?? true }
  }
}
