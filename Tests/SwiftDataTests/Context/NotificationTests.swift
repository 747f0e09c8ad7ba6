import Foundation
import SwiftData
import Synchronization
import Testing

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

  @Test("A save with nothing to do posts nothing")
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
}
