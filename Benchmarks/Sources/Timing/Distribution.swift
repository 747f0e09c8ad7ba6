/// The distribution of measured values.
package struct Distribution: Codable, Sendable {
  private let sorted: [Double]

  package init(of values: [Double]) {
    sorted = values.sorted()
  }

  /// The lowest value that this share of all values does not exceed: 0.5 gives the median, 1 the highest. Nil when there are no
  /// values.
  package func quantile(_ share: Double) -> Double? {
    if sorted.isEmpty { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
}
