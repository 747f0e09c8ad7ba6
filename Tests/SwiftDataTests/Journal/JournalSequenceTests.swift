import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Sequences of unsaved changes")
struct JournalSequenceTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeContainer(Master.self, Beast.self, Medal.self)
    context = ModelContext(container)
    for name in ["Ann", "Bob"] {
      let master = Master(name)
      context.insert(master)
      master.beasts = ["1", "2", "3"].map { Beast(name + $0) }
    }
    let medals = ["x", "y", "z"].map { Medal($0) }
    for medal in medals { context.insert(medal) }
    try context.save()
    for master in try context.all(Master.self, by: \.name) { master.medals = medals }
    try context.save()
  }

  private func masters(_ context: ModelContext) throws -> [Master] { try context.all(Master.self, by: \.name) }

  private func picture(_ context: ModelContext) throws -> [String] {
    let masters = try context.all(Master.self, by: \.name).map { master -> String in
      "\(master.name): \(master.beasts.map(\.name)) \(master.medals.map(\.word)) \(master.count)"
    }
    let beasts = try context.all(Beast.self, by: \.name).map { beast -> String in
      "\(beast.name): \(beast.master?.name ?? "-") \(beast.age)"
    }
    let medals = try context.all(Medal.self, by: \.word).map { medal -> String in
      "\(medal.word): \(medal.masters.map(\.name))"
    }
    return masters + beasts + medals
  }

  private func expectAgreement(_ note: Comment = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fresh = try picture(ModelContext(container))
    #expect(try picture(context) == fresh, note, sourceLocation: sourceLocation)
  }

  private func expectSaved(_ note: Comment = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try picture(context)
    try context.save()
    #expect(try picture(context) == before, note, sourceLocation: sourceLocation)
    #expect(try picture(ModelContext(container)) == before, note, sourceLocation: sourceLocation)
  }

  // MARK: Relinking deleted members by a list (`relink` records a link after `recordMembers` has)

  @Test("A deleted member that is linked again by a list, then moved from its own side, is not in the list")
  func relinkedAndMoved() throws {
    let masters = try masters(context)
    let (ann, bob) = (masters[0], masters[1])
    let beast = ann.beasts[0]
    context.delete(beast)
    ann.beasts = [ann.beasts[1], beast, ann.beasts[0]]
    #expect(ann.beasts.map(\.name) == ["Ann3", "Ann1", "Ann2"])
    beast.master = bob
    #expect(ann.beasts.map(\.name) == ["Ann3", "Ann2"])
    try expectSaved()
  }

  @Test("Relinking a deleted member by a list records a move and no addition")
  func relinkedIsNotAdded() throws {
    let ann = try masters(context)[0]
    let beast = ann.beasts[0]
    context.delete(beast)
    ann.beasts = ann.beasts + [beast]
    let property = try #require(ModelRuntime.of(ann).property(named: "beasts")?.toMany)
    let change = property.membership(of: ann)
    #expect(change.added.isEmpty)
    #expect(change.removed.isEmpty)
    #expect(change.placedFirst.isEmpty)
    #expect(change.placedLast.count == 1)
    try expectSaved()
  }

  @Test(
    "A deleted member of a many-to-many is linked again by a list and unlinked from either side",
    arguments: [true, false])
  func relinkedMedal(fromOtherSide: Bool) throws {
    let ann = try masters(context)[0]
    let medal = ann.medals[0]
    context.delete(medal)
    #expect(ann.medals.map(\.word) == ["y", "z"])
    ann.medals = [ann.medals[1], medal, ann.medals[0]]
    try expectSaved("relinked")
    context.delete(medal)
    ann.medals.append(medal)
    if fromOtherSide { medal.masters = [] } else { ann.medals.removeAll { $0 === medal } }
    #expect(ann.medals.map(\.word) == ["z", "y"])
    try expectSaved("left")
  }

  // MARK: Unread members

  @Test(
    "Links and unlinks of unread members are saved, whether the members are read before the save or never",
    arguments: [true, false])
  func unreadBackAndForth(isRead: Bool) throws {
    let other = ModelContext(container)
    let masters = try masters(other)
    let beasts = try other.all(Beast.self, by: \.name)
    let medals = try other.all(Medal.self, by: \.word)
    for _ in 0..<2 {
      beasts[0].master = nil
      beasts[0].master = masters[0]
      beasts[0].master = masters[1]
      beasts[0].master = masters[0]
    }
    beasts[1].master = masters[1]
    beasts[3].master = masters[0]
    beasts[3].master = nil
    medals[0].masters = []
    medals[0].masters = [masters[1]]
    if isRead { #expect(masters[0].beasts.map(\.name) == ["Ann3", "Ann1"]) }
    try other.save()
    #expect(masters[0].beasts.map(\.name) == ["Ann3", "Ann1"])
    #expect(try picture(other) == picture(ModelContext(container)))
    context.processPendingChanges()
    try expectAgreement()
  }

  @Test("A link that another context saved too counts once in an unread list")
  func sameLink() throws {
    let new = Beast("new")
    context.insert(new)
    try context.save()
    let (a, b) = (ModelContext(container), ModelContext(container))
    for other in [a, b] {
      let beast = try #require(try other.all(Beast.self, by: \.name).first { $0.name == "new" })
      beast.master = try masters(other)[0]
    }
    try a.save()
    try b.save()
    for other in [a, b] {
      other.processPendingChanges()
      #expect(try masters(other)[0].beasts.map(\.name) == ["Ann1", "Ann2", "Ann3", "new"])
    }
    context.processPendingChanges()
    try expectAgreement()
  }

  // MARK: First entries of each kind

  @Test("Rollback restores optional attributes, in any order of their changes")
  func optionals() throws {
    let container = try makeContainer(Ledgers.self, LedgerPage.self, LedgerShelf.self)
    let context = ModelContext(container)
    let ledger = Ledgers("a")
    ledger.p2 = nil
    context.insert(ledger)
    try context.save()
    for order in [[1, 2, 66], [2, 66, 1], [66, 1, 2]] {
      for index in order {
        switch index {
        case 1: ledger.p1 = nil
        case 2: ledger.p2 = 5
        default: ledger.p66 = nil
        }
      }
      ledger.pages = [LedgerPage(1)]
      ledger.next = Ledgers("n")
      context.rollback()
      #expect(ledger.p1 == 1)
      #expect(ledger.p2 == nil)
      #expect(ledger.p66 == 66)
      #expect(ledger.pages.isEmpty)
      #expect(ledger.next == nil)
      #expect(!context.hasChanges)
    }
    ledger.next = nil
    ledger.p1 = nil
    ledger.p2 = 5
    try context.save()
    let found = try ModelContext(container).only(Ledgers.self)
    #expect(found.p1 == nil && found.p2 == 5)
  }

  @Test(
    "Rollback restores what another context saved in the meantime, in any order of the changes", arguments: [0, 1, 2])
  func rollbackAfterOthers(first: Int) throws {
    let masters = try masters(context)
    let beast = masters[0].beasts[0]
    let steps: [() -> Void] = [
      { beast.age = 1 }, { beast.master = nil }, { masters[1].medals.removeFirst() },
    ]
    for step in steps.indices { steps[(step + first) % steps.count]() }
    let other = ModelContext(container)
    let theirs = try #require(try other.all(Beast.self, by: \.name).first)
    theirs.age = 2
    theirs.master = try self.masters(other)[1]
    try self.masters(other)[1].medals.removeLast()
    try other.save()
    context.processPendingChanges()
    #expect(beast.age == 1 && beast.master == nil)
    context.rollback()
    #expect(beast.age == 2)
    #expect(beast.master === masters[1])
    try expectAgreement()
  }

  // MARK: Change notifications

  @Test("Another context gets change notifications of each kind of change", arguments: 0..<8)
  func notifications(kind: Int) throws {
    let other = ModelContext(container)
    _ = try picture(other)
    let held = (try self.masters(other), try other.all(Beast.self, by: \.name), try other.all(Medal.self, by: \.word))
    for medal in held.2 { _ = medal.masters.map(\.name) }
    let masters = try self.masters(context)
    switch kind {
    case 0: masters[0].beasts.reverse()
    case 1: masters[0].medals.reverse()
    case 2: try context.all(Medal.self, by: \.word)[0].masters.reverse()
    case 3: masters[0].beasts[0].master = masters[1]
    case 4: masters[0].medals.removeFirst()
    case 5: masters[1].beasts += masters[0].beasts
    case 6: context.delete(masters[0])
    default:
      masters[0].count = 3
      masters[0].beasts[0].age = 4
    }
    try context.save()
    other.processPendingChanges()
    // Compares without a fetch, which would read rows again.
    let live = held.0.filter { $0.modelContext != nil }
    let fresh = try self.masters(ModelContext(container))
    #expect(live.map { $0.beasts.map(\.name) } == fresh.map { $0.beasts.map(\.name) })
    #expect(live.map { $0.medals.map(\.word) } == fresh.map { $0.medals.map(\.word) })
    #expect(live.map(\.count) == fresh.map(\.count))
    let freshMedals = try ModelContext(container).all(Medal.self, by: \.word)
    #expect(held.2.map { $0.masters.map(\.name) } == freshMedals.map { $0.masters.map(\.name) })
    withExtendedLifetime(held) {}
  }

  // MARK: Inserting again

  @Test("A deleted model can be inserted again after a rollback of its insertion")
  func insertedAfterRollback() throws {
    let beast = try masters(context)[0].beasts[0]
    context.delete(beast)
    try context.save()
    context.insert(beast)
    context.rollback()
    context.insert(beast)
    try context.save()
    try expectAgreement()
  }

  @Test("A model that is deleted and inserted three times, with changes between, keeps its values")
  func insertedThreeTimes() throws {
    let ann = try masters(context)[0]
    let beast = ann.beasts[1]
    for round in 1...3 {
      context.delete(beast)
      try expectSaved("deleted \(round)")
      context.insert(beast)
      beast.age = round
      ann.beasts.insert(beast, at: 0)
      ann.beasts.insert(Beast("new\(round)"), at: 1)
      try expectSaved("inserted \(round)")
      #expect(ann.beasts[0] === beast)
    }
  }

  @Test("Inserting a deleted owner again inserts its cascade-deleted members in their order, before new ones")
  func insertedCascade() throws {
    let ann = try masters(context)[0]
    context.delete(ann)
    try expectSaved("deleted")
    let new = Beast("0")
    context.insert(new)
    context.insert(ann)
    new.master = ann
    try expectSaved("inserted")
  }

  @Test("A deleted model inserted again becomes the row that another context saved with its unique value")
  func insertedUnique() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "one")
    context.insert(book)
    try context.save()
    context.delete(book)
    try context.save()
    let other = ModelContext(container)
    let taken = Book(isbn: "1", title: "two")
    other.insert(taken)
    try other.save()
    context.insert(book)
    try context.save()
    let found = try ModelContext(container).only(Book.self)
    #expect(found.title == "one")
    #expect(found.persistentModelID == taken.persistentModelID)
    let mine = try context.only(Book.self)
    #expect(mine.persistentModelID == taken.persistentModelID)
    other.processPendingChanges()
    #expect(taken.title == "one")
  }

  @Test("After a failed save the insertion of a deleted model is pending, and the next save writes it")
  func failedSave() throws {
    let container = try makeContainer(Team.self, Player.self, Beast.self, Master.self, Medal.self)
    let context = ModelContext(container)
    let beast = Beast("b")
    context.insert(beast)
    try context.save()
    context.delete(beast)
    try context.save()
    context.insert(beast)
    let team = Team("t")
    context.insert(team)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.delete(team)
    try context.save()
    #expect(try ModelContext(container).only(Beast.self).persistentModelID == beast.persistentModelID)
  }
}
