import Foundation
import SwiftData
import Testing

/// Counts the notifications of one kind that a context posts.
///
/// `@unchecked Sendable` because they are posted in the isolation of the context, in which the test uses it.
final class NotificationCounter: @unchecked Sendable {
  private(set) var count = 0
  /// The errors in the notifications.
  private(set) var errors: [any Error] = []
  /// Runs at each notification.
  var action: () throws -> Void = {}
  private var token: (any NSObjectProtocol)?

  init(_ name: Notification.Name, of context: ModelContext) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
      self?.record($0)
    }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  private func record(_ notification: Notification) {
    count += 1
    let key = ModelContext.NotificationKey.autosaveError
    if let error = notification.userInfo?[key] as? any Error {
      errors.append(error)
      #expect(notification.userInfo?[key.rawValue] is any Error)
    }
    do { try action() } catch { Issue.record(error) }
  }
}
