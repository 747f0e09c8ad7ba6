/// The duration and the number of measurements.
package struct Effort: Codable, Sendable {
  /// The number of repetitions at the start that are ignored.
  package let warmUps: Int
  /// The sufficient number of calm repetitions.
  package let repetitions: Int
  /// The smallest number of repetitions, even after the time limit.
  package let fewest: Int
  /// The number of consecutive processes for measurements that each process can make only once.
  package let processes: Int
  /// The time limit in seconds.
  package let budget: Double

  package static let full = Effort(warmUps: 2, repetitions: 9, fewest: 3, processes: 3, budget: 30)
  package static let quick = Effort(warmUps: 1, repetitions: 5, fewest: 2, processes: 2, budget: 2)
}
