import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Rows and identity of reinserted models")
struct InsertedAgainTests {
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

  private func beast(_ name: String, in context: ModelContext? = nil) throws -> Beast {
    try #require(try (context ?? self.context).fetch(FetchDescriptor<Beast>()).first { $0.name == name })
  }

  @Test("A reinserted model is the same object with a new row and identifier, in every context and after reopening")
  func identifier() throws {
    let master = try context.only(Master.self)
    let beast = master.beasts[1]
    let former = beast.persistentModelID
    context.delete(beast)
    try context.save()
    #expect(master.beasts.map(\.name) == ["a", "c"])
    context.insert(beast)
    beast.master = master
    try context.save()
    #expect(beast.persistentModelID != former)
    #expect(context.model(for: beast.persistentModelID) === beast)
    #expect(master.beasts.map(\.name) == ["a", "c", "b"])
    let other = ModelContext(try Self.open(folder))
    #expect(try other.only(Master.self).beasts.map(\.name) == ["a", "c", "b"])
    #expect((other.model(for: beast.persistentModelID) as? Beast)?.name == "b")
    #expect(other.registeredModel(for: former) as Beast? == nil)
    #expect(try other.fetchCount(FetchDescriptor<Beast>(predicate: #Predicate { $0.persistentModelID == former })) == 0)
  }

  @Test("A cascade's models can be reinserted with their relationships")
  func cascade() throws {
    let master = try context.only(Master.self)
    let beasts = master.beasts
    let former = Set([master.persistentModelID] + beasts.map(\.persistentModelID))
    context.delete(master)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Beast>()) == 0)
    context.insert(master)
    for beast in beasts { beast.master = master }
    try context.save()
    #expect(former.isDisjoint(with: [master.persistentModelID] + beasts.map(\.persistentModelID)))
    #expect(try ModelContext(container).only(Master.self).beasts.map(\.name) == ["a", "b", "c"])
  }

  @Test("A model can be deleted and reinserted repeatedly before the save")
  func backAndForth() throws {
    let beast = try beast("b")
    context.delete(beast)
    try context.save()
    context.insert(beast)
    context.delete(beast)
    context.insert(beast)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 3)
    #expect(context.model(for: beast.persistentModelID) === beast)
  }

  @Test("Two contexts' objects of one deleted row become two models when both are reinserted")
  func twoObjects() throws {
    let other = ModelContext(container)
    let (theirs, mine) = (try beast("b", in: other), try beast("b"))
    context.delete(mine)
    try context.save()
    other.processPendingChanges()
    #expect(theirs.modelContext == nil)
    context.insert(mine)
    context.insert(theirs)
    try context.save()
    #expect(mine.persistentModelID != theirs.persistentModelID)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 4)
  }

  @Test("A rollback leaves the row deleted, and the object can be inserted after that")
  func rollback() throws {
    let beast = try context.only(Master.self).beasts[0]
    let former = beast.persistentModelID
    context.delete(beast)
    try context.save()
    context.insert(beast)
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor<Beast>()) == 2)
    context.insert(beast)
    try context.save()
    #expect(beast.persistentModelID != former)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 3)
  }

  @Test("An object fetched by the deleted row's identifier stays without a row")
  func formerIdentifier() throws {
    let beast = try beast("b")
    let former = beast.persistentModelID
    context.delete(beast)
    try context.save()
    let ghost = try #require(context.model(for: former) as? Beast)
    context.insert(beast)
    try context.save()
    #expect(ghost !== beast)
    #expect(ghost.name != "b")
    beast.name = "z"
    try context.save()
    #expect(try ModelContext(container).all(Beast.self, by: \.name).map(\.name) == ["a", "c", "z"])
  }

  @Test("A model whose row another container deleted can be reinserted beside a stale object")
  func staleObject() throws {
    let mine = try beast("b")
    let far = ModelContext(try Self.open(folder))
    let theirs = try beast("b", in: far)
    far.delete(theirs)
    try far.save()
    context.insert(theirs)
    try context.save()
    #expect(theirs.modelContext === context)
    theirs.name = "z"
    try context.save()
    context.processPendingChanges()
    #expect(try ModelContext(container).all(Beast.self, by: \.name).map(\.name) == ["a", "c", "z"])
    withExtendedLifetime(mine) {}
  }

  @Test("Contexts notified of a deletion and a reinsertion together detach the old model and find the new")
  func notifiedTogether() throws {
    let other = ModelContext(container)
    let theirMaster = try other.only(Master.self)
    let theirs = try #require(theirMaster.beasts.first { $0.name == "b" })
    let beast = try beast("b")
    context.delete(beast)
    try context.save()
    context.insert(beast)
    beast.master = try context.only(Master.self)
    try context.save()
    other.processPendingChanges()
    #expect(theirs.modelContext == nil)
    #expect(theirMaster.beasts.map(\.name) == ["a", "c", "b"])
    #expect(theirMaster.beasts.last !== theirs)
  }
}

@Suite("To-one relationships to a reinserted model")
struct LinksToInsertedAgainTests {
  @Test("A one-way to-one to a reinserted model is nil, in memory and in the store", arguments: [true, false])
  func oneWay(isReadBetween: Bool) throws {
    let container = try makeRelations()
    let context = ModelContext(container)
    let (playlist, track) = (Playlist("p"), Track("t"))
    context.insert(playlist)
    playlist.favourite = track
    playlist.tracks = [track, Track("u")]
    try context.save()
    let other = ModelContext(container)
    let theirs = try other.only(Playlist.self)
    #expect(theirs.favourite?.title == "t")
    context.delete(track)
    try context.save()
    if isReadBetween { #expect(playlist.favourite == nil) }
    context.insert(track)
    try context.save()
    other.processPendingChanges()
    for list in [playlist, theirs, try ModelContext(container).only(Playlist.self)] {
      #expect(list.favourite == nil)
      #expect(list.tracks.map(\.title) == ["u"])
    }
  }

  @Test(
    "A dangling noAction reference reads as nil until it is set, or its target is reinserted with its relationships")
  func noAction() throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let context = ModelContext(container)
    let kiosk = Kiosk("k")
    context.insert(kiosk)
    let visit = Visit(1, shop: kiosk)
    context.insert(visit)
    try context.save()
    context.delete(kiosk)
    try context.save()
    #expect(visit.shop == nil)
    #expect(try ModelContext(container).only(Visit.self).shop == nil)
    context.insert(kiosk)
    try context.save()
    #expect(visit.shop === kiosk)
    for context in [context, ModelContext(container)] {
      #expect(try context.only(Visit.self).shop?.name == "k")
      #expect(try context.only(Kiosk.self).visits.map(\.day) == [1])
    }
  }
}
