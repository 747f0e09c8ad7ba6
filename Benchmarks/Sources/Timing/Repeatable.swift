/// Something that can be timed again and again.
package protocol Repeatable {
  /// Brings about the state that `run` starts from. Not timed.
  func prepare() throws
  /// Does the work. Timed.
  func run() throws
  /// Checks the work and lets go of what it made. Not timed.
  func finish() throws
}
