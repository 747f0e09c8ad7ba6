/// A version of the stored members of a relationship, for all owners; outdated when another context has changed them.
final class MembershipVersion {
  private(set) var isOutdated = false

  /// Outdates member keys that were read in this version, so that they are read again.
  ///
  /// - Returns: The next version.
  func outdated() -> MembershipVersion {
    isOutdated = true
    return MembershipVersion()
  }
}
