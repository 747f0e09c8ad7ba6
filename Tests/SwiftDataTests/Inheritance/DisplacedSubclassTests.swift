import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
class Attendee {
  var name: String
  @Relationship(inverse: \Desk.attendee) var desk: Desk?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Monitor: Attendee {
  var weight = 1.5
  @Relationship(inverse: nil) var badges: [Desk] = []

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class Newcomer: Attendee {
  var school = "old school"
  var arrival = "yesterday"

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class Desk {
  var number: Int
  var attendee: Attendee?

  init(_ number: Int) {
    self.number = number
  }
}

@Suite("One-to-ones between rows of several classes")
struct DisplacedSubclassTests {
  @Test("A model that loses its one-to-one target keeps its values, whatever the class of the model that gains it")
  func displaced() throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Attendee.self, Monitor.self, Newcomer.self, Desk.self,
          configurations: ModelConfiguration(url: folder.file())))
    }
    let context = try open()
    let (monitor, newcomer, desk) = (Monitor("m"), Newcomer("n"), Desk(1))
    for model in [monitor, newcomer] as [Attendee] { context.insert(model) }
    context.insert(desk)
    try context.save()
    let other = try open()
    let found = try #require(try other.fetch(FetchDescriptor<Newcomer>()).first)
    found.desk = try other.fetch(FetchDescriptor<Desk>()).first
    try other.save()
    monitor.desk = desk
    let updated = Held<Set<PersistentIdentifier>>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { notification in
      let key = ModelContext.NotificationKey.updatedIdentifiers
      updated.put(Set(notification.userInfo?[key] as? [PersistentIdentifier] ?? []))
    }
    try context.save()
    NotificationCenter.default.removeObserver(observer)
    #expect(updated.value?.contains(newcomer.persistentModelID) == true)
    #expect(newcomer.school == "old school")
    #expect(newcomer.arrival == "yesterday")
    #expect(newcomer.desk == nil)
    #expect(desk.attendee === monitor)
    newcomer.arrival = "today"
    try context.save()
    let stored = try #require(try open().fetch(FetchDescriptor<Newcomer>()).first)
    #expect([stored.name, stored.school, stored.arrival] == ["n", "old school", "today"])
    #expect(stored.desk == nil)
  }
}
