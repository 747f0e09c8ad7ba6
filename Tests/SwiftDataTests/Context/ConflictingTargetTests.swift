import SwiftData
import Testing

@testable import TestSupport

@Model
final class Hermit {
  var age = 0
  @Relationship(inverse: \Hermit.confidantOf) var confidant: Hermit?
  var confidantOf: Hermit?

  init() {}
}

@Suite("Two contexts that give the same models different targets")
struct ConflictingTargetTests {
  private let container: ModelContainer
  private let mine: ModelContext
  private let theirs: ModelContext

  init() throws {
    container = try makeRelations()
    let setup = ModelContext(container)
    for number in 1...3 {
      let citizen = Citizen("\(number)")
      setup.insert(citizen)
      citizen.passport = Passport(number)
    }
    try setup.save()
    mine = ModelContext(container)
    theirs = ModelContext(container)
  }

  private func sorted(_ context: ModelContext) throws -> (citizens: [Citizen], passports: [Passport]) {
    (
      try context.fetch(FetchDescriptor<Citizen>()).sorted { $0.name < $1.name },
      try context.fetch(FetchDescriptor<Passport>()).sorted { $0.number < $1.number }
    )
  }

  private func pairs(_ context: ModelContext) throws -> [String] {
    let (citizens, passports) = try sorted(context)
    return citizens.map { "\($0.name) has \($0.passport?.number ?? 0)" }
      + passports.map { "\($0.number) of \($0.holder?.name ?? "none")" }
  }

  @Test("A one-to-one whose target was not looked up yet follows another context's save")
  func unresolved() throws {
    let known = try sorted(mine)
    let (citizens, passports) = try sorted(theirs)
    citizens[0].passport = passports[1]
    try theirs.save()
    mine.processPendingChanges()
    #expect(try pairs(mine) == ["1 has 2", "2 has 0", "3 has 3", "1 of none", "2 of 1", "3 of 3"])
    #expect(known.passports[1].holder === known.citizens[0])
  }

  @Test(
    "A one-to-one is removed from the target that another context gave it in the meantime", arguments: [true, false])
  func removedFromTarget(isRead: Bool) throws {
    let (citizens, passports) = try sorted(mine)
    let others = try sorted(theirs)
    others.citizens[0].passport = others.passports[1]
    citizens[2].passport = passports[0]
    passports[1].holder = nil
    try theirs.save()
    mine.processPendingChanges()
    if isRead { _ = try pairs(mine) }
    try mine.save()
    let stored = try pairs(container.freshContext())
    #expect(try pairs(mine) == stored)
    #expect(try pairs(theirs) == stored)
    #expect(stored[2] == "3 has 1")
  }

  @Test(
    "Two contexts agree after one links a target to a new model and the other replaces the owner's target",
    arguments: [true, false])
  func newOwner(isByTarget: Bool) throws {
    let (citizens, _) = try sorted(mine)
    let others = try sorted(theirs)
    let (rival, spare) = (Citizen("4"), Passport(4))
    theirs.insert(rival)
    rival.passport = others.passports[0]
    let own = Passport(5)
    mine.insert(own)
    if isByTarget { own.holder = citizens[0] } else { citizens[0].passport = own }
    theirs.insert(spare)
    others.citizens[0].passport = spare
    try theirs.save()
    try mine.save()
    let stored = try pairs(container.freshContext())
    #expect(try pairs(mine) == stored)
    #expect(try pairs(theirs) == stored)
    #expect(stored[0] == "1 has 5")
  }

  enum Clearing: CaseIterable {
    case citizen, passport, citizenLinkedElsewhere
  }

  @Test(
    "Both sides of a cleared one-to-one stay cleared after a refresh", arguments: Clearing.allCases)
  func cleared(_ clearing: Clearing) throws {
    let (citizens, passports) = try sorted(mine)
    _ = try pairs(mine)
    let others = try sorted(theirs)
    // After this save, the references of other rows have to be read again.
    others.citizens[2].passport = nil
    try theirs.save()
    mine.processPendingChanges()
    if clearing == .passport { passports[0].holder = nil } else { citizens[0].passport = nil }
    if clearing == .citizenLinkedElsewhere {
      others.citizens[0].passport = others.passports[1]
      try theirs.save()
      mine.processPendingChanges()
    }
    theirs.insert(Letter("of later"))
    try theirs.save()
    _ = try sorted(mine)
    try mine.save()
    #expect(citizens[0].passport == nil && passports[0].holder == nil)
    #expect(passports[1].holder === (clearing == .citizenLinkedElsewhere ? nil : citizens[1]))
    #expect(try pairs(mine) == pairs(container.freshContext()))
  }

