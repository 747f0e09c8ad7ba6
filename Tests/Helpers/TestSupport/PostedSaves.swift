import Foundation
import Support
import SwiftData
import Testing

/// The notifications of a context's saves.
///
/// `@unchecked Sendable` because only the isolation of the context uses it.
final class PostedSaves: @unchecked Sendable {
  private(set) var names: [Notification.Name] = []
  /// From `didSave`.
  private(set) var userInfos: [[AnyHashable: Any]] = []
  /// Whether each `didSave` was posted on the main queue.
  private(set) var areOnMainQueue: [Bool] = []
  /// Called at each `didSave`.
  var onSave: () throws -> Void = {}
  private var observers: [any NSObjectProtocol] = []

  init(_ context: ModelContext) {
    observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] notification in
        self?.take(notification)
      }
    }
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  private func take(_ notification: Notification) {
    names.append(notification.name)
    guard notification.name == ModelContext.didSave else { return }
    userInfos.append(notification.userInfo ?? [:])
    areOnMainQueue.append(MainQueue.isCurrent)
    do {
      try onSave()
    } catch {
      Issue.record(error)
    }
  }

  /// The value of each `didSave` for a key; nil where it has none.
  func identifiers(_ key: ModelContext.NotificationKey) -> [Set<PersistentIdentifier>?] {
    userInfos.map { userInfo in
      let found = userInfo[key] as? [PersistentIdentifier]
      #expect(found == userInfo[key.rawValue] as? [PersistentIdentifier])
      #expect(found.map { Set($0).count } == found?.count)
      return found.map { Set($0) }
    }
  }
}
