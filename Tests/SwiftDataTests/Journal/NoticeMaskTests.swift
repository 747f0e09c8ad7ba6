import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Change notifications name the changed properties")
struct NoticeMaskTests {
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let master = Master("Ann")
    context.insert(master)
    master.beasts = ["a", "b"].map(Beast.init)
    master.medals = ["x", "y"].map(Medal.init)
    try context.save()
  }

  /// Saves changes with one context, and returns which members of Ann another context has loaded after the change notification.
  private func loaded(after change: (Master) -> Void) throws -> (beasts: Bool, medals: Bool, names: [String]) {
    let (here, there) = (ModelContext(container), ModelContext(container))
    let master = try here.only(Master.self)
    #expect(master.beasts.count == 2 && master.medals.count == 2)
    change(try there.only(Master.self))
    try there.save()
    here.processPendingChanges()
    let loaded = Dictionary(
      uniqueKeysWithValues: ModelRuntime.of(master).relationships.map { ($0.name, $0.isLoaded(master)) })
    return (loaded["beasts"] == true, loaded["medals"] == true, master.beasts.map(\.name))
  }

  @Test("Changing an attribute of a member keeps its owner's list loaded and refreshes the member")
  func attribute() throws {
    let loaded = try loaded { $0.beasts[0].name = "c" }
    #expect(loaded.beasts && loaded.medals)
    #expect(loaded.names == ["c", "b"])
  }

  @Test("Unlinking a member invalidates its former owner's list")
  func link() throws {
    let loaded = try loaded { $0.beasts[0].master = nil }
    #expect(!loaded.beasts)
    #expect(loaded.names == ["b"])
  }

  @Test("Inserting and deleting members invalidates their owner's list")
  func rows() throws {
    let added = try loaded { $0.modelContext?.insert(Beast("c", of: $0)) }
    #expect(added.names == ["a", "b", "c"])
    let context = ModelContext(container)
    try context.only(Master.self).beasts.last.map { context.delete($0) }
    try context.save()
    let deleted = try loaded { master in master.beasts.last.map { master.modelContext?.delete($0) } }
    #expect(deleted.names == ["a"])
  }

  @Test("An inbox merges the changed properties of each entity, and whether rows were inserted or deleted")
  func inbox() {
    let inbox = ChangeInbox()
    var notice = ChangeNotice()
    notice.updated.add(1, of: 0, properties: 0b10)
    notice.updated.add(1, of: 1, properties: 0b1)
    notice.updated.add(2, of: 0, properties: 0b100)
    inbox.post(notice)
    var other = ChangeNotice()
    other.inserted.add(7, of: 1)
    inbox.post(other)
    inbox.putBack(inbox.take())
    let changes = inbox.take()
    #expect(changes.entities[0]?.properties == 0b110)
    #expect(changes.entities[0]?.hasInsertionsOrDeletions == false)
    #expect(changes.entities[1]?.properties == 0b1)
    #expect(changes.entities[1]?.hasInsertionsOrDeletions == true)
  }
}

extension Beast {
  fileprivate convenience init(_ name: String, of master: Master) {
    self.init(name)
    self.master = master
  }
}
