/// How long and how often to measure.
package struct Effort: Codable, Sendable {
  /// Repetitions at the start that are not looked at.
  package let warmUps: Int
  /// How many calm repetitions are enough.
  package let repetitions: Int
  /// The seconds after which to be content with what there is.
  package let budget: Double

  package static let full = Effort(warmUps: 2, repetitions: 9, budget: 30)
  package static let quick = Effort(warmUps: 1, repetitions: 5, budget: 2)
}
