import Foundation
import FoundationSupplements
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Latch {
  var name: String
  var padlock: Padlock?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Padlock {
  var name: String
  @Relationship(deleteRule: .noAction, inverse: \Latch.padlock) var latch: Latch?

  init(_ name: String) {
    self.name = name
  }
}

@Suite("Relationships that another context changes beside unsaved changes and undo")
struct MergedSidesTests {
  private let theirs: ModelContext
  private let mine: ModelContext

  init() throws {
    let container = try makeLibrary()
    theirs = ModelContext(container)
    mine = ModelContext(container)
  }

  /// Authors with books, saved by the other context.
  private func add(_ lists: [[String]]) throws -> [Author] {
    let authors = lists.enumerated().map { number, isbns in
      let author = Author(name: "\(number)")
      author.books = isbns.map { Book(isbn: $0, title: $0) }
      return author
    }
    for author in authors { theirs.insert(author) }
    try theirs.save()
    return authors
  }

  private func lists(_ authors: [Author]) -> [[String]] { authors.map { $0.books.map(\.isbn) } }

  private func stored() throws -> [[String]] {
    lists(try mine.container.freshContext().all(Author.self, by: \.name))
  }

  @Test("Undoing a deletion keeps links in lists that were not read")
  func undoneDeletion() throws {
    let tag = Tag("t")
    let author = try add([["1"]])[0]
    author.books[0].tags = [tag]
    try theirs.save()
    let (book, found) = (try mine.only(Book.self), try mine.only(Tag.self))
    let manager = UndoManager()
    mine.undoManager = manager
    mine.delete(book)
    mine.processPendingChanges()
    manager.undo()
    try mine.save()
    #expect(book.tags.map(\.word) == ["t"])
    #expect(found.books.map(\.isbn) == ["1"])
    let fresh = mine.container.freshContext()
    #expect(try fresh.only(Book.self).tags.map(\.word) == ["t"])
    #expect(try fresh.only(Tag.self).books.map(\.isbn) == ["1"])
  }

  @Test("With an undo manager, an unread list contains what was linked from the other side")
  func linkedBesideUndo() throws {
    _ = try add([["1"], ["2"]])
    let authors = try mine.all(Author.self, by: \.name)
    let book = try #require(try mine.fetch(FetchDescriptor<Book>()).first { $0.isbn == "1" })
    mine.undoManager = UndoManager()
    book.author = authors[1]
    #expect(lists(authors) == [[], ["2", "1"]])
    try mine.save()
    #expect(lists(authors) == [[], ["2", "1"]])
    #expect(try stored() == [[], ["2", "1"]])
  }

  /// The links of one book and the tags in a context.
  private struct Shelf {
    let context: ModelContext
    let book: Book
    let tags: [Tag]

    init(_ context: ModelContext) throws {
      self.context = context
      book = try context.only(Book.self)
      tags = try context.all(Tag.self, by: \.word)
    }

    var links: [[String]] { [book.tags.map(\.word)] + tags.map { $0.books.map(\.isbn) } }
  }

  private func expect(
    _ links: [[String]], _ shelves: [Shelf], _ location: SourceLocation = #_sourceLocation
  ) throws {
    for shelf in shelves {
      shelf.context.processPendingChanges()
      #expect(shelf.links == links, sourceLocation: location)
    }
    #expect(try Shelf(mine.container.freshContext()).links == links, sourceLocation: location)
  }

  @Test(
    "A link that is removed on one side is removed on both, even if the other side was read before the link existed",
    arguments: [false, true], [false, true])
  func unlinkedBesideStale(isOtherChanged: Bool, hasUpsert: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    for tag in ["a", "b"].map(Tag.init) { theirs.insert(tag) }
    try theirs.save()
    let (shelf, others, onlookers) = (try Shelf(mine), try Shelf(theirs), try Shelf(ModelContext(mine.container)))
    #expect(shelf.book.tags.isEmpty)
    others.tags[0].books.append(other)
    // After a save with an upsert, contexts do not know which lists have changed.
    if hasUpsert { theirs.insert(Book(isbn: "1", title: "1")) }
    try theirs.save()
    try expect([["a"], ["1"], []], [others, onlookers])
    // The context has not merged yet, and reads one side.
    #expect(shelf.tags[0].books.map(\.isbn) == ["1"])
    shelf.tags[0].books = []
    if isOtherChanged { shelf.book.tags.append(shelf.tags[1]) }
    try mine.save()
    try expect(isOtherChanged ? [["b"], [], ["1"]] : [[], [], []], [shelf, others, onlookers])
  }

  @Test(
    "A link that another context saved since one side was read is made once, even if removed there again",
    arguments: [false, true])
  func linkedBesideStale(isRemoved: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    theirs.insert(Tag("a"))
    try theirs.save()
    let (shelf, others, onlookers) = (try Shelf(mine), try Shelf(theirs), try Shelf(ModelContext(mine.container)))
    #expect(shelf.tags[0].books.isEmpty)
    others.tags[0].books.append(other)
    try theirs.save()
    // The context has not merged yet, and reads the other side.
    #expect(shelf.book.tags.map(\.word) == ["a"])
    if isRemoved {
      others.tags[0].books = []
      try theirs.save()
    }
    _ = onlookers.links
    shelf.tags[0].books.append(shelf.book)
    try mine.save()
    try expect([["a"], ["1"]], [shelf, others, onlookers])
  }

  @Test(
    "A member set to the owner that another context gave it is in that owner's list once",
    arguments: [false, true])
  func setBesideStale(isMoved: Bool) throws {
    let others = try add([["1"], []])
    let other = others[0].books[0]
    let (book, authors) = (try mine.only(Book.self), try mine.all(Author.self, by: \.name))
    #expect(book.author === authors[0])
    other.author = others[1]
    try theirs.save()
    // The context has not merged yet, and reads only the list.
    #expect(authors[1].books.map(\.isbn) == ["1"])
    if isMoved {
      other.author = nil
      try theirs.save()
    }
    book.author = authors[1]
    try mine.save()
    theirs.processPendingChanges()
    for found in [lists(authors), lists(others), try stored()] { #expect(found == [[], ["1"]]) }
  }

  @Test(
    "A member set to the owner that another context gave it, then to another, is in the last owner's list only",
    arguments: [false, true])
  func movedBesideStale(isMovedBack: Bool) throws {
    let others = try add([["1"], []])
    let other = others[0].books[0]
    let (book, authors) = (try mine.only(Book.self), try mine.all(Author.self, by: \.name))
    #expect(book.author === authors[0])
    other.author = others[1]
    try theirs.save()
    // The context has not merged yet, and reads only the list.
    #expect(authors[1].books.map(\.isbn) == ["1"])
    book.author = authors[1]
    book.author = isMovedBack ? authors[0] : nil
    try mine.save()
    theirs.processPendingChanges()
    let expected: [[String]] = [isMovedBack ? ["1"] : [], []]
    for found in [lists(authors), lists(others), try stored()] { #expect(found == expected) }
  }

  @Test("Another context's change of a model that this context changed and deleted is a conflict")
  func changedThenDeleted() throws {
    for policy in [MergePolicy.throwOnConflict, .storeWins] {
      let other = try add([["\(policy)"]])[0].books[0]
      let context = ModelContext(mine.container)
      context.mergePolicy = policy
      let book = try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.isbn == "\(policy)" })
      book.pages = 5
      context.delete(book)
      other.pages = 7
      try theirs.save()
      if policy == .throwOnConflict {
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        let conflicts = error?.details?.conflicts ?? []
        #expect(conflicts.map(\.kind) == [.deletedInContext])
        try context.resolve(conflicts, keeping: .store)
      }
      try context.save()
      #expect(book.pages == 7)
      #expect(!context.hasChanges)
      let fresh = try mine.container.freshContext().fetch(FetchDescriptor<Book>())
      #expect(fresh.first { $0.isbn == "\(policy)" }?.pages == 7)
    }
  }

  @Test(
    "Inserting a deleted model again keeps links that another context saved in the meantime", arguments: [false, true])
  func linkedToDeleted(isListRead: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    let tags = ["a", "b"].map(Tag.init)
    for tag in tags { theirs.insert(tag) }
    other.tags = [tags[0]]
    try theirs.save()
    let book = try mine.only(Book.self)
    let found = try mine.all(Tag.self, by: \.word)
    if isListRead { #expect(found.map(\.books.count) == [1, 0]) }
    book.tags = []
    mine.delete(book)
    tags[1].books.append(other)
    try theirs.save()
    mine.processPendingChanges()
    mine.insert(book)
    try mine.save()
    #expect(book.tags.map(\.word) == ["b"])
    #expect(found.map(\.books.count) == [0, 1])
    let fresh = mine.container.freshContext()
    #expect(try fresh.only(Book.self).tags.map(\.word) == ["b"])
    #expect(try fresh.all(Tag.self, by: \.word).map(\.books.count) == [0, 1])
  }

  @Test("A one-to-one that is read again is no change of a deleted model")
  func readAgain() throws {
    let container = try makeRelations()
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    theirs.insert(Citizen("a"))
    theirs.insert(Passport(1))
    try theirs.save()
    mine.mergePolicy = .throwOnConflict
    let (citizen, passport) = (try mine.only(Citizen.self), try mine.only(Passport.self))
    #expect(citizen.passport == nil)
    #expect(passport.holder == nil)
    mine.delete(citizen)
    mine.delete(passport)
    theirs.insert(Passport(2))
    theirs.insert(Citizen("b"))
    try theirs.save()
    try mine.save()
    #expect(try container.freshContext().only(Passport.self).number == 2)
  }

  @Test(
    "Observers of a list are notified once of new members, even if the owner's row changed too",
    arguments: [false, true])
  func observers(changesRow: Bool) throws {
    let others = try add([["1"]])
    let author = try mine.only(Author.self)
    let count = Mutex(0)
    withObservationTracking {
      _ = author.books
    } onChange: {
      count.withLock { $0 += 1 }
    }
    others[0].books.append(Book(isbn: "2", title: ""))
    if changesRow { others[0].born = 5 }
    try theirs.save()
    mine.processPendingChanges()
    #expect(count.withLock { $0 } == 1)
    #expect(lists([author]) == [["1", "2"]])
  }

  @Test("Members that were read ahead have the order that another context saved")
  func orderReadAhead() throws {
    let others = try add([["1", "2"], ["3", "4"]])
    let authors = try mine.all(Author.self, by: \.name)
    // The keys of the second list are read ahead.
    #expect(authors[0].books.count == 2)
    others[1].books.reverse()
    try theirs.save()
    mine.processPendingChanges()
    #expect(lists(authors) == [["1", "2"], ["4", "3"]])
  }

  @Test("Rollback after setting a to-one to its own target merges another context's move on both sides")
  func setToSame() throws {
    let others = try add([["1"], []])
    let authors = try mine.all(Author.self, by: \.name)
    #expect(lists(authors) == [["1"], []])
    let book = authors[0].books[0]
    book.author = authors[0]
    others[0].books[0].author = others[1]
    try theirs.save()
    mine.processPendingChanges()
    mine.rollback()
    #expect(book.author === authors[1])
    #expect(lists(authors) == [[], ["1"]])
  }

  @Test("Rolling back an owner's deletion does not restore members that another context removed")
  func rolledBackOwner() throws {
    let others = try add([["1", "2"]])
    let author = try mine.only(Author.self)
    #expect(lists([author]) == [["1", "2"]])
    mine.delete(author)
    others[0].books[0].author = nil
    try theirs.save()
    mine.processPendingChanges()
    mine.rollback()
    #expect(lists([author]) == [["2"]])
  }

  @Test("Inserting a deleted owner again after another context's save keeps the unsaved changes of its list")
  func undeletedList() throws {
    let others = try add([["1", "2", "3"]])
    let author = try mine.only(Author.self)
    author.books.removeFirst()
    mine.delete(author)
    others[0].born = 5
    try theirs.save()
    mine.processPendingChanges()
    mine.insert(author)
    #expect(lists([author]) == [["2", "3"]])
    try mine.save()
    #expect(lists([author]) == [["2", "3"]])
    #expect(try stored() == [["2", "3"]])
  }

  @Test(
    "Inserting a deleted model again after another context's save keeps both sides of a one-to-one",
    arguments: [true, false])
  func undeletedOneToOne(deletesHolder: Bool) throws {
    let container = try makeRelations()
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    theirs.insert(Citizen("a", passport: Passport(1)))
    try theirs.save()
    let (citizen, passport) = (try mine.only(Citizen.self), try mine.only(Passport.self))
    #expect(citizen.passport === passport)
    #expect(passport.holder === citizen)
    if deletesHolder { mine.delete(citizen) } else { mine.delete(passport) }
    theirs.insert(Citizen("b"))
    theirs.insert(Passport(2))
    try theirs.save()
    mine.processPendingChanges()
    if deletesHolder { mine.insert(citizen) } else { mine.insert(passport) }
    #expect(citizen.passport === passport)
    #expect(passport.holder === citizen)
    try mine.save()
    #expect(try container.freshContext().all(Citizen.self, by: \.name).map { $0.passport?.number } == [1, nil])
  }

  @Test(
    "Rollback clears a to-one whose target another context deleted and this context inserted again",
    arguments: [true, false])
  func rolledBackReturn(isKept: Bool) throws {
    let container = try makeRelations()
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    let other = Playlist("p")
    theirs.insert(other)
    other.tracks = [Track("1"), Track("2")]
    other.favourite = other.tracks[0]
    try theirs.save()
    if isKept { mine.mergePolicy = .contextWins }
    let (list, tracks) = (try mine.only(Playlist.self), try mine.all(Track.self, by: \.title))
    #expect(list.favourite === tracks[0])
    list.favourite = tracks[1]
    tracks[0].title = "mine"
    // This context has not read the reference, so its deletion leaves the reference dangling.
    let unaware = ModelContext(container)
    unaware.delete(try unaware.all(Track.self, by: \.title)[0])
    try unaware.save()
    mine.processPendingChanges()
    if !isKept { mine.insert(tracks[0]) }
    #expect(tracks[0].modelContext === mine)
    mine.rollback()
    #expect(tracks[0].modelContext == nil)
    #expect(list.favourite == nil)
    #expect(!mine.hasChanges)
    #expect(try container.freshContext().only(Playlist.self).favourite == nil)
  }

  @Test("Adding and removing a link keeps the same link saved by another context", arguments: [true, false])
  func linkedAndUnlinked(isReadBefore: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    let tag = Tag("t")
    theirs.insert(tag)
    try theirs.save()
    let (book, found) = (try mine.only(Book.self), try mine.only(Tag.self))
    book.tags = [found]
    book.tags = []
    tag.books = [other]
    try theirs.save()
    mine.processPendingChanges()
    #expect(book.tags.map(\.word) == ["t"])
    if isReadBefore { #expect(found.books.map(\.isbn) == ["1"]) }
    try mine.save()
    #expect(found.books.map(\.isbn) == ["1"])
    let fresh = mine.container.freshContext()
    #expect(try fresh.only(Tag.self).books.map(\.isbn) == ["1"])
    #expect(try fresh.only(Book.self).tags.map(\.word) == ["t"])
  }

  @Test(
    "Removing and adding a link does not restore it after another context removed it", arguments: [true, false])
  func unlinkedAndLinked(isReadBefore: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    let tag = Tag("t")
    theirs.insert(tag)
    tag.books = [other]
    try theirs.save()
    let (book, found) = (try mine.only(Book.self), try mine.only(Tag.self))
    #expect(book.tags.map(\.word) == ["t"])
    if isReadBefore { #expect(found.books.map(\.isbn) == ["1"]) }
    book.tags = []
    book.tags = [found]
    tag.books = []
    try theirs.save()
    mine.processPendingChanges()
    #expect(book.tags.isEmpty)
    try mine.save()
    #expect(book.tags.isEmpty)
    #expect(found.books.isEmpty)
    let fresh = mine.container.freshContext()
    #expect(try fresh.only(Book.self).tags.isEmpty)
    #expect(try fresh.only(Tag.self).books.isEmpty)
  }

  @Test("A link that both contexts added and the other one removed is gone on both sides", arguments: [true, false])
  func linkedByBoth(isReadBefore: Bool) throws {
    let other = try add([["1"]])[0].books[0]
    let tag = Tag("t")
    theirs.insert(tag)
    try theirs.save()
    let (book, found) = (try mine.only(Book.self), try mine.only(Tag.self))
    book.tags = [found]
    for books in [[other], []] {
      tag.books = books
      try theirs.save()
      mine.processPendingChanges()
    }
    #expect(book.tags.isEmpty)
    if isReadBefore { #expect(found.books.isEmpty) }
    try mine.save()
    #expect(found.books.isEmpty)
    #expect(try mine.container.freshContext().only(Tag.self).books.isEmpty)
  }

  @Test("Replacing a dangling .noAction reference changes only the two linked models")
  func replacedDanglingReference() throws {
    let container = try makeContainer(Latch.self, Padlock.self)
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    let gone = Padlock("gone")
    for model in [gone, Padlock("other")] { theirs.insert(model) }
    gone.latch = Latch("l")
    try theirs.save()
    theirs.delete(gone)
    try theirs.save()
    let latch = try mine.only(Latch.self)
    #expect(latch.padlock == nil)
    let other = try mine.only(Padlock.self)
    latch.padlock = other
    try theirs.only(Latch.self).name = "theirs"
    try theirs.save()
    mine.processPendingChanges()
    #expect(latch.name == "theirs")
    #expect(mine.changedModelsArray.allSatisfy { $0 === latch || $0 === other })
    try mine.save()
    #expect(latch.padlock === other)
    #expect(other.latch === latch)
    let fresh = container.freshContext()
    #expect(try fresh.only(Latch.self).padlock?.name == "other")
    #expect(try fresh.only(Padlock.self).latch?.name == "theirs")
  }
}
