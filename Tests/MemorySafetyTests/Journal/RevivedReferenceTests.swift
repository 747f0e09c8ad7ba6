import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("One-way references to a row that was deleted and revived")
struct RevivedReferenceTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let playlist = Playlist("p")
  private let track = Track("t")

  init() throws {
    container = try makeRelations()
    context = ModelContext(container)
    context.insert(playlist)
    playlist.favourite = track
    playlist.tracks = [track, Track("u")]
    try context.save()
  }

  private func deleteAndRevive() throws {
    context.delete(track)
    try context.save()
    context.insert(track)
    try context.save()
  }

  private func stored() throws -> (favourite: String?, tracks: [String]) {
    let fresh = ModelContext(container)
    let found = try fresh.only(Playlist.self)
    return (found.favourite?.title, found.tracks.map(\.title))
  }

  @Test("The context that did it has what the store has", arguments: [true, false])
  func sameContext(isReadBetween: Bool) throws {
    context.delete(track)
    try context.save()
    if isReadBetween { #expect(playlist.favourite == nil) }
    context.insert(track)
    try context.save()
    let stored = try stored()
    #expect(playlist.favourite?.title == stored.favourite)
    #expect(playlist.tracks.map(\.title) == stored.tracks)
  }

  @Test("So has another one that had read the target, or only the row", arguments: [true, false])
  func otherContext(hasReadTarget: Bool) throws {
    let other = ModelContext(container)
    let theirs = try other.only(Playlist.self)
    if hasReadTarget { #expect(theirs.favourite?.title == "t") }
    try deleteAndRevive()
    other.processPendingChanges()
    let stored = try stored()
    #expect(theirs.favourite?.title == stored.favourite)
    #expect(theirs.tracks.map(\.title) == stored.tracks)
  }

  @Test("So has one whose row was only read, in the context that did it")
  func unreadTarget() throws {
    let second = ModelContext(container)
    let found = try second.only(Playlist.self)
    let target = try #require(try second.all(Track.self, by: \.title).first)
    second.delete(target)
    try second.save()
    second.insert(target)
    try second.save()
    let stored = try stored()
    #expect(found.favourite?.title == stored.favourite)
  }

  @Test("A two-way to-one whose rule is noAction agrees with the store after a revival")
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
    context.insert(kiosk)
    try context.save()
    let fresh = ModelContext(container)
    let shop = try fresh.only(Visit.self).shop?.name
    let days = try fresh.only(Kiosk.self).visits.map(\.day)
    #expect(visit.shop?.name == shop)
    #expect(kiosk.visits.map(\.day) == days)
  }

  @Test("What others lead to a row while it goes leads there again, for all, when the rule is noAction")
  func ledToGone() throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let contexts = (0..<3).map { _ in ModelContext(container) }
    contexts[0].insert(Kiosk("k"))
    contexts[0].insert(Visit(1))
    try contexts[0].save()
    let kiosks = try contexts.map { try $0.only(Kiosk.self) }
    let visits = try contexts.map { try $0.only(Visit.self) }
    for kiosk in kiosks { #expect(kiosk.visits.isEmpty) }
    contexts[0].delete(kiosks[0])
    visits[1].shop = kiosks[1]
    try contexts[0].save(interruptedBy: contexts[1])
    contexts[2].processPendingChanges()
    #expect(visits[2].shop == nil)
    contexts[0].insert(kiosks[0])
    try contexts[0].save()
    for context in contexts { context.processPendingChanges() }
    let fresh = container.freshContext()
    #expect(try fresh.only(Visit.self).shop?.name == "k")
    #expect(try fresh.only(Kiosk.self).visits.map(\.day) == [1])
    for visit in visits { #expect(visit.shop?.name == "k") }
    for kiosk in kiosks.dropLast() { #expect(kiosk.visits.map(\.day) == [1]) }
  }
}
