import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("An object by the identifier of a deleted row, before the row is revived")
struct RevivedLookUpTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext
  private let mine: Beast

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    context = ModelContext(container)
    mine = Beast("b")
    context.insert(mine)
    try context.save()
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(url: folder.file()))
  }

  @Test("The inserted model stays the row's model though somebody looked for the row", arguments: [true, false])
  func lookedUp(isBeforeInsertion: Bool) throws {
    let identifier = mine.persistentModelID
    context.delete(mine)
    try context.save()
    var ghost: (any PersistentModel)?
    if isBeforeInsertion { ghost = context.model(for: identifier) }
    context.insert(mine)
    if !isBeforeInsertion { ghost = context.model(for: identifier) }
    try context.save()
    withExtendedLifetime(ghost) {}
    #expect(mine.modelContext != nil)
    #expect(mine.persistentModelID == identifier)
    mine.name = "x"
    #expect(mine.name == "x")
    try context.save()
    #expect(try ModelContext(container).only(Beast.self).name == "x")
  }

  @Test("An object of another context by that identifier has the values of the revived row")
  func ghostElsewhere() throws {
    let identifier = mine.persistentModelID
    let other = ModelContext(container)
    context.delete(mine)
    try context.save()
    other.processPendingChanges()
    let ghost = try #require(other.model(for: identifier) as? Beast)
    #expect(ghost.name != "b")
    context.insert(mine)
    try context.save()
    other.processPendingChanges()
    #expect(mine.persistentModelID == identifier)
    #expect(ghost.name == "b")
  }

  @Test("A row that another container deleted is revived once though this context has a stale object of it")
  func staleObject() throws {
    let far = ModelContext(try Self.open(folder))
    let theirs = try far.only(Beast.self)
    far.delete(theirs)
    try far.save()
    // `mine` does not know. The far object comes here: its row is gone, so it can be inserted.
    context.insert(theirs)
    try context.save()
    let living = [mine, theirs].filter { $0.modelContext != nil }
    #expect(!living.isEmpty)
    living.last?.name = "z"
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Beast>()).map(\.name) == ["z"])
  }
}
