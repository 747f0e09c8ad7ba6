/// One peer's implementation of a scenario: `prepare`, `run` and `finish` are called in turn for each repetition.
package protocol Work: AnyObject {
  /// Prepares the initial state of `run`. Not timed.
  func prepare() throws
  /// Runs the scenario and returns a number that depends on its result. Timed.
  func run() throws -> Int
  /// Returns the outcome and releases the results. Not timed.
  func finish() throws -> Outcome
}

extension Work {
  package func prepare() throws {}

  package func finish() throws -> Outcome {
    .nothing
  }
}
