/// The state in which the store had the members of a relationship, whoever their owners are, while nobody has changed that.
final class MemberReading {
  private(set) var isOutdated = false

  /// Has those who wait for members that were read in this state ask the store again.
  ///
  /// - Returns: The state from now on.
  func outdated() -> MemberReading {
    isOutdated = true
    return MemberReading()
  }
}
