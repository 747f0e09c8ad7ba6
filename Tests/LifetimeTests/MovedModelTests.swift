import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Models that were moved to another context")
struct MovedModelTests {
  @Test("A relationship to a model that was moved to another context is saved as nil", arguments: [false, true])
  func savedAsNil(isSavedFirst: Bool) throws {
    let container = try makeRelations()
    let (here, there) = (ModelContext(container), ModelContext(container))
    let list = Playlist("m")
    here.insert(list)
    try here.save()
    let track = Track("t")
    list.tracks = [track]
    list.favourite = track
    // Has the position among the inserted models that the track has in the other context.
    here.insert(Track("a"))
    here.delete(track)
    there.insert(Track("z"))
    there.insert(track)
    if isSavedFirst { try there.save() }
    try here.save()
    try there.save()

    #expect(list.tracks.isEmpty)
    #expect(list.favourite == nil)
    let stored = try ModelContext(container).only(Playlist.self)
    #expect(stored.tracks.isEmpty)
    #expect(stored.favourite == nil)
    #expect(try ModelContext(container).all(Track.self, by: \.title).map(\.title) == ["a", "t", "z"])
  }

  @Test("A relationship to a model that was moved to another context reads a model of its own context")
  func readAgain() throws {
    let container = try ModelContainer(
      for: Kiosk.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let (here, there) = (ModelContext(container), ModelContext(container))
    let visit = Visit(1, shop: Kiosk("k"))
    here.insert(visit)
    try here.save()
    let shop = try #require(visit.shop)
    here.delete(shop)
    try here.save()

    there.insert(shop)
    try there.only(Visit.self).shop = shop
    try there.save()
    here.processPendingChanges()
    let found = try #require(visit.shop)
    #expect(found !== shop)
    #expect(found.modelContext === here)
    found.name = "x"
    try here.save()
    #expect(try ModelContext(container).only(Kiosk.self).name == "x")
  }
}
