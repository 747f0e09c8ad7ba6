import SwiftData
import Testing

@testable import TestSupport

@Suite("A row that is revived after its deletion was saved")
struct RevivedRowTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    context = ModelContext(container)
    let master = Master("Ann")
    context.insert(master)
    master.beasts = ["a", "b", "c"].map(Beast.init)
    master.medals = ["x"].map(Medal.init)
    try context.save()
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(url: folder.file()))
  }

  @Test("A revived model has its identifier again, here, elsewhere and after reopening")
  func identifier() throws {
    let master = try context.only(Master.self)
    let beast = master.beasts[1]
    let identifier = beast.persistentModelID
    context.delete(beast)
    try context.save()
    #expect(master.beasts.map(\.name) == ["a", "c"])
    context.insert(beast)
    beast.master = master
    try context.save()
    #expect(beast.persistentModelID == identifier)
    #expect(context.model(for: identifier) === beast)
    #expect(master.beasts.map(\.name) == ["a", "c", "b"])
    let other = ModelContext(try Self.open(folder))
    #expect(try other.only(Master.self).beasts.map(\.name) == ["a", "c", "b"])
    #expect((other.model(for: identifier) as? Beast)?.name == "b")
  }

  @Test("Models that were deleted by a cascade get their identifiers again as well")
  func cascade() throws {
    let master = try context.only(Master.self)
    let beasts = master.beasts
    let identifiers = [master.persistentModelID] + beasts.map(\.persistentModelID)
    context.delete(master)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Beast>()) == 0)
    context.insert(master)
    for beast in beasts { beast.master = master }
    try context.save()
    #expect([master.persistentModelID] + beasts.map(\.persistentModelID) == identifiers)
    #expect(try ModelContext(container).only(Master.self).beasts.map(\.name) == ["a", "b", "c"])
  }

  @Test("A model that was deleted and inserted once more before the save gets its own identifier again")
  func backAndForth() throws {
    let beast = try #require(try context.fetch(FetchDescriptor<Beast>()).first { $0.name == "b" })
    let identifier = beast.persistentModelID
    context.delete(beast)
    try context.save()
    context.insert(beast)
    context.delete(beast)
    context.insert(beast)
    try context.save()
    #expect(beast.persistentModelID == identifier)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 3)
  }

  @Test("A revived model gets a new identifier when somebody else has revived its row before")
  func twice() throws {
    let other = ModelContext(container)
    let theirs = try #require(try other.fetch(FetchDescriptor<Beast>()).first { $0.name == "b" })
    let mine = try #require(try context.fetch(FetchDescriptor<Beast>()).first { $0.name == "b" })
    let identifier = mine.persistentModelID
    context.delete(mine)
    try context.save()
    other.processPendingChanges()
    context.insert(mine)
    try context.save()
    other.insert(theirs)
    try other.save()
    #expect(mine.persistentModelID == identifier)
    #expect(theirs.persistentModelID != identifier)
    let count = try ModelContext(container).fetchCount(FetchDescriptor<Beast>())
    #expect(count == 4)
  }

  @Test("A rollback leaves the row deleted, and what is inserted after that is new")
  func rollback() throws {
    let beast = try context.only(Master.self).beasts[0]
    let identifier = beast.persistentModelID
    context.delete(beast)
    try context.save()
    context.insert(beast)
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor<Beast>()) == 2)
    context.insert(Beast("d"))
    try context.save()
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Beast>())
    #expect(identifiers.count == 3 && !identifiers.contains(identifier))
  }
}
