/// How long and how often to measure.
package struct Effort: Codable, Sendable {
  /// Repetitions at the start that are not looked at.
  package let warmUps: Int
  /// How many calm repetitions are enough.
  package let repetitions: Int
  /// How many repetitions there are even when the time is up.
  package let fewest: Int
  /// How many processes in turn are asked for what each can tell only once.
  package let processes: Int
  /// The seconds after which to be content with what there is.
  package let budget: Double

  package static let full = Effort(warmUps: 2, repetitions: 9, fewest: 3, processes: 3, budget: 30)
  package static let quick = Effort(warmUps: 1, repetitions: 5, fewest: 2, processes: 2, budget: 2)
}
