import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Mooring {
  var name: String
  @Relationship(inverse: \Barge.mooring) var barges: [Barge] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Barge {
  var name: String
  @Relationship(deleteRule: .noAction) var mooring: Mooring?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Rival {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Arena.rivals) var arenas: [Arena] = []
  @Relationship(deleteRule: .deny, inverse: \Rival.challengers) var rivals: [Rival] = []
  @Relationship(deleteRule: .deny) var challengers: [Rival] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Arena {
  var name: String
  @Relationship(deleteRule: .deny) var rivals: [Rival] = []

  init(_ name: String) {
    self.name = name
  }
}

/// Has a one-way relationship to shields.
@Model
final class Stand {
  @Relationship(deleteRule: .deny, inverse: nil) var shields: [Shield] = []

  init() {}
}

@Model
final class Harbour {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Model
class Vessel {
  var name: String

  init(name: String) {
    self.name = name
  }
}

@Model
final class Ferry: Vessel {
  var home: Harbour
  var stop: Harbour?

  init(_ name: String, home: Harbour) {
    self.home = home
    super.init(name: name)
  }
}

@Suite("Delete rules")
struct DeleteRuleTests {
  private func count<Model: PersistentModel>(_ type: Model.Type, _ container: ModelContainer) throws -> Int {
    try container.freshContext().fetchCount(FetchDescriptor<Model>())
  }

  /// The only model of a type, in a context that saved it or in a fresh one.
  private func model<Model: PersistentModel>(
    _ made: Model, _ context: ModelContext, isFresh: Bool
  ) throws -> (Model, ModelContext) {
    context.insert(made)
    try context.save()
    guard isFresh else { return (made, context) }
    let other = ModelContext(context.container)
    return (try other.only(Model.self), other)
  }

  @Test("`.nullify` removes the deleted model from its targets at once", arguments: [true, false])
  func nullify(isFresh: Bool) throws {
    let container = try makeRelations()
    let made = Citizen("Ada", passport: Passport(1))
    made.sent = [Letter("a"), Letter("b")]
    let (ada, context) = try model(made, ModelContext(container), isFresh: isFresh)
    let letters = ada.sent
    let passport = try #require(ada.passport)
    context.delete(ada)
    #expect(letters.allSatisfy { $0.sender == nil })
    #expect(passport.holder == nil)
    try context.save()
    #expect(letters.allSatisfy { $0.sender == nil })
    #expect(try count(Citizen.self, container) == 0)
    #expect(try count(Letter.self, container) == 2)
    #expect(try container.freshContext().only(Passport.self).holder == nil)
  }

  @Test("Deleting a child removes it from its parent at once", arguments: [true, false])
  func child(isFresh: Bool) throws {
    let container = try makeLibrary()
    let made = Author(name: "A")
    made.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
    let (author, context) = try model(made, ModelContext(container), isFresh: isFresh)
    let book = try #require(try context.all(Book.self, by: \.isbn).first)
    context.delete(book)
    #expect(author.books.map(\.isbn) == ["2"])
    try context.save()
    #expect(author.books.map(\.isbn) == ["2"])
    #expect(try container.freshContext().only(Author.self).books.map(\.isbn) == ["2"])
  }

  @Test("`.cascade` deletes the targets, and theirs", arguments: [true, false])
  func cascade(isFresh: Bool) throws {
    let container = try makeRelations()
    let made = Node("root", children: [Node("a", children: [Node("b")]), Node("c")])
    let context = ModelContext(container)
    context.insert(made)
    try context.save()
    let other = isFresh ? ModelContext(container) : context
    let root = try #require(try other.fetch(FetchDescriptor<Node>()).first { $0.parent == nil })
    other.delete(root)
    #expect(other.deletedModelsArray.count == 4)
    try other.save()
    #expect(try count(Node.self, container) == 0)
  }

  @Test("`.cascade` follows a cycle once")
  func cycle() throws {
    let container = try makeRules()
    let context = ModelContext(container)
    let rings = ["a", "b", "c"].map { Ring($0) }
    for (index, ring) in rings.enumerated() { ring.next = rings[(index + 1) % 3] }
    context.insert(rings[0])
    try context.save()
    context.delete(rings[1])
    #expect(context.deletedModelsArray.count == 3)
    try context.save()
    #expect(try count(Ring.self, container) == 0)
  }

  @Test("`.deny` fails the save, which leaves everything pending", arguments: [true, false])
  func deny(isFresh: Bool) throws {
    let container = try makeRules()
    let made = Kiosk("s")
    made.orders = [Purchase(1), Purchase(2)]
    let (shop, context) = try model(made, ModelContext(container), isFresh: isFresh)
    context.delete(shop)
    context.insert(Kiosk("other"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.issues.map(\.property) == ["orders"])
    #expect(context.deletedModelsArray.count == 1)
    #expect(context.insertedModelsArray.count == 1)
    #expect(shop.isDeleted)
    for order in shop.orders { context.delete(order) }
    try context.save()
    #expect(try count(Kiosk.self, container) == 1)
    #expect(try count(Purchase.self, container) == 0)
  }

  @Test("`.deny` permits a deletion once the targets reference other models")
  func denyMoved() throws {
    let container = try makeRules()
    let made = Kiosk("s")
    made.orders = [Purchase(1)]
    let (shop, context) = try model(made, ModelContext(container), isFresh: false)
    let order = try #require(shop.orders.first)
    context.delete(shop)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    order.shop = Kiosk("new")
    try context.save()
    #expect(try container.freshContext().only(Purchase.self).shop?.name == "new")
  }

  @Test("`.noAction` leaves dangling references, and reading them is safe")
  func noAction() throws {
    let container = try makeRules()
    let made = Kiosk("s")
    made.visits = [Visit(1)]
    let (shop, context) = try model(made, ModelContext(container), isFresh: false)
    let visit = try #require(shop.visits.first)
    context.delete(shop)
    try context.save()
    #expect(visit.shop == nil)
    let stored = try container.freshContext().only(Visit.self)
    #expect(stored.shop == nil)
    #expect(stored.day == 1)
  }

  @Test("An owner that a .noAction deletion does not update has no member for the missing row")
  func staleOwner() throws {
    let container = try makeContainer(Mooring.self, Barge.self)
    let filling = ModelContext(container)
    for name in ["a", "b"] {
      let mooring = Mooring(name)
      filling.insert(mooring)
      mooring.barges = [Barge(name)]
    }
    try filling.save()
    let context = ModelContext(container)
    let moorings = try context.all(Mooring.self, by: \.name)
    // The keys of all members are read ahead.
    #expect(moorings[0].barges.count == 1)
    let barge = try #require(try context.fetch(FetchDescriptor<Barge>(predicate: #Predicate { $0.name == "b" })).first)
    context.delete(barge)
    try context.save()
    #expect(moorings[1].barges.isEmpty)
    moorings[1].name = "c"
    try context.save()
    #expect(try ModelContext(container).all(Mooring.self, by: \.name).map { $0.barges.map(\.name) } == [["a"], []])
  }

  @Test("Deleting the target of a one-way relationship removes it from the relationship")
  func oneWay() throws {
    let container = try makeRelations()
    let context = ModelContext(container)
    let list = Playlist("p")
    list.tracks = [Track("a"), Track("b")]
    list.favourite = list.tracks[0]
    context.insert(list)
    try context.save()
    context.delete(list.tracks[0])
    try context.save()
    #expect(list.tracks.map(\.title) == ["b"])
    #expect(list.favourite == nil)
    let stored = try container.freshContext().only(Playlist.self)
    #expect(stored.tracks.map(\.title) == ["b"])
    #expect(stored.favourite == nil)
  }

  @Test("Unlinking deletes no model")
  func unlinking() throws {
    let container = try makeLibrary()
    let made = Author(name: "A")
    made.books = [Book(isbn: "1", title: "One")]
    let (author, context) = try model(made, ModelContext(container), isFresh: true)
    author.books = []
    try context.save()
    #expect(try container.freshContext().only(Book.self).author == nil)
  }

  @Test("A model that a subclass requires cannot be deleted")
  func requiredInSubclass() throws {
    let container = try ModelContainer(
      for: Ferry.self, Harbour.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let ferry = Ferry("f", home: Harbour("h"))
    context.insert(ferry)
    ferry.stop = Harbour("s")
    try context.save()
    try context.delete(model: Harbour.self, where: #Predicate { $0.name == "s" })
    try context.save()
    #expect(try container.freshContext().only(Ferry.self).stop == nil)

    context.delete(ferry.home)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    context.rollback()
    #expect(ferry.home.name == "h")
    #expect(try container.freshContext().only(Ferry.self).home.name == "h")
    let home = ferry.home
    context.delete(ferry)
    context.delete(home)
    try context.save()
    #expect(try count(Vessel.self, container) + count(Harbour.self, container) == 0)
  }

  @Test("`.deny` applies to links that another context saved in the meantime", arguments: [false, true])
  func denyBesideOthers(toMany: Bool) throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Kiosk.self, Emblem.self, configurations: ModelConfiguration(url: folder.file())))
    }
    let (context, other) = (try open(), try open())
    let (shop, emblem) = (Kiosk("k"), Emblem("e"))
    context.insert(shop)
    context.insert(emblem)
    try context.save()
    #expect(shop.orders.isEmpty && emblem.shields.isEmpty)
    if toMany {
      let shield = Shield("s")
      other.insert(shield)
      shield.emblems = [try other.only(Emblem.self)]
      context.delete(emblem)
    } else {
      other.insert(Purchase(1, shop: try other.only(Kiosk.self)))
      context.delete(shop)
    }
    try other.save()
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    context.rollback()
    let fresh = try open()
    if toMany {
      #expect(try fresh.only(Shield.self).emblems.map(\.name) == ["e"])
      fresh.delete(try fresh.only(Shield.self))
      fresh.delete(try fresh.only(Emblem.self))
    } else {
      #expect(try fresh.only(Purchase.self).shop?.name == "k")
      try fresh.only(Purchase.self).shop = nil
      fresh.delete(try fresh.only(Kiosk.self))
    }
    try fresh.save()
  }

  @Test("Links removed while a .deny or .noAction deletion is pending stay removed when the model is inserted again")
  func insertedAgain() throws {
    let container = try ModelContainer(
      for: Kiosk.self, Emblem.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (shop, emblem) = (Kiosk("k"), Emblem("e"))
    let (order, visit, shield) = (Purchase(1, shop: shop), Visit(1, shop: shop), Shield("s"))
    for model in [order, visit] as [any PersistentModel] { context.insert(model) }
    context.insert(emblem)
    emblem.shields = [shield]
    try context.save()

    context.delete(shop)
    context.delete(emblem)
    order.shop = nil
    visit.shop = nil
    shield.emblems = []
    context.insert(shop)
    context.insert(emblem)
    #expect(shop.orders.isEmpty && shop.visits.isEmpty && emblem.shields.isEmpty)
    try context.save()
    #expect(shop.orders.isEmpty && shop.visits.isEmpty && emblem.shields.isEmpty)
    let fresh = container.freshContext()
    #expect(try fresh.only(Kiosk.self).orders.isEmpty && fresh.only(Emblem.self).shields.isEmpty)
  }

  @Test(
    "A model whose rule denies its deletion can be deleted in the save that removes its links",
    arguments: [false, true])
  func denyUnlinked(fromOtherSide: Bool) throws {
    let container = try ModelContainer(
      for: Emblem.self, Stand.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (emblem, shield) = (Emblem("e"), Shield("s"))
    context.insert(emblem)
    emblem.shields = [shield]
    let stand = Stand()
    context.insert(stand)
    stand.shields = [shield]
    try context.save()
    context.delete(stand)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.insert(stand)
    stand.shields = []
    context.delete(stand)
    try context.save()
    #expect(try count(Stand.self, container) == 0)
    if fromOtherSide { shield.emblems = [] } else { emblem.shields = [] }
    context.delete(emblem)
    try context.save()
    #expect(try container.freshContext().only(Shield.self).emblems.isEmpty)
  }

  @Test("Two models that deny each other's deletion can be deleted together", arguments: [false, true])
  func denyBothWays(inBatches: Bool) throws {
    let container = try ModelContainer(
      for: Rival.self, Arena.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (rival, arena) = (Rival("r"), Arena("a"))
    context.insert(rival)
    rival.arenas = [arena]
    rival.rivals = [rival]
    try context.save()
    context.delete(arena)
    #expect(throws: SwiftDataError.self) { try context.save() }
    if inBatches {
      try context.delete(model: Rival.self)
    } else {
      context.delete(rival)
    }
    try context.save()
    #expect(try count(Rival.self, container) + count(Arena.self, container) == 0)
  }
}
