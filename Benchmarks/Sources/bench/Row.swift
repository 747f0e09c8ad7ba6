import Timing

/// The results for one subject.
struct Row {
  let subject: Subject
  let unit: Unit
  /// By peer, in the order of the columns; nil for a peer that does not support the subject. A figure has one.
  let summaries: [Summary?]

  /// The ratio of a peer's median to the first peer's, if both were measured.
  func ratio(_ index: Int) -> Double? {
    guard let baseline = summaries.first??.median, baseline > 0 else { return nil }
    return summaries[index].map { $0.median / baseline }
  }

  var isCalm: Bool {
    summaries.allSatisfy { $0?.isCalm ?? true }
  }
}
