/// A scenario as one peer does it: `prepare`, `run` and `finish` are called in turn for each repetition.
package protocol Work: AnyObject {
  /// Brings about the state that `run` starts from. Not timed.
  func prepare() throws
  /// Does the work and returns a number that only doing it can give. Timed.
  func run() throws -> Int
  /// Says what came of it, and lets go of it. Not timed.
  func finish() throws -> Outcome
}

extension Work {
  package func prepare() throws {}

  package func finish() throws -> Outcome {
    .nothing
  }
}
