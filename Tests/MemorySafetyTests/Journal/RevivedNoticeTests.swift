import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Contexts that hear of a deletion after the row was revived")
struct RevivedNoticeTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let master = Master("Ann")
  private let beast = Beast("b")

  init() throws {
    container = try makeContainer(Master.self, Beast.self, Medal.self)
    context = ModelContext(container)
    context.insert(master)
    master.beasts = [Beast("a"), beast]
    try context.save()
  }

  private func deleteAndRevive() throws {
    context.delete(beast)
    try context.save()
    context.insert(beast)
    beast.master = master
    try context.save()
  }

  @Test("What another context changes of a revived row before it has heard of anything is saved")
  func changeIsKept() throws {
    let other = ModelContext(container)
    let theirMaster = try other.only(Master.self)
    try deleteAndRevive()
    // Read from the store now: the row is the revived one.
    let theirs = try #require(theirMaster.beasts.first { $0.name == "b" })
    theirs.age = 7
    try other.save()
    #expect(theirs.modelContext != nil)
    #expect(theirs.age == 7)
    let found = try ModelContext(container).all(Beast.self, by: \.name)
    #expect(found.map(\.age) == [0, 7])
  }

  @Test("An object that was read after the revival stays when the deletion is heard of")
  func readAfterwards() throws {
    let other = ModelContext(container)
    let theirMaster = try other.only(Master.self)
    try deleteAndRevive()
    let theirs = try #require(theirMaster.beasts.first { $0.name == "b" })
    other.processPendingChanges()
    #expect(theirs.modelContext != nil)
    #expect(theirMaster.beasts.contains { $0 === theirs })
  }

  @Test("An object from before the deletion may go, but the row is there and can be changed")
  func readBefore() throws {
    let other = ModelContext(container)
    let theirMaster = try other.only(Master.self)
    let names = theirMaster.beasts.map(\.name)
    #expect(names == ["a", "b"])
    try deleteAndRevive()
    other.processPendingChanges()
    #expect(theirMaster.beasts.map(\.name) == ["a", "b"])
    let found = try #require(other.model(for: beast.persistentModelID) as? Beast)
    #expect(found.name == "b")
    found.age = 9
    try other.save()
    context.processPendingChanges()
    #expect(beast.age == 9)
  }

  @Test("A deletion of the revived row by another context which has not heard of the first is carried out")
  func deletedAgain() throws {
    let other = ModelContext(container)
    let theirMaster = try other.only(Master.self)
    try deleteAndRevive()
    let theirs = try #require(theirMaster.beasts.first { $0.name == "b" })
    other.delete(theirs)
    try other.save()
    context.processPendingChanges()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Beast>()).map(\.name) == ["a"])
    #expect(beast.modelContext == nil)
  }
}
