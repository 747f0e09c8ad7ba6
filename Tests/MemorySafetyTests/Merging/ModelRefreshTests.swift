import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Refreshing single models, and committed values")
struct ModelRefreshTests {
  private func library() throws -> (context: ModelContext, author: Author) {
    let context = ModelContext(try makeLibrary())
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
    context.insert(author)
    try context.save()
    return (context, author)
  }

  @Test("`changedProperties` lists the properties with unsaved changes")
  func changedProperties() throws {
    let (context, author) = try library()
    #expect(context.changedProperties(of: author).isEmpty)
    author.born = 2
    author.books.removeLast()
    #expect(context.changedProperties(of: author) == [\.born, \.books])
    try context.save()
    #expect(context.changedProperties(of: author).isEmpty)
    let new = Author(name: "B")
    #expect(context.changedProperties(of: new).isEmpty)
    context.insert(new)
    #expect(context.changedProperties(of: new) == [\.name, \.born, \.books])
  }

  @Test("`committedValue(of:)` returns the stored value")
  func committedValue() throws {
    let (context, author) = try library()
    let book = author.books[0]
    #expect(try context.committedValue(of: \.name, in: author) == "A")
    author.name = "changed"
    author.born = nil
    book.author = nil
    #expect(try context.committedValue(of: \.name, in: author) == "A")
    #expect(try context.committedValue(of: \.born, in: author) == 1)
    #expect(try context.committedValue(of: \.author, in: book)??.name == "changed")
    #expect(try context.committedValue(of: \.books, in: author)?.map(\.isbn) == ["1", "2"])
    #expect(author.books.map(\.isbn) == ["2"])
    #expect(try context.committedValue(of: \.books, in: author) == [book, author.books[0]])
    context.delete(author)
    #expect(try context.committedValue(of: \.name, in: author) == "A")
    let new = Author(name: "B")
    context.insert(new)
    #expect(try context.committedValue(of: \.name, in: new) == nil)
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.committedValue(of: \.books.count, in: author) }
  }

  @Test("A context answers nothing about a model of another context or of none")
  func foreignModels() throws {
    let (context, author) = try library()
    let other = ModelContext(context.container)
    author.name = "changed"
    #expect(other.changedProperties(of: author).isEmpty)
    #expect(try other.committedValue(of: \.name, in: author) == nil)
    let transient = Author(name: "B")
    #expect(context.changedProperties(of: transient).isEmpty)
    #expect(try context.committedValue(of: \.name, in: transient) == nil)
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try other.committedValue(of: \.books.count, in: author) }
  }

  @Test("`committedValue(of:)` of an unchanged to-many includes members whose deletion is unsaved")
  func committedMembers() throws {
    let (context, author) = try library()
    let book = author.books[1]
    context.delete(book)
    #expect(author.books.map(\.isbn) == ["1"])
    #expect(try context.committedValue(of: \.books, in: author)?.map(\.isbn) == ["1", "2"])
  }

  @Test("`committedValue(of:)` reads the row of a property that was set before its fault fired")
  func committedValueOfUnread() throws {
    let (context, author) = try library()
    let other = ModelContext(context.container)
    let model = try #require(other.model(for: author.persistentModelID) as? Author)
    model.name = "blind"
    #expect(try other.committedValue(of: \.name, in: model) == "A")
    #expect(try other.committedValue(of: \.born, in: model) == 1)
    #expect(model.name == "blind")
  }

  @Test("A refresh reads the stored values, and keeps unsaved changes unless it discards them")
  func refresh() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("library.store")
    // No history, so this context is not notified of the save.
    let configuration = ModelConfiguration(url: url, options: .init(history: .none))
    func container() throws -> ModelContainer {
      try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    }
    let theirs = ModelContext(try container())
    let other = Author(name: "A", born: 1)
    let tag = Tag("t")
    other.books = [Book(isbn: "1", title: "One")]
    theirs.insert(other)
    theirs.insert(tag)
    try theirs.save()
    let mine = ModelContext(try container())
    let author = try mine.only(Author.self)
    let books = author.books
    author.born = 5
    author.books.append(Book(isbn: "3", title: "Three"))
    other.name = "theirs"
    other.born = 2
    other.books.append(Book(isbn: "2", title: "Two"))
    try theirs.save()
    #expect(author.name == "A")
    try mine.refresh(author)
    #expect(author.name == "theirs")
    #expect(author.born == 5)
    #expect(author.books.map(\.isbn) == ["1", "2", "3"])
    try mine.refresh(author, mergesChanges: false)
    #expect(author.born == 2)
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(mine.changedProperties(of: author).isEmpty)
    #expect(books[0].author === author)
    theirs.delete(other)
    try theirs.save()
    try mine.refresh(author)
    #expect(author.modelContext == nil)
    #expect(author.name == "theirs")
    withExtendedLifetime(folder) {}
  }

  @Test("A refresh that discards changes updates the other sides of relationships")
  func refreshedSides() throws {
    let (context, author) = try library()
    let second = Author(name: "B")
    context.insert(second)
    try context.save()
    let (book, tag) = (author.books[0], Tag("t"))
    book.tags = [tag]
    book.author = second
    #expect(author.books.map(\.isbn) == ["2"])
    try context.refresh(book, mergesChanges: false)
    #expect(book.author === author)
    #expect(author.books.map(\.isbn) == ["1", "2"])
    #expect(second.books.isEmpty)
    #expect(book.tags.isEmpty)
    #expect(tag.books.isEmpty)
    #expect(context.changedModelsArray.isEmpty)
    try context.save()
    let fresh = try context.container.freshContext().all(Author.self, by: \.name)
    #expect(fresh.map { $0.books.map(\.isbn) } == [["1", "2"], []])
  }

  @Test("A refresh of an unsaved or deleted model, or of another context's, has no effect")
  func refreshedOthers() throws {
    let (context, author) = try library()
    let new = Author(name: "B")
    context.insert(new)
    try context.refresh(new, mergesChanges: false)
    #expect(new.name == "B")
    try ModelContext(context.container).refresh(author)
    context.delete(author)
    try context.refresh(author)
    #expect(author.isDeleted)
  }

  @Test(
    "A refresh that discards changes does not restore models that another context deleted", arguments: [true, false])
  func refreshedBesideDeletion(asksBefore: Bool) throws {
    let container = try makeRelations()
    let mine = ModelContext(container)
    let (list, tracks) = (Playlist("p"), [Track("1"), Track("2")])
    mine.insert(list)
    list.tracks = tracks
    list.favourite = tracks[0]
    try mine.save()
    list.favourite = tracks[1]
    // It has not read the models that reference these.
    let theirs = ModelContext(container)
    theirs.delete(try theirs.all(Track.self, by: \.title)[0])
    try theirs.save()
    mine.processPendingChanges()
    #expect(tracks[0].modelContext == nil)
    if asksBefore { #expect(try mine.committedValue(of: \.favourite, in: list).flatMap { $0 } == nil) }
    try mine.refresh(list, mergesChanges: false)
    #expect(list.favourite == nil)
    #expect(tracks[0].modelContext == nil)
    #expect(!mine.hasChanges)
    try mine.save()
    #expect(try container.freshContext().all(Track.self, by: \.title).map(\.title) == ["2"])
    #expect(try container.freshContext().only(Playlist.self).favourite == nil)
  }

  @Test(
    "Observers of a one-to-one are notified when another context changes it, and not for other properties",
    arguments: [true, false])
  func observedOneToOne(isMoved: Bool) throws {
    let container = try makeRelations()
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    let others = ["a", "b"].map { Citizen($0) }
    for citizen in others { theirs.insert(citizen) }
    others[0].passport = Passport(1)
    try theirs.save()
    let (citizens, passport) = (try mine.all(Citizen.self, by: \.name), try mine.only(Passport.self))
    let changed = Mutex<Set<String>>([])
    withObservationTracking {
      #expect(citizens[0].passport === passport)
    } onChange: {
      changed.withLock { _ = $0.insert("passport") }
    }
    withObservationTracking {
      #expect(passport.holder === citizens[0])
    } onChange: {
      changed.withLock { _ = $0.insert("holder") }
    }
    others[0].name = "aa"
    let other = try #require(others[0].passport)
    other.number = 2
    if isMoved { others[1].passport = other }
    try theirs.save()
    mine.processPendingChanges()
    #expect(citizens[0].name == "aa")
    #expect(passport.number == 2)
    #expect(changed.withLock { $0 } == (isMoved ? ["passport", "holder"] : []))
    #expect(passport.holder === citizens[isMoved ? 1 : 0])
  }

  @Test(
    "A refresh that discards a one-to-one change does not take the partner from its new owner",
    arguments: [true, false])
  func refreshedOneToOne(startsWithHolder: Bool) throws {
    let container = try makeRelations()
    let theirs = ModelContext(container)
    let others = ["a", "b"].map { Citizen($0) }
    for citizen in others { theirs.insert(citizen) }
    let other = Passport(1)
    others[0].passport = other
    try theirs.save()
    let mine = ModelContext(container)
    let (citizens, passport) = (try mine.all(Citizen.self, by: \.name), try mine.only(Passport.self))
    #expect(passport.holder === citizens[0])
    #expect(citizens.map { $0.passport?.number } == [1, nil])
    citizens[0].passport = nil
    others[1].passport = other
    try theirs.save()
    if startsWithHolder { try mine.refresh(citizens[0], mergesChanges: false) }
    try mine.refresh(passport, mergesChanges: false)
    if !startsWithHolder { try mine.refresh(citizens[0], mergesChanges: false) }
    #expect(passport.holder === citizens[1])
    #expect(citizens.map { $0.passport === passport } == [false, true])
    #expect(!mine.hasChanges)
    try mine.save()
    #expect(try container.freshContext().only(Passport.self).holder?.name == "b")
  }

  @Test("A refresh that discards a to-one change leaves an unread to-many unchanged")
  func refreshedBesideUnread() throws {
    let (theirs, author) = try library()
    let second = Author(name: "B")
    theirs.insert(second)
    try theirs.save()
    let mine = ModelContext(theirs.container)
    // One by one, so that the second author's list is not read along with the first one's.
    let authors = try ["A", "B"].map { name in
      try #require(try mine.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name })).first)
    }
    let book = authors[0].books[0]
    book.author = authors[1]
    try mine.refresh(book, mergesChanges: false)
    #expect(book.author === authors[0])
    #expect(!mine.hasChanges)
    author.books[0].author = second
    try theirs.save()
    mine.processPendingChanges()
    #expect(book.author === authors[1])
    #expect(authors.map { $0.books.map(\.isbn) } == [["2"], ["1"]])
  }

  @Test("A refresh that discards changes keeps a model's position in unread to-manys")
  func refreshedPlaces() throws {
    let (theirs, author) = try library()
    let tag = Tag("t")
    tag.books = author.books
    theirs.insert(Author(name: "B"))
    try theirs.save()
    let mine = ModelContext(theirs.container)
    let (authors, found) = (try mine.all(Author.self, by: \.name), try mine.only(Tag.self))
    let book = try mine.all(Book.self, by: \.isbn)[0]
    #expect(book.tags.count == 1)
    book.author = authors[1]
    book.tags = []
    try mine.refresh(book, mergesChanges: false)
    #expect(!mine.hasChanges)
    try mine.save()
    #expect(book.author === authors[0])
    #expect(authors.map { $0.books.map(\.isbn) } == [["1", "2"], []])
    #expect(found.books.map(\.isbn) == ["1", "2"])
    let fresh = mine.container.freshContext()
    #expect(try fresh.all(Author.self, by: \.name).map { $0.books.map(\.isbn) } == [["1", "2"], []])
    #expect(try fresh.only(Tag.self).books.map(\.isbn) == ["1", "2"])
  }

  @Test(
    "A refresh restores a changed one-to-one after another context deleted and reinserted a partner",
    arguments: [true, false])
  func refreshedReturn(deletesHolder: Bool) throws {
    let container = try makeRelations()
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    let (other, document) = (Citizen("a"), Passport(1))
    theirs.insert(other)
    other.passport = document
    try theirs.save()
    let (citizen, passport) = (try mine.only(Citizen.self), try mine.only(Passport.self))
    #expect(citizen.passport === passport)
    #expect(passport.holder === citizen)
    citizen.passport = nil
    if deletesHolder { theirs.delete(other) } else { theirs.delete(document) }
    try theirs.save()
    mine.processPendingChanges()
    if deletesHolder { theirs.insert(other) } else { theirs.insert(document) }
    other.passport = document
    try theirs.save()
    mine.processPendingChanges()
    if deletesHolder {
      #expect(try mine.committedValue(of: \.holder, in: passport).flatMap { $0 }?.name == "a")
      try mine.refresh(passport, mergesChanges: false)
    } else {
      #expect(try mine.committedValue(of: \.passport, in: citizen).flatMap { $0 }?.number == 1)
      try mine.refresh(citizen, mergesChanges: false)
    }
    let (holder, found) = (try mine.only(Citizen.self), try mine.only(Passport.self))
    #expect(holder.passport === found)
    #expect(found.holder === holder)
  }

  @Test("A refresh makes a noAction to-one nil when its row is gone", arguments: [true, false])
  func danglingNoAction(isTargetRead: Bool) throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let (theirs, mine) = (ModelContext(container), ModelContext(container))
    let other = Kiosk("k")
    theirs.insert(other)
    theirs.insert(Kiosk("l"))
    other.visits = [Visit(1)]
    try theirs.save()
    let visit = try mine.only(Visit.self)
    if isTargetRead { #expect(visit.shop?.name == "k") }
    visit.shop = try mine.all(Kiosk.self, by: \.name)[1]
    theirs.delete(other)
    try theirs.save()
    mine.processPendingChanges()
    #expect(try mine.committedValue(of: \.shop, in: visit).flatMap { $0 } == nil)
    try mine.refresh(visit, mergesChanges: false)
    #expect(visit.shop == nil)
    #expect(!mine.hasChanges)
  }
}
