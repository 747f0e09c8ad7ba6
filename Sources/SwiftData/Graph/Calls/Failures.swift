/// Failures of calls that cannot throw, kept for a call that can: read failures for the next call, and refused changes for
/// the next save.
struct Failures: ~Copyable {
  /// The failure of an accessor, or of another call that cannot throw. Of several the first, which may have caused the
  /// others.
  private(set) var read: (any Error)?
  private(set) var refusals: [SwiftDataError.Issue] = []

  /// Limits the memory of a program that never saves explicitly, to which the refusals are never reported.
  private static let maximumRefusalCount = 1000

  mutating func recordRead(_ failure: any Error) {
    read = read ?? failure
  }

  mutating func recordRefusal(_ issue: SwiftDataError.Issue) {
    if refusals.count < Self.maximumRefusalCount { refusals.append(issue) }
  }

  /// A call has thrown the read failure.
  mutating func closeRead() {
    read = nil
  }

  /// A save has reported the refused changes.
  mutating func closeRefusals() {
    refusals.removeAll()
  }

  mutating func closeAll() {
    closeRead()
    closeRefusals()
  }
}
