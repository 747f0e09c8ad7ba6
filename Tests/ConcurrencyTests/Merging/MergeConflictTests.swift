import Foundation
import Synchronization
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Merge conflicts between contexts")
struct MergeConflictTests {
  /// The container of the other context.
  enum Place: CaseIterable, Sendable {
    case container, otherContainer
  }

  /// Two contexts that have both read an author with two books.
  private struct Desk {
    let folder: TemporaryFolder
    let mine: ModelContext
    let theirs: ModelContext
    let author: Author
    let other: Author

    init(_ policy: MergePolicy, _ place: Place = .container) throws {
      folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("library.store")
      func container() throws -> ModelContainer {
        try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: url))
      }
      let first = try container()
      theirs = ModelContext(try place == .container ? first : container())
      other = Author(name: "A", born: 1)
      other.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
      theirs.insert(other)
      try theirs.save()
      mine = ModelContext(first)
      mine.mergePolicy = policy
      author = try mine.only(Author.self)
      _ = author.books.map(\.title)
    }

    /// The author as a new context reads it.
    func stored() throws -> Author { try theirs.container.freshContext().only(Author.self) }
  }

  private func conflicts(of context: ModelContext) -> [MergeConflict] {
    do {
      try context.save()
      return []
    } catch {
      let error = error as? SwiftDataError
      #expect(error == .mergeConflict)
      return error?.details?.conflicts ?? []
    }
  }

  // MARK: A property

  @Test("When two contexts changed a property, the merge policy decides", arguments: Place.allCases)
  func bothChanged(place: Place) throws {
    for (policy, expected) in [
      (MergePolicy.lastWriterWins, "mine"), (.contextWins, "mine"), (.storeWins, "theirs"),
    ] {
      let desk = try Desk(policy, place)
      desk.author.name = "mine"
      desk.author.born = 7
      desk.other.name = "theirs"
      try desk.theirs.save()
      try desk.mine.save()
      #expect(desk.author.name == expected)
      #expect(try desk.stored().name == expected)
      #expect(try desk.stored().born == 7)
      #expect(!desk.mine.hasChanges)
    }
  }

  @Test("A conflict has the original, the stored and the unsaved value", arguments: Place.allCases)
  func values(place: Place) throws {
    let desk = try Desk(.throwOnConflict, place)
    desk.author.name = "mine"
    desk.author.born = nil
    desk.other.name = "theirs"
    desk.other.books[0].title = "Uno"
    try desk.theirs.save()
    let found = conflicts(of: desk.mine)
    let conflict = try #require(found.first)
    #expect(found.count == 1)
    #expect(conflict.kind == .changed)
    #expect(conflict.entity == "Author")
    #expect(conflict.property == "name")
    #expect(conflict.persistentIdentifier == desk.author.persistentModelID)
    #expect(conflict.originalValue as? String == "A")
    #expect(conflict.storedValue as? String == "theirs")
    #expect(conflict.unsavedValue as? String == "mine")
    // Nothing was written, and no change is lost.
    #expect(try desk.stored().born == 1)
    #expect(desk.author.name == "mine")
    // The conflict stays until it is resolved.
    #expect(conflicts(of: desk.mine).count == 1)
    desk.author.name = "both"
    try desk.mine.resolve(found, keeping: .context)
    try desk.mine.save()
    #expect(try desk.stored().name == "both")
    #expect(try desk.stored().born == nil)
    #expect(desk.author.books.map(\.title).sorted() == ["Two", "Uno"])
  }

  @Test("Conflicts can be resolved in favour of the store, or by a rollback")
  func resolved() throws {
    let desk = try Desk(.throwOnConflict)
    desk.author.name = "mine"
    desk.author.born = 5
    desk.other.name = "theirs"
    try desk.theirs.save()
    let found = conflicts(of: desk.mine)
    try desk.mine.resolve(found, keeping: .store)
    #expect(desk.author.name == "theirs")
    #expect(desk.mine.changedProperties(of: desk.author) == [\Author.born])
    try desk.mine.save()
    #expect(try desk.stored().born == 5)
    desk.author.name = "mine again"
    desk.other.name = "theirs again"
    try desk.theirs.save()
    #expect(conflicts(of: desk.mine).count == 1)
    desk.mine.rollback()
    #expect(desk.author.name == "theirs again")
    #expect(conflicts(of: desk.mine).isEmpty)
  }

  @Test("Resolving a conflict does not resolve a later one of the same property")
  func again() throws {
    let desk = try Desk(.throwOnConflict)
    desk.author.name = "mine"
    desk.other.name = "theirs"
    try desk.theirs.save()
    try desk.mine.resolve(conflicts(of: desk.mine), keeping: .context)
    desk.other.name = "later"
    try desk.theirs.save()
    let found = conflicts(of: desk.mine)
    #expect(found.first?.originalValue as? String == "theirs")
    #expect(found.first?.storedValue as? String == "later")
  }

  @Test("Equal values set by two contexts are a conflict, because both may have incremented", arguments: Place.allCases)
  func same(place: Place) throws {
    let desk = try Desk(.throwOnConflict, place)
    desk.author.born = (desk.author.born ?? 0) + 1
    desk.other.born = (desk.other.born ?? 0) + 1
    try desk.theirs.save()
    let conflict = try #require(conflicts(of: desk.mine).first)
    #expect(conflict.storedValue as? Int == 2)
    #expect(conflict.unsavedValue as? Int == 2)
  }

  @Test("The three values of a conflict allow both increments to be kept")
  func bothAdded() throws {
    let desk = try Desk(.throwOnConflict)
    desk.author.born = (desk.author.born ?? 0) + 3
    desk.other.born = (desk.other.born ?? 0) + 10
    try desk.theirs.save()
    let conflicts = conflicts(of: desk.mine)
    for conflict in conflicts where conflict.property == "born" {
      let author = try #require(desk.mine.model(for: conflict.persistentIdentifier) as? Author)
      let (original, stored) = (conflict.originalValue as? Int, conflict.storedValue as? Int)
      author.born = try #require(author.born) + #require(stored) - #require(original)
    }
    try desk.mine.resolve(conflicts, keeping: .context)
    try desk.mine.save()
    #expect(try desk.stored().born == 14)
  }

  @Test("A value that another context set and reset is no conflict", arguments: Place.allCases)
  func noConflict(place: Place) throws {
    let desk = try Desk(.throwOnConflict, place)
    desk.author.born = 9
    desk.other.born = 2
    try desk.theirs.save()
    desk.mine.processPendingChanges()
    desk.other.born = 1
    try desk.theirs.save()
    #expect(conflicts(of: desk.mine).isEmpty)
    #expect(try desk.stored().born == 9)
  }

  @Test("A property that was set before its fault fired is no conflict")
  func blind() throws {
    let desk = try Desk(.throwOnConflict)
    let context = ModelContext(desk.mine.container)
    context.mergePolicy = .throwOnConflict
    let model = try #require(context.model(for: desk.author.persistentModelID) as? Author)
    model.name = "blind"
    desk.other.name = "theirs"
    try desk.theirs.save()
    try context.save()
    #expect(try desk.stored().name == "blind")
  }

  @Test("A save in a transaction resolves conflicts by the policy")
  func transaction() throws {
    let desk = try Desk(.storeWins)
    desk.author.name = "mine"
    desk.other.name = "theirs"
    try desk.theirs.save()
    try desk.mine.transaction { desk.author.born = 4 }
    #expect(try desk.stored().name == "theirs")
    #expect(try desk.stored().born == 4)
  }

  // MARK: A to-one

  @Test("When two contexts changed a to-one, the merge policy decides", arguments: Place.allCases)
  func target(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .contextWins, .storeWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      let (first, second) = (Author(name: "B"), Author(name: "C"))
      for author in [first, second] { desk.theirs.insert(author) }
      try desk.theirs.save()
      let book = try #require(desk.author.books.first)
      let authors = try desk.mine.all(Author.self, by: \.name)
      _ = authors.map(\.books)
      book.author = authors[1]
      let theirBook = try #require(desk.other.books.first { $0.isbn == book.isbn })
      theirBook.author = second
      try desk.theirs.save()
      if policy == .throwOnConflict {
        let conflict = try #require(conflicts(of: desk.mine).first)
        #expect(conflict.property == "author")
        #expect(conflict.originalValue as? PersistentIdentifier == authors[0].persistentModelID)
        #expect(conflict.storedValue as? PersistentIdentifier == authors[2].persistentModelID)
        #expect(conflict.unsavedValue as? PersistentIdentifier == authors[1].persistentModelID)
        try desk.mine.resolve([conflict], keeping: .store)
      }
      try desk.mine.save()
      let isStored = policy == .storeWins || policy == .throwOnConflict
      #expect(book.author?.name == (isStored ? "C" : "B"))
      #expect(authors.map(\.books.count) == (isStored ? [1, 0, 1] : [1, 1, 0]))
      let fresh = try desk.theirs.container.freshContext().all(Author.self, by: \.name)
      #expect(fresh.map(\.books.count) == (isStored ? [1, 0, 1] : [1, 1, 0]))
      #expect(!desk.mine.hasChanges)
      let broken = desk.mine.graph.brokenInvariants(limit: 1000)
      #expect(broken.isEmpty)
    }
  }

  @Test("A one-to-one partner that another context has taken is a conflict, whichever row has the foreign key")
  func oneToOne() throws {
    for isByHolder in [true, false] {
      let container = try makeRelations()
      let theirs = ModelContext(container)
      let others = ["a", "b"].map { Citizen($0) }
      for citizen in others { theirs.insert(citizen) }
      let passport = Passport(1)
      theirs.insert(passport)
      try theirs.save()
      let mine = ModelContext(container)
      mine.mergePolicy = .throwOnConflict
      let citizens = try mine.all(Citizen.self, by: \.name)
      let found = try mine.only(Passport.self)
      #expect(found.holder == nil)
      #expect(citizens.allSatisfy { $0.passport == nil })
      if isByHolder { citizens[0].passport = found } else { found.holder = citizens[0] }
      others[1].passport = passport
      try theirs.save()
      let conflict = try #require(conflicts(of: mine).first)
      #expect(conflict.originalValue == nil)
      #expect(conflict.storedValue as? PersistentIdentifier == citizens[1].persistentModelID)
      #expect(conflict.unsavedValue as? PersistentIdentifier == citizens[0].persistentModelID)
      try mine.resolve([conflict], keeping: .store)
      #expect(found.holder === citizens[1])
      #expect(citizens[0].passport == nil)
      try mine.save()
      #expect(try container.freshContext().only(Passport.self).holder?.name == "b")
    }
  }

  // MARK: Deletions

  @Test("When another context deleted a changed model, the merge policy decides", arguments: Place.allCases)
  func deletedInStore(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      let book = try #require(desk.author.books.first)
      let (identifier, isbn) = (book.persistentModelID, book.isbn)
      _ = book.pages
      book.title = "mine"
      desk.theirs.delete(try #require(desk.other.books.first { $0.isbn == isbn }))
      try desk.theirs.save()
      switch policy {
      case .lastWriterWins:
        // The deletion may have arrived already or not.
        do { try desk.mine.save() } catch { #expect(error as? SwiftDataError == .modelValidationFailure) }
        desk.mine.rollback()
      case .storeWins: try desk.mine.save()
      case .contextWins:
        try desk.mine.save()
        #expect(book.persistentModelID != identifier)
      case .throwOnConflict:
        let conflict = try #require(conflicts(of: desk.mine).first)
        #expect(conflict.kind == .deletedInStore)
        #expect(conflict.property == nil)
        #expect(conflict.persistentIdentifier == book.persistentModelID)
        try desk.mine.resolve([conflict], keeping: .store)
        try desk.mine.save()
      }
      let isKept = policy == .contextWins
      let fresh = try desk.stored().books
      #expect(fresh.count == (isKept ? 2 : 1))
      #expect(fresh.contains { $0.title == "mine" } == isKept)
      if policy != .lastWriterWins { #expect(desk.author.books.count == fresh.count) }
      if policy != .lastWriterWins || place == .container { #expect((book.modelContext != nil) == isKept) }
    }
  }

  @Test("A conflict about a deletion can be resolved in favour of the context")
  func deletionOverruled() throws {
    let desk = try Desk(.throwOnConflict)
    let book = try #require(desk.author.books.first)
    let identifier = book.persistentModelID
    _ = (book.pages, book.tags)
    book.title = "mine"
    desk.theirs.delete(desk.other)
    try desk.theirs.save()
    let found = conflicts(of: desk.mine)
    #expect(found.map(\.kind) == [.deletedInStore])
    try desk.mine.resolve(found, keeping: .context)
    try desk.mine.save()
    let fresh = try desk.theirs.container.freshContext().only(Book.self)
    #expect(fresh.title == "mine")
    #expect(fresh.author == nil)
    #expect(fresh.persistentModelID != identifier)
    #expect(book.persistentModelID == fresh.persistentModelID)
  }

  @Test("Saving a changed owner that another context deleted omits members that were never read")
  func unreadMembers() throws {
    let desk = try Desk(.contextWins)
    let mine = ModelContext(desk.theirs.container)
    mine.mergePolicy = .contextWins
    let author = try mine.only(Author.self)
    author.name = "mine"
    #expect(author.books.count == 2)
    desk.theirs.delete(desk.other)
    for book in try desk.theirs.fetch(FetchDescriptor<Book>()) { desk.theirs.delete(book) }
    try desk.theirs.save()
    try mine.save()
    #expect(author.books.isEmpty)
    let fresh = try desk.stored()
    #expect(fresh.name == "mine")
    #expect(fresh.books.isEmpty)
  }

  @Test("A changed owner and changed members that another context deleted are saved together")
  func keptTogether() throws {
    let desk = try Desk(.contextWins)
    desk.author.name = "mine"
    for book in desk.author.books {
      _ = book.tags
      book.pages = 99
    }
    desk.theirs.delete(desk.other)
    try desk.theirs.save()
    try desk.mine.save()
    let fresh = try desk.stored()
    #expect(fresh.name == "mine")
    #expect(fresh.books.map(\.pages) == [99, 99])
    #expect(desk.author.books.count == 2)
  }

  @Test("Another context's deletion of an unchanged model holds with every policy", arguments: Place.allCases)
  func deletedUnchanged(place: Place) throws {
    for policy in [MergePolicy.storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      desk.author.name = "mine"
      for book in desk.other.books { desk.theirs.delete(book) }
      try desk.theirs.save()
      try desk.mine.save()
      #expect(desk.author.books.isEmpty)
      #expect(try desk.stored().name == "mine")
    }
  }

  @Test("When another context changed a deleted model, the merge policy decides", arguments: Place.allCases)
  func deletedInContext(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      let book = try #require(desk.author.books.first)
      desk.mine.delete(book)
      try #require(desk.other.books.first { $0.isbn == book.isbn }).title = "theirs"
      try desk.theirs.save()
      if policy == .throwOnConflict {
        let conflict = try #require(conflicts(of: desk.mine).first)
        #expect(conflict.kind == .deletedInContext)
        #expect(conflict.persistentIdentifier == book.persistentModelID)
        try desk.mine.resolve([conflict], keeping: .context)
      }
      try desk.mine.save()
      let isBack = policy == .storeWins
      #expect(try desk.stored().books.count == (isBack ? 2 : 1))
      #expect(desk.author.books.count == (isBack ? 2 : 1))
      #expect((book.modelContext != nil) == isBack)
      if isBack { #expect(book.title == "theirs") }
    }
  }

  @Test("A member deleted with its owner is restored with it when another context changed the member")
  func deletedWithOwner() throws {
    let desk = try Desk(.storeWins)
    let author = desk.author
    desk.mine.delete(author)
    desk.other.books[0].title = "theirs"
    try desk.theirs.save()
    try desk.mine.save()
    #expect(try desk.stored().books.count == 2)
    #expect(author.books.map(\.title).contains("theirs"))
  }

  @Test("A model that both contexts deleted is no conflict", arguments: Place.allCases)
  func bothDeleted(place: Place) throws {
    let desk = try Desk(.throwOnConflict, place)
    let book = try #require(desk.author.books.first)
    desk.mine.delete(book)
    desk.theirs.delete(try #require(desk.other.books.first { $0.isbn == book.isbn }))
    try desk.theirs.save()
    try desk.mine.save()
    #expect(try desk.stored().books.count == 1)
  }

  // MARK: To-manys

  @Test("Members added by both contexts are all kept, and are no conflict", arguments: Place.allCases)
  func addedMembers(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      desk.author.books.append(Book(isbn: "3", title: "Three"))
      desk.other.books.append(Book(isbn: "4", title: "Four"))
      try desk.theirs.save()
      try desk.mine.save()
      #expect(try desk.stored().books.map(\.isbn) == ["1", "2", "4", "3"])
      // This policy does not read the other container's saves before its own; they arrive later.
      if policy == .lastWriterWins, place == .otherContainer { continue }
      #expect(desk.author.books.map(\.isbn) == ["1", "2", "4", "3"])
    }
  }

  @Test("When two contexts reordered a to-many, the merge policy decides", arguments: Place.allCases)
  func bothReordered(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      desk.other.books.append(Book(isbn: "3", title: "Three"))
      try desk.theirs.save()
      _ = try desk.mine.fetch(FetchDescriptor<Author>())
      #expect(desk.author.books.map(\.isbn) == ["1", "2", "3"])
      func books(_ author: Author, _ order: [String]) -> [Book] {
        order.compactMap { isbn in author.books.first { $0.isbn == isbn } }
      }
      desk.author.books = books(desk.author, ["3", "2", "1"])
      desk.other.books = books(desk.other, ["2", "1", "3"])
      try desk.theirs.save()
      var expected = ["3", "2", "1"]
      if policy == .throwOnConflict {
        let conflict = try #require(conflicts(of: desk.mine).first)
        #expect(conflict.kind == .reordered)
        #expect(conflict.property == "books")
        let identifiers = Dictionary(uniqueKeysWithValues: desk.author.books.map { ($0.isbn, $0.persistentModelID) })
        func order(_ isbns: [String]) -> [PersistentIdentifier] { isbns.compactMap { identifiers[$0] } }
        #expect(conflict.originalValue as? [PersistentIdentifier] == order(["1", "2", "3"]))
        #expect(conflict.storedValue as? [PersistentIdentifier] == order(["2", "1", "3"]))
        #expect(conflict.unsavedValue as? [PersistentIdentifier] == order(["3", "2", "1"]))
        try desk.mine.resolve([conflict], keeping: .store)
      }
      if policy == .throwOnConflict || policy == .storeWins { expected = ["2", "1", "3"] }
      try desk.mine.save()
      #expect(desk.author.books.map(\.isbn) == expected)
      #expect(try desk.stored().books.map(\.isbn) == expected)
      #expect(!desk.mine.hasChanges)
    }
  }

  // MARK: Dangling references

  /// A visit with a dangling reference by `noAction`, which one of two contexts has set to another kiosk.
  private func makeDanglingVisit(
    _ policy: MergePolicy
  ) throws -> (mine: ModelContext, theirs: ModelContext, visit: Visit, gone: Kiosk) {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    mine.mergePolicy = policy
    let gone = Kiosk("gone")
    theirs.insert(gone)
    theirs.insert(Kiosk("other"))
    gone.visits = [Visit(1)]
    try theirs.save()
    theirs.delete(gone)
    try theirs.save()
    let visit = try mine.only(Visit.self)
    #expect(visit.shop == nil)
    visit.shop = try mine.only(Kiosk.self)
    return (mine, theirs, visit, gone)
  }

  @Test(
    "A dangling noAction to-one is in no conflict",
    arguments: [MergePolicy.storeWins, .throwOnConflict],
    [false, true])
  func danglingNoAction(policy: MergePolicy, isInserted: Bool) throws {
    let (mine, theirs, visit, gone) = try makeDanglingVisit(policy)
    try theirs.only(Visit.self).day = 2
    if isInserted { theirs.insert(gone) }
    try theirs.save()
    if isInserted {
      // The insertion of the kiosk set the visit's reference, which the store has as well.
      let found = conflicts(of: mine)
      if policy == .throwOnConflict { try mine.resolve(found, keeping: .store) }
    }
    try mine.save()
    let stored = try mine.container.freshContext().only(Visit.self)
    #expect(visit.day == 2)
    #expect(visit.shop?.name == stored.shop?.name)
    if !isInserted { #expect(stored.shop?.name == "other") }
    #expect(!mine.hasChanges)
  }

  // MARK: Unique values

  @Test(
    "With every policy a unique value that another context took prevents the save", arguments: Place.allCases)
  func uniqueValueTaken(place: Place) throws {
    for policy in [MergePolicy.lastWriterWins, .storeWins, .contextWins, .throwOnConflict] {
      let desk = try Desk(policy, place)
      desk.author.books[0].isbn = "9"
      desk.other.books[1].isbn = "9"
      try desk.theirs.save()
      #expect(throws: SwiftDataError.modelValidationFailure) { try desk.mine.save() }
      #expect(desk.mine.hasChanges)
      // Inserting a new model with the value updates that row.
      desk.mine.rollback()
      desk.mine.insert(Book(isbn: "9", title: "upsert"))
      try desk.mine.save()
      #expect(try desk.stored().books.first { $0.isbn == "9" }?.title == "upsert")
    }
  }

  // MARK: Costs and concurrency

  @Test("A comparing merge policy costs no queries when no other context has saved")
  func noOtherSaves() throws {
    let desk = try Desk(.throwOnConflict)
    try desk.mine.save()
    desk.author.name = "mine"
    try desk.mine.save()
    #expect(try desk.stored().name == "mine")
    let new = Author(name: "new")
    desk.mine.insert(new)
    try desk.mine.save()
    new.name = "newer"
    try desk.mine.save()
    #expect(try desk.mine.fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test("Concurrent increments are either saved or reported as conflicts, and none is lost")
  func increments() throws {
    let desk = try Desk(.throwOnConflict)
    let container = desk.mine.container
    let identifier = desk.author.persistentModelID
    let (count, rounds) = (4, 60)
    let total = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      let context = ModelContext(container)
      context.mergePolicy = .throwOnConflict
      var added = 0
      for _ in 0..<rounds {
        guard let author = context.model(for: identifier) as? Author else { continue }
        author.born = (author.born ?? 0) + 1
        do {
          try context.save()
          added += 1
        } catch let error as SwiftDataError where error == .mergeConflict {
          context.rollback()
        } catch {
          Issue.record(error)
        }
      }
      total.wrappingAdd(added, ordering: .relaxed)
    }
    #expect(try desk.stored().born == 1 + total.load(ordering: .relaxed))
  }
}
