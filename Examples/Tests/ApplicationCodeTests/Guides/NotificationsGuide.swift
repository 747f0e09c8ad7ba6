import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum NotificationsGuide {
  @ModelActor
  actor Worker {
    func processHistory() throws {}
  }

  static func observe(_ context: ModelContext) -> any NSObjectProtocol {
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { notification in
      let key = ModelContext.NotificationKey.insertedIdentifiers
      let inserted = notification.userInfo?[key] as? [PersistentIdentifier] ?? []
      print("\(inserted.count) new")
    }
    return observer
  }

  static func follow(_ container: ModelContainer, _ worker: Worker) -> Task<Void, any Error> {
    let task = Task {
      let changes = NotificationCenter.default.notifications(named: ModelContainer.remoteChange, object: container)
      for await _ in changes {
        try await worker.processHistory()
      }
    }
    return task
  }
}
