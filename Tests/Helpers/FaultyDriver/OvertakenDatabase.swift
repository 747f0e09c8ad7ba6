package import Relational
import Support

/// A database that runs a closure between a commit and the notification of other contexts.
package final class OvertakenDatabase: DatabaseWrapper {
  /// The closure to run after the next commit.
  package final class Event: Sendable {
    private let body = Mutex<(@Sendable () throws -> Void)?>(nil)

    package init() {}

    package func set(_ body: @escaping @Sendable () throws -> Void) {
      self.body.withLock { $0 = body }
    }

    fileprivate func happen() throws {
      let next = body.withLock { body -> (@Sendable () throws -> Void)? in
        defer { body = nil }
        return body
      }
      try next?()
    }
  }

  package let base: any Database
  private let event: Event

  package init(_ base: any Database, _ event: Event) {
    self.base = base
    self.event = event
  }

  package func write<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    let result = try base.write(body)
    try event.happen()
    return result
  }
}
