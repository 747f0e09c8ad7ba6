/// The statistics of repeated measurements.
package struct Summary: Codable, Sendable {
  package let minimum: Double
  package let median: Double
  package let maximum: Double
  package let count: Int
  /// Whether there were enough calm repetitions.
  package let isCalm: Bool

  /// Summarizes `values`, of which there must be at least one.
  package init(of values: [Double], isCalm: Bool) {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    minimum = sorted[0]
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    maximum = sorted[sorted.count - 1]
    count = sorted.count
    self.isCalm = isCalm
  }

  private init(minimum: Double, median: Double, maximum: Double, count: Int, isCalm: Bool) {
    self.minimum = minimum
    self.median = median
    self.maximum = maximum
    self.count = count
    self.isCalm = isCalm
  }

  /// The same in another unit.
  package func scaled(by factor: Double) -> Summary {
    Summary(
      minimum: minimum * factor, median: median * factor, maximum: maximum * factor, count: count, isCalm: isCalm)
  }
}