  @Test("A one-to-one from a model to itself can be cleared")
  func clearedFromItself() throws {
    let container = try makeContainer(Hermit.self)
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    let hermit = Hermit()
    mine.insert(hermit)
    hermit.confidant = hermit
    try mine.save()
    try theirs.only(Hermit.self).age = 80
    try theirs.save()
    mine.processPendingChanges()
    hermit.confidant = nil
    theirs.insert(Hermit())
    try theirs.save()
    _ = try mine.fetch(FetchDescriptor<Hermit>())
    try mine.save()
    #expect(hermit.confidant == nil && hermit.confidantOf == nil)
  }

  /// Two contexts of a library with an author of two books, and an author without books.
  private func library() throws -> (mine: ModelContext, theirs: ModelContext) {
    let container = try makeLibrary()
    let setup = ModelContext(container)
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
    setup.insert(author)
    setup.insert(Author(name: "B", born: 2))
    try setup.save()
    return (ModelContext(container), ModelContext(container))
  }

  private func author(_ name: String, _ context: ModelContext) throws -> Author {
    try #require(try context.fetch(FetchDescriptor<Author>()).first { $0.name == name })
  }

  private func book(_ isbn: String, _ context: ModelContext) throws -> Book {
    try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.isbn == isbn })
  }

  private func shelves(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Author>()).map { "\($0.name): \($0.books.map(\.isbn).sorted())" }.sorted()
      + context.fetch(FetchDescriptor<Book>()).map { "\($0.isbn) by \($0.author?.name ?? "none")" }.sorted()
  }

  @Test("A model that another context deleted is no member of an unread to-many that it was just added to")
  func deletedMember() throws {
    let (mine, theirs) = try library()
    let author = try author("B", mine)
    try book("1", mine).author = author
    theirs.delete(try book("1", theirs))
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.books.isEmpty)
    try mine.save()
    #expect(author.books.isEmpty)
  }

  @Test("A member removed before the context merges another context's move of it is unlinked on both sides")
  func removedUnknown() throws {
    let (mine, theirs) = try library()
    let (author, book) = (try author("B", mine), try book("1", mine))
    #expect(book.author?.name == "A")
    try self.book("1", theirs).author = try self.author("B", theirs)
    try theirs.save()
    author.books.removeAll()
    mine.processPendingChanges()
    #expect(author.books.isEmpty && book.author == nil)
    try mine.save()
    #expect(try shelves(mine) == ["A: [\"2\"]", "B: []", "1 by none", "2 by A"])
    #expect(try shelves(theirs) == shelves(mine))
  }

  enum Way: CaseIterable {
    case appended, assigned, insertedBefore
  }

  @Test(
    "A model that another context deleted with its owner is inserted again without that owner", arguments: Way.allCases)
  func insertedAgain(_ way: Way) throws {
    let (mine, theirs) = try library()
    let (new, gone) = (try author("B", mine), try book("1", mine))
    #expect(gone.author?.name == "A")
    theirs.delete(try author("A", theirs))
    try theirs.save()
    mine.processPendingChanges()
    #expect(gone.modelContext == nil)
    switch way {
    case .appended: new.books.append(gone)
    case .assigned: new.books = [gone]
    case .insertedBefore:
      mine.insert(gone)
      gone.author = new
    }
    #expect(gone.author === new)
    try mine.save()
    let expected = ["B: [\"1\"]", "1 by B"]
    #expect(try shelves(mine) == expected)
    #expect(try shelves(theirs) == expected)
  }

  @Test("A deleted model that is linked again before the save is linked on both sides", arguments: [true, false])
  func deletedAndLinked(isAppended: Bool) throws {
    let (mine, theirs) = try library()
    let (new, book) = (try author("B", mine), try book("1", mine))
    mine.delete(book)
    if isAppended { new.books.append(book) } else { new.books = [book] }
    #expect(!book.isDeleted)
    #expect(book.author === new)
    try mine.save()
    #expect(try shelves(mine) == ["A: [\"2\"]", "B: [\"1\"]", "1 by B", "2 by A"])
    #expect(try shelves(theirs) == ["A: [\"2\"]", "B: [\"1\"]", "1 by B", "2 by A"])
  }

  @Test("Rollback restores the stored value after another context deleted the target")
  func rolledBackToGone() throws {
    let (mine, theirs) = try library()
    let doomed = try author("B", theirs)
    theirs.delete(doomed)
    let (book, author) = (try book("1", mine), try author("B", mine))
    book.author = author
    try mine.save()
    book.author = nil
    book.author = author
    try theirs.save()
    #expect(throws: SwiftDataError.modelValidationFailure) { try mine.save() }
    mine.rollback()
    #expect(book.author == nil)
    #expect(!mine.hasChanges)
    #expect(try shelves(mine) == shelves(theirs))
  }
}
