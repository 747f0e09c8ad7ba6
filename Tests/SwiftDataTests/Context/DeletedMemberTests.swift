import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Emblem {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Shield.emblems) var shields: [Shield] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Shield {
  var name: String
  var emblems: [Emblem] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Rack {
  @Attribute(.unique) var name: String
  @Relationship(minimumModelCount: 1, maximumModelCount: 2, inverse: nil) var parts: [RackPart] = []
  @Relationship(inverse: nil) var best: RackPart?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class RackPart {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Suite("Members and owners that are deleted while their relationships change")
struct DeletedMemberTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let list: Playlist

  init() throws {
    container = try makeRelations()
    context = ModelContext(container)
    list = Playlist("p")
    context.insert(list)
    list.tracks = ["a", "b"].map(Track.init)
    try context.save()
  }

  private func stored() throws -> [String] {
    let context = ModelContext(container)
    return try context.only(Playlist.self).tracks.map(\.title) + ["of"]
      + context.all(Track.self, by: \.title).map(\.title)
  }

  enum Edit: CaseIterable {
    case appending, removingOthers, sorting, assigning
  }

  private func edit(_ edit: Edit) {
    switch edit {
    case .appending: list.tracks.append(Track("c"))
    case .removingOthers: list.tracks.removeAll { $0.title == "b" }
    case .sorting: list.tracks.sort { $0.title > $1.title }
    case .assigning: list.tracks = list.tracks
    }
  }

  @Test("Changing a one-way relationship does not undo the deletion of a member", arguments: Edit.allCases)
  func editing(_ edit: Edit) throws {
    let track = list.tracks[0]
    context.delete(track)
    self.edit(edit)
    #expect(track.isDeleted)
    try context.save()
    let expected = [.appending: ["b", "c", "of", "b", "c"], .removingOthers: ["of", "b"]][edit] ?? ["b", "of", "b"]
    #expect(try stored() == expected)
    #expect(list.tracks.map(\.title) == Array(expected.prefix { $0 != "of" }))
  }

  @Test("Changing a one-way relationship does not insert an unsaved member again that was deleted")
  func editingUnsaved() throws {
    let new = Track("new")
    list.tracks.append(new)
    context.delete(new)
    list.tracks.append(Track("c"))
    #expect(new.modelContext == nil)
    try context.save()
    #expect(try stored() == ["a", "b", "c", "of", "a", "b", "c"])
  }

  @Test("Rollback restores deleted members in their order and discards added ones")
  func rollback() throws {
    let track = list.tracks[0]
    context.delete(track)
    list.tracks.append(Track("c"))
    context.rollback()
    #expect(list.tracks.map(\.title) == ["a", "b"])
    #expect(!track.isDeleted)
    try context.save()
    #expect(try stored() == ["a", "b", "of", "a", "b"])
  }

  @Test("Deleting a model removes it from unsaved links", arguments: [false, true])
  func unsavedLink(isNew: Bool) throws {
    let track = Track("c")
    context.insert(track)
    try context.save()
    let owner = isNew ? Playlist("q") : list
    context.insert(owner)
    owner.tracks.append(track)
    owner.favourite = track
    context.delete(track)
    try context.save()
    #expect(owner.favourite == nil)
    #expect(owner.tracks.map(\.title) == (isNew ? [] : ["a", "b"]))
    let read = try #require(ModelContext(container).model(for: owner.persistentModelID) as? Playlist)
    #expect(read.favourite == nil)
    #expect(read.tracks.map(\.title) == (isNew ? [] : ["a", "b"]))
  }

  @Test("Inserting a deleted model again leaves a list that was read in the meantime unchanged")
  func readMeanwhile() throws {
    let context = ModelContext(container)
    let track = try context.all(Track.self, by: \.title)[0]
    let list = try context.only(Playlist.self)
    context.delete(track)
    #expect(list.tracks.count == 2)
    context.insert(track)
    #expect(list.tracks.map(\.title) == ["a", "b"])
    try context.save()
    #expect(try stored() == ["a", "b", "of", "a", "b"])
  }

  @Test("A deleted member that was never saved does not deny the deletion of its owner")
  func unsavedDoesNotDeny() throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let context = ModelContext(container)
    let shop = Kiosk("s")
    context.insert(shop)
    try context.save()
    shop.orders.append(Purchase(1))
    context.delete(shop)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    for order in shop.orders { context.delete(order) }
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Kiosk>()) == 0)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Purchase>()) == 0)
  }

  @Test("An owner inserted again after a denied deletion does not reclaim members that moved to another owner")
  func movedFromDenying() throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let context = ModelContext(container)
    let (shop, other) = (Kiosk("a"), Kiosk("b"))
    for kiosk in [shop, other] { context.insert(kiosk) }
    let (moved, kept) = (Purchase(1, shop: shop), Purchase(2, shop: shop))
    try context.save()
    #expect(shop.orders.count == 2)
    context.delete(shop)
    moved.shop = other
    context.insert(shop)
    #expect(shop.orders.map(\.number) == [2])
    #expect(other.orders.map(\.number) == [1])
    #expect(kept.shop === shop)
    try context.save()
    let stored = try ModelContext(container).all(Kiosk.self, by: \.name)
    #expect(stored.map { $0.orders.map(\.number) } == [[2], [1]])
  }

  @Test(
    "An owner inserted again after its deletion does not reclaim members of another owner", arguments: [false, true])
  func insertedOwner(isSaved: Bool) throws {
    let (first, other) = (Citizen("a"), Citizen("b"))
    for citizen in [first, other] { context.insert(citizen) }
    let (taken, free) = (Letter("taken", from: first), Letter("free", from: first))
    try context.save()
    #expect(first.sent.count == 2)
    context.delete(first)
    try context.save()
    taken.sender = other
    if isSaved { try context.save() }
    context.insert(first)
    try context.save()
    #expect(taken.sender === other)
    #expect(free.sender === first)
    #expect(other.sent.map(\.text) == ["taken"])
    #expect(first.sent.map(\.text) == ["free"])
    let stored = try ModelContext(container).all(Letter.self, by: \.text)
    #expect(stored.map { $0.sender?.name } == ["a", "b"])
  }

  @Test("A deleted model keeps its to-one target, and has it again when inserted again", arguments: [false, true])
  func lastTarget(isRead: Bool) throws {
    let sender = Citizen("a")
    context.insert(sender)
    context.insert(Letter("l", from: sender))
    try context.save()
    let reading = ModelContext(container)
    let citizen = try reading.only(Citizen.self)
    let letter = try reading.only(Letter.self)
    if isRead { #expect(letter.sender === citizen) }
    reading.delete(letter)
    try reading.save()
    #expect(letter.sender === citizen)
    reading.insert(letter)
    try reading.save()
    #expect(try ModelContext(container).only(Letter.self).sender?.name == "a")
  }

  @Test("Changing a list does not stop a member from denying its deletion", arguments: [false, true])
  func deniedBesideChange(isEdited: Bool) throws {
    let container = try makeContainer(Emblem.self, Shield.self)
    let context = ModelContext(container)
    let (shield, emblem) = (Shield("s"), Emblem("e"))
    context.insert(shield)
    shield.emblems = [emblem]
    try context.save()
    #expect(shield.emblems.count == 1)
    shield.name = "t"
    if isEdited { shield.emblems.append(Emblem("f")) }
    context.delete(emblem)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.insert(emblem)
    try context.save()
    let stored = try ModelContext(container).only(Shield.self)
    #expect(stored.emblems.map(\.name) == (isEdited ? ["e", "f"] : ["e"]))
  }

  @Test("A deleted member returns to its position in a list when it is inserted again after a failed save")
  func insertedAfterFailure() throws {
    let other = ModelContext(container)
    let foreign = Track("foreign")
    other.insert(foreign)
    list.name = "q"
    list.tracks.append(Track("c"))
    let track = list.tracks[0]
    context.delete(track)
    context.insert(foreign)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.insert(track)
    try context.save()
    #expect(list.tracks.map(\.title) == ["a", "b", "c"])
    #expect(try stored() == ["a", "b", "c", "of", "a", "b", "c"])
  }

  @Test("An owner whose list is not updated by a deletion loses the member with the save", arguments: [false, true])
  func staleOwner(isReadBefore: Bool) throws {
    let container = try makeContainer(Mooring.self, Barge.self)
    let filling = ModelContext(container)
    let mooring = Mooring("m")
    filling.insert(mooring)
    mooring.barges = [Barge("a")]
    try filling.save()
    let context = ModelContext(container)
    let read = try context.only(Mooring.self)
    if isReadBefore { #expect(read.barges.count == 1) }
    context.delete(try context.only(Barge.self))
    #expect(read.barges.count == 1)
    try context.save()
    #expect(read.barges.isEmpty)
    read.barges.append(Barge("n"))
    try context.save()
    #expect(try ModelContext(container).all(Barge.self, by: \.name).map(\.name) == ["n"])
  }

  @Test("Minimum and maximum counts ignore deleted members")
  func limits() throws {
    let container = try makeContainer(Rack.self, RackPart.self)
    let context = ModelContext(container)
    let rack = Rack("r")
    context.insert(rack)
    rack.parts = ["a", "b"].map(RackPart.init)
    try context.save()
    context.delete(rack.parts[0])
    rack.parts.append(RackPart("c"))
    try context.save()
    #expect(try ModelContext(container).only(Rack.self).parts.map(\.name) == ["b", "c"])
    let last = rack.parts[1]
    rack.parts = [last]
    context.delete(last)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
  }

  @Test("An upsert whose to-one targets a deleted model keeps the row's link", arguments: [false, true])
  func upsert(isSaved: Bool) throws {
    let container = try makeContainer(Rack.self, RackPart.self)
    let context = ModelContext(container)
    let rack = Rack("r")
    context.insert(rack)
    rack.parts = [RackPart("a")]
    rack.best = rack.parts[0]
    try context.save()
    let part = RackPart("b")
    context.insert(part)
    if isSaved { try context.save() }
    let second = ModelContext(container)
    let new = Rack("r")
    let target = isSaved ? try #require(second.model(for: part.persistentModelID) as? RackPart) : RackPart("c")
    new.best = target
    new.parts = try second.fetch(FetchDescriptor<RackPart>(predicate: #Predicate { $0.name == "a" }))
    second.insert(new)
    second.delete(target)
    try second.save()
    #expect(try ModelContext(container).only(Rack.self).best?.name == "a")
  }
}
