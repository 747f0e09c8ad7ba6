/// What goes wrong in calls that cannot throw, kept for one that can: why the store could not be read for the next call,
/// and what was refused for the next save.
struct Failures: ~Copyable {
  /// Why an accessor, or another call that cannot throw, could not read. Of several the first: the others may come of it.
  private(set) var read: (any Error)?
  private(set) var refusals: [SwiftDataError.Issue] = []

  /// A program that never saves by itself is never told.
  private static let maximumRefusalCount = 1000

  mutating func recordRead(_ failure: any Error) {
    read = read ?? failure
  }

  mutating func recordRefusal(_ issue: SwiftDataError.Issue) {
    if refusals.count < Self.maximumRefusalCount { refusals.append(issue) }
  }

  /// Somebody was told why the store could not be read.
  mutating func closeRead() {
    read = nil
  }

  /// Somebody was told what was refused.
  mutating func closeRefusals() {
    refusals.removeAll()
  }

  mutating func closeAll() {
    closeRead()
    closeRefusals()
  }
}
