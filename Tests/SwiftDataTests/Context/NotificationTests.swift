import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Notifications of a save")
struct NotificationTests {
  private final class Received: Sendable {
    let names = Mutex<[Notification.Name]>([])
    let identifiers = Mutex<[String: [PersistentIdentifier]]>([:])
  }

  @Test("A save posts willSave, then didSave with the identifiers, from the context")
  func notifications() throws {
    let context = ModelContext(try makeLibrary())
    let changed = Tag("changed")
    let deleted = Tag("deleted")
    context.insert(changed)
    context.insert(deleted)
    try context.save()
    let received = Received()
    let tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
        received.names.withLock { $0.append(notification.name) }
        for key in [ModelContext.NotificationKey.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
          let found = notification.userInfo?[key.rawValue] as? [PersistentIdentifier]
          #expect(found == notification.userInfo?[key] as? [PersistentIdentifier])
          received.identifiers.withLock { $0[key.rawValue] = found }
        }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    let deletedIdentifier = deleted.persistentModelID
    changed.word = "new"
    context.delete(deleted)
    let inserted = Tag("inserted")
    context.insert(inserted)
    try context.save()
    #expect(received.names.withLock { $0 } == [ModelContext.willSave, ModelContext.didSave])
    let identifiers = received.identifiers.withLock { $0 }
    #expect(identifiers["inserted"] == [inserted.persistentModelID])
    #expect(identifiers["updated"] == [changed.persistentModelID])
    #expect(identifiers["deleted"] == [deletedIdentifier])
  }

  @Test("A save without changes posts nothing")
  func nothing() throws {
    let context = ModelContext(try makeLibrary())
    let received = Received()
    let token = NotificationCenter.default.addObserver(forName: ModelContext.willSave, object: context, queue: nil) {
      let name = $0.name
      received.names.withLock { $0.append(name) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.save()
    #expect(received.names.withLock { $0.isEmpty })
  }

  /// What an observer of didSave received, save by save.
  private final class Observed: @unchecked Sendable {
    var inserted: [[PersistentIdentifier]] = []
    var updated: [[PersistentIdentifier]] = []
    /// Retained after the notification.
    var userInfos: [[AnyHashable: Any]] = []
    var onSave: () throws -> Void = {}

    func take(_ userInfo: [AnyHashable: Any]) throws {
      userInfos.append(userInfo)
      inserted.append(userInfo["inserted"] as? [PersistentIdentifier] ?? [])
      updated.append(userInfo["updated"] as? [PersistentIdentifier] ?? [])
      try onSave()
    }
  }

  private func observe(_ context: ModelContext, _ observed: Observed) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { notification in
      do {
        try observed.take(notification.userInfo ?? [:])
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("The user info of a notification does not change with later saves")
  func keptUserInfo() throws {
    let context = ModelContext(try makeLibrary())
    let observed = Observed()
    let token = observe(context, observed)
    defer { NotificationCenter.default.removeObserver(token) }
    let tags = ["a", "b"].map { Tag($0) }
    for tag in tags {
      context.insert(tag)
      try context.save()
    }
    tags[0].word = "c"
    try context.save()
    let (first, second) = (tags[0].persistentModelID, tags[1].persistentModelID)
    let kept = observed.userInfos.map { userInfo in
      ["inserted", "updated", "deleted"].map { userInfo[$0] as? [PersistentIdentifier] }
    }
    #expect(kept == [[[first], [], []], [[second], [], []], [[], [first], []]])
  }

  @Test("An observer that saves gets only its own save, and the first save's user info does not change")
  func savingObserver() throws {
    let context = ModelContext(try makeLibrary())
    let (first, second) = (Tag("first"), Tag("second"))
    context.insert(second)
    try context.save()
    let observed = Observed()
    observed.onSave = {
      observed.onSave = {}
      second.word = "changed"
      try context.save()
    }
    let token = observe(context, observed)
    defer { NotificationCenter.default.removeObserver(token) }
    context.insert(first)
    try context.save()
    #expect(observed.inserted == [[first.persistentModelID], []])
    #expect(observed.updated == [[], [second.persistentModelID]])
    #expect(observed.userInfos[0]["inserted"] as? [PersistentIdentifier] == [first.persistentModelID])
  }
}
