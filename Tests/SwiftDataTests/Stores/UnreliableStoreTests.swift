import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Unreliable custom stores")
struct UnreliableStoreTests {
  typealias Answer = UnreliableConfiguration.Answer
  typealias Keys = UnreliableConfiguration.Keys

  private static let nonsense = Answer.allCases.filter { $0 != .sound }

  /// A library in an unreliable store; it has an author with two books, one of which has two tags.
  private func library(_ keys: Keys) throws -> (container: ModelContainer, ledger: StoreLedger) {
    let configuration = UnreliableConfiguration(keys: keys)
    let container = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let context = ModelContext(container)
    let author = Author(name: "Ann", born: 1900)
    author.books = [Book(isbn: "1", title: "One", pages: 1), Book(isbn: "2", title: "Two", pages: 2)]
    author.books[0].tags = [Tag("novel"), Tag("old")]
    context.insert(author)
    try context.save()
    return (container, configuration.ledger)
  }

  /// Everything that is stored, as texts.
  private func stored(_ container: ModelContainer) throws -> [String] {
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>()).map { author in
      "\(author.name) \(author.born ?? 0) \(author.books.map(\.isbn).sorted())"
    }
    let books = try context.fetch(FetchDescriptor<Book>()).map { book in
      "\(book.isbn) \(book.title) \(book.pages) \(book.author?.name ?? "-") \(book.tags.map(\.word).sorted())"
    }
    let tags = try context.fetch(FetchDescriptor<Tag>()).map { "\($0.word) \($0.books.map(\.isbn).sorted())" }
    return (authors + books + tags).sorted()
  }

  /// The author as a fault.
  private func unreadAuthor(_ container: ModelContainer) throws -> (context: ModelContext, author: Author) {
    let identifier = try ModelContext(container).only(Author.self).persistentModelID
    let context = ModelContext(container)
    return (context, try #require(context.model(for: identifier) as? Author))
  }

  // MARK: Results of saves

  @Test(
    "No change is saved twice, whatever result a store returns", arguments: nonsense, Keys.allCases)
  func savedOnce(answer: Answer, keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    author.name = "Anna"
    let new = Author(name: "Bob")
    new.books = [Book(isbn: "3", title: "Three"), Book(isbn: "4", title: "Four")]
    context.insert(new)
    context.insert(Tag("new"))
    let old = try #require(try context.fetch(FetchDescriptor<Tag>()).first { $0.word == "old" })
    context.delete(old)
    let before = ledger.written
    ledger.edit { $0.answer = answer }
    if answer != .twiceTheSame, answer != .snapshotOfOtherModel {
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .modelValidationFailure)
      #expect(error?.details?.message?.contains("unreliable") == true)
    } else {
      // The store may return one identifier for both, and the values of a snapshot need not be checked.
      try? context.save()
    }
    let written = ledger.written
    #expect(written.inserted == before.inserted + 4)
    #expect(written.deleted == before.deleted + 1)
    #expect(written.updated > before.updated)
    #expect(!context.hasChanges)
    #expect(context.insertedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
    for _ in 0..<3 { try context.save() }
    #expect(ledger.written == written)
    #expect(
      try stored(container) == [
        "1 One 1 Anna [\"novel\"]", "2 Two 2 Anna []", "3 Three 0 Bob []", "4 Four 0 Bob []",
        "Anna 1900 [\"1\", \"2\"]", "Bob 0 [\"3\", \"4\"]", "new []", "novel [\"1\"]",
      ])
  }

  @Test(
    "A context continues with the stored state after an invalid result of a save", arguments: nonsense,
    Keys.allCases)
  func goingOn(answer: Answer, keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    context.insert(Tag("new"))
    author.born = 1901
    ledger.edit { $0.answer = answer }
    try? context.save()
    ledger.edit { $0.answer = .sound }
    let tags = try context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)]))
    #expect(tags.map(\.word) == ["new", "novel", "old"])
    let written = ledger.written
    tags[0].word = "newer"
    author.name = "Anna"
    author.books.append(Book(isbn: "3", title: "Three"))
    try context.save()
    #expect(ledger.written.inserted == written.inserted + 1)
    #expect(ledger.written.deleted == written.deleted)
    #expect(
      try stored(container) == [
        "1 One 1 Anna [\"novel\", \"old\"]", "2 Two 2 Anna []", "3 Three 0 Anna []", "Anna 1901 [\"1\", \"2\", \"3\"]",
        "newer []", "novel [\"1\"]", "old [\"1\"]",
      ])
  }

  @Test("A member without an identifier in the store's result does not remove other members", arguments: Keys.allCases)
  func lostMember(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    author.books.append(Book(isbn: "3", title: "Three"))
    ledger.edit { $0.answer = .noIdentifier }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    ledger.edit { $0.answer = .sound }
    author.name = "Anna"
    try context.save()
    let snapshots = ledger.edit { Array($0.snapshots.values) }
    let coded = String(decoding: try JSONEncoder().encode(snapshots), as: UTF8.self)
    #expect(!coded.contains("\"isTemporary\":true"))
    #expect(try ModelContext(container).only(Author.self).books.map(\.isbn) == ["1", "2", "3"])
    #expect(author.books.map(\.isbn) == ["1", "2", "3"])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 3)
  }

  @Test(
    "A target without an identifier in the store's result is found again through its references",
    arguments: Keys.allCases)
  func lostTarget(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let context = ModelContext(container)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.isbn == "2" })
    book.author = Author(name: "Bob")
    ledger.edit { $0.answer = .noIdentifier }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    ledger.edit { $0.answer = .sound }
    #expect(book.author?.name == "Bob")
    book.pages = 22
    try context.save()
    #expect(
      try stored(container) == [
        "1 One 1 Ann [\"novel\", \"old\"]", "2 Two 22 Bob []", "Ann 1900 [\"1\"]", "Bob 0 [\"2\"]", "novel [\"1\"]",
        "old [\"1\"]",
      ])
  }

  @Test("Snapshots with the values of another model do not change saved values", arguments: Keys.allCases)
  func otherValues(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    #expect(books.map(\.tags.count) == [2, 0])
    author.born = 1901
    ledger.edit { $0.answer = .snapshotOfOtherModel }
    try? context.save()
    ledger.edit { $0.answer = .sound }
    for book in books { book.pages += 10 }
    for _ in 0..<3 { try? context.save() }
    for book in books where !["One", "Two"].contains(book.title) { Issue.record("The title is \(book.title).") }
    for book in books { book.pages += 10 }
    for _ in 0..<3 { try? context.save() }
    let stored = try ModelContext(container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    #expect(stored.map { "\($0.isbn) \($0.title) \($0.pages)" } == ["1 One 21", "2 Two 22"])
    #expect(stored.map(\.author?.name) == ["Ann", "Ann"])
    #expect(stored.map { $0.tags.map(\.word).sorted() } == [["novel", "old"], []])
  }

  @Test("A save that a store refused is repeated as a whole", arguments: Keys.allCases)
  func refusedSave(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let before = try stored(container)
    let context = ModelContext(container)
    let author = try context.only(Author.self)
    author.books[1].pages = 20
    context.delete(author.books[0])
    author.books.append(Book(isbn: "3", title: "Three"))
    ledger.edit { $0.failsToWrite = true }
    for _ in 0..<2 { #expect(throws: UnreliableError.writing) { try context.save() } }
    #expect(try stored(container) == before)
    #expect(context.insertedModelsArray.count == 1 && context.deletedModelsArray.count == 1)
    ledger.edit { $0.failsToWrite = false }
    let written = ledger.written
    try context.save()
    try context.save()
    #expect(ledger.written.inserted == written.inserted + 1)
    #expect(ledger.written.deleted == written.deleted + 1)
    #expect(try ModelContext(container).only(Author.self).books.map(\.isbn).sorted() == ["2", "3"])
  }

  // MARK: Reads

  /// Ways to fire a fault, with the stored value.
  private static let reads: [(name: String, value: String, read: @Sendable (Author) -> String)] = [
    ("an attribute", "Ann", { $0.name }),
    ("an optional attribute", "1900", { "\($0.born ?? 0)" }),
    ("a to-many", "1 2", { $0.books.map(\.isbn).sorted().joined(separator: " ") }),
    ("members' members", "novel old", { $0.books.flatMap(\.tags).map(\.word).sorted().joined(separator: " ") }),
    ("a to-one of a member", "Ann", { $0.books.first?.author?.name ?? "" }),
  ]

  @Test(
    "A failed read leaves the fault, reports the error, and the next read tries again", arguments: reads.indices,
    Keys.allCases)
  func failedReads(touch: Int, keys: Keys) throws {
    let (_, value, read) = Self.reads[touch]
    let (container, ledger) = try library(keys)
    let before = try stored(container)
    let (context, author) = try unreadAuthor(container)
    let (written, reads) = (ledger.written, ledger.edit { $0.readCount })
    ledger.edit { $0.failsToRead = true }
    for _ in 0..<3 { #expect(read(author) != value) }
    #expect(ledger.edit { $0.readCount } >= reads)
    #expect(throws: UnreliableError.reading) { try context.save() }
    #expect(throws: UnreliableError.reading) { try context.fetch(FetchDescriptor<Tag>()) }
    #expect(!context.hasChanges)
    try context.save()
    ledger.edit { $0.failsToRead = false }
    #expect(read(author) == value)
    try context.save()
    #expect(ledger.written == written)
    author.born = 1901
    try context.save()
    #expect(ledger.written.inserted == written.inserted)
    #expect(try stored(container) == before.map { $0.replacingOccurrences(of: "1900", with: "1901") })
  }

  @Test("A property that could not be read cannot be set, and nothing of it is saved", arguments: Keys.allCases)
  func refusedChanges(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let before = try stored(container)
    let (context, author) = try unreadAuthor(container)
    let written = ledger.written
    ledger.edit { $0.failsToRead = true }
    author.name.append("!")
    author.books.append(Book(isbn: "3", title: "Three"))
    author.born = (author.born ?? 0) + 1
    for _ in 0..<2 { #expect(throws: (any Error).self) { try context.save() } }
    ledger.edit { $0.failsToRead = false }
    for _ in 0..<3 { try? context.save() }
    #expect(ledger.written == written)
    #expect(try stored(container) == before)
    #expect(!context.hasChanges)
    author.name.append("!")
    author.books.append(Book(isbn: "3", title: "Three"))
    try context.save()
    #expect(try ModelContext(container).only(Author.self).books.map(\.isbn) == ["1", "2", "3"])
    #expect(try ModelContext(container).only(Author.self).name == "Ann!")
  }

  @Test("Setting a property of a fault saves no placeholder values of others", arguments: Keys.allCases)
  func setUnread(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let (context, author) = try unreadAuthor(container)
    let written = ledger.written
    ledger.edit { $0.failsToRead = true }
    // The property was never read and may be set; but a snapshot contains the whole model.
    author.name = "Anna"
    #expect(throws: UnreliableError.reading) { try context.save() }
    #expect(throws: (any Error).self) { try context.save() }
    #expect(ledger.written == written)
    ledger.edit { $0.failsToRead = false }
    try? context.save()
    try context.save()
    let stored = try ModelContext(container).only(Author.self)
    #expect(stored.name == "Anna")
    #expect(stored.born == 1900)
    #expect(stored.books.map(\.isbn).sorted() == ["1", "2"])
  }

  @Test("A deletion whose cascade cannot be read deletes nothing", arguments: Keys.allCases)
  func deletion(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let before = try stored(container)
    let (context, author) = try unreadAuthor(container)
    let written = ledger.written
    ledger.edit { $0.failsToRead = true }
    context.delete(author)
    #expect(throws: (any Error).self) { try context.save() }
    ledger.edit { $0.failsToRead = false }
    for _ in 0..<2 { try? context.save() }
    #expect(ledger.written == written)
    #expect(try stored(container) == before)
    context.delete(author)
    try context.save()
    #expect(try stored(container) == ["novel []", "old []"])
  }

  @Test("A refresh that fails is repeated by the next call", arguments: Keys.allCases)
  func inbox(keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let author = try context.only(Author.self)
    #expect(author.books.count == 2)
    let changed = try other.only(Author.self)
    changed.name = "Anna"
    changed.books.append(Book(isbn: "3", title: "Three"))
    try other.save()
    ledger.edit { $0.failsToRead = true }
    context.processPendingChanges()
    #expect(throws: UnreliableError.reading) { try context.fetch(FetchDescriptor<Tag>()) }
    #expect(throws: UnreliableError.reading) { try context.save() }
    ledger.edit { $0.failsToRead = false }
    try context.save()
    #expect(author.name == "Anna")
    #expect(author.books.map(\.isbn) == ["1", "2", "3"])
  }

  @Test(
    "A refresh merges another context's save except for unreadable rows and references", arguments: [false, true],
    Keys.allCases)
  func damagedChanges(isWhole: Bool, keys: Keys) throws {
    let (container, ledger) = try library(keys)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    let author = try #require(books[0].author)
    #expect(books[1].author === author)
    for book in try other.fetch(FetchDescriptor<Book>()) { book.pages += 10 }
    try other.save()
    let (first, owner) = (books[0].persistentModelID, author.persistentModelID)
    let stranger = try PersistentIdentifier.identifier(for: "another", entityName: "Author", primaryKey: 1)
    let sound = try #require(ledger.edit { $0.snapshots[first] })
    let tag = try #require(ledger.edit { pages in pages.snapshots.values.first { $0.isOf("Tag") } })
    let damaged =
      isWhole
      ? tag.copy(persistentIdentifier: first, remappedIdentifiers: nil)
      : sound.copy(persistentIdentifier: first, remappedIdentifiers: [owner: stranger])
    ledger.edit { $0.snapshots[first] = damaged }
    for _ in 0..<2 { try context.save() }
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 2)
    #expect(books.map(\.pages) == [isWhole ? 1 : 11, 12])
    #expect(books[0].author === author)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.fetch(FetchDescriptor<Book>()) }
    let fresh = ModelContext(container)
    let book = try #require(fresh.model(for: first) as? Book)
    for _ in 0..<2 {
      #expect(book.author?.name == nil)
      #expect(throws: SwiftDataError.modelValidationFailure) { try fresh.save() }
    }
    ledger.edit { $0.snapshots[first] = sound }
    #expect(book.author?.name == "Ann")
    #expect(book.title == "One")
    #expect(book.pages == 11)
    try fresh.save()
  }
}

extension DefaultSnapshot {
  fileprivate func isOf(_ entity: String) -> Bool { persistentIdentifier.entityName == entity }
}
