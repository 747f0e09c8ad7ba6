import Foundation

@testable import SwiftData
@testable import TestSupport

/// A run with a follower in the same process.
final class LoggedFollowedRun: LoggedTownRun {
  /// The follower's container.
  enum Place {
    case sameContainer, otherContainer
  }

  private let other: ModelContainer?
  private var follower = LoggedFollower()

  init(seed: UInt64, at url: URL, _ place: Place) throws {
    other = place == .sameContainer ? nil : try Self.open(url)
    try super.init(seed: seed, at: url)
  }

  override func follow() throws {
    try follower.follow(other ?? container)
    try follower.check(other ?? container)
  }

  override func trim() throws {
    try follow()
    note("trim")
    try follower.trim(container)
    try follow()
  }
}
