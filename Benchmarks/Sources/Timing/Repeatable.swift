/// Work that can be timed repeatedly.
package protocol Repeatable {
  /// Prepares the initial state of `run`. Not timed.
  func prepare() throws
  /// Does the work. Timed.
  func run() throws
  /// Checks the work and releases its results. Not timed.
  func finish() throws
}
