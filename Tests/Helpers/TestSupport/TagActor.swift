import Foundation
import Support
import SwiftData

@ModelActor
actor TagActor {
  func add(_ word: String) throws -> PersistentIdentifier {
    let tag = Tag(word)
    modelContext.insert(tag)
    try modelContext.save()
    return tag.persistentModelID
  }

  func word(of identifier: PersistentIdentifier) -> String? {
    self[identifier, as: Tag.self]?.word
  }

  func count() throws -> Int {
    try modelContext.fetchCount(FetchDescriptor<Tag>())
  }

  func isOnMainQueue() -> Bool {
    MainQueue.isCurrent
  }

  func isOn(_ thread: pthread_t) -> Bool {
    pthread_equal(pthread_self(), thread) != 0
  }
}
