import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Notifications that all rows may have changed")
struct InvalidationTests {
  private let container: ModelContainer

  init() throws {
    container = try makeLibrary()
    try Self.fill(container)
  }

  private static func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for number in 1...3 { context.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    context.insert(Tag("a"))
    try context.save()
  }

  private func tagCount() throws -> Int {
    try container.freshContext().fetchCount(FetchDescriptor<Tag>())
  }

  private func book(in context: ModelContext) throws -> (book: Book, identifier: PersistentIdentifier) {
    let books = try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "2" }))
    let book = try #require(books.first)
    return (book, book.persistentModelID)
  }

  // MARK: Erasures

  @Test("After an erasure a context posts the identifiers of the models that it had, and of no others")
  func erasure() throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let tag = try context.only(Tag.self)
    let expected: Set = [identifier, tag.persistentModelID]
    book.title = "unsaved"
    let inserted = Tag("unsaved")
    context.insert(inserted)
    let heard = HeardSaves(context)
    try container.erase()
    #expect(heard.names.isEmpty)
    context.processPendingChanges()
    #expect(book.modelContext == nil && tag.modelContext == nil && inserted.modelContext === context)
    #expect(heard.names == [ModelContext.didSave])
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == [expected])
    for key in [ModelContext.NotificationKey.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
      #expect(heard.identifiers(key) == [[]])
    }
    let tokens = heard.userInfos.first?[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken]
    #expect(tokens?.isEmpty == true)
    context.processPendingChanges()
    #expect(heard.names.count == 1)
  }

  @Test("The main context posts it on its queue, though nobody asks")
  @MainActor
  func mainContext() async throws {
    let context = container.mainContext
    let (book, identifier) = try book(in: context)
    let heard = HeardSaves(context)
    container.deleteAllData()
    #expect(heard.names.isEmpty)
    await MainQueue.turn()
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == [[identifier]])
    #expect(heard.areOnMainQueue == [true])
    #expect(book.modelContext == nil)
  }

  @Test("A context without models posts nothing")
  func withoutModels() throws {
    let context = container.freshContext()
    let inserted = Tag("unsaved")
    context.insert(inserted)
    let heard = HeardSaves(context)
    try container.erase()
    context.processPendingChanges()
    #expect(try context.fetch(FetchDescriptor<Book>()).isEmpty)
    #expect(heard.names.isEmpty)
    #expect(inserted.modelContext === context)
  }

  @Test(
    "Whoever hears of it can fetch and save, whatever the context was doing", arguments: ["nothing", "fetch", "save"])
  func handler(call: String) throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let heard = HeardSaves(context)
    var found: [Int] = []
    heard.onSave = {
      heard.onSave = {}
      found.append(try context.fetchCount(FetchDescriptor<Book>()))
      context.insert(Tag("after"))
      try context.save()
    }
    try container.erase()
    switch call {
    case "fetch":
      #expect(try context.fetch(FetchDescriptor<Author>()).isEmpty)
    case "save":
      context.insert(Tag("pending"))
      try context.save()
    default:
      context.processPendingChanges()
    }
    #expect(found == [0])
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == [[identifier], nil])
    #expect(heard.names == [ModelContext.didSave, ModelContext.willSave, ModelContext.didSave])
    #expect(try tagCount() == (call == "save" ? 2 : 1))
    #expect(book.modelContext == nil)
  }

  // MARK: Transactions

  private struct Stop: Error {}

  @Test("Inside a transaction it waits until others can save again", arguments: [false, true])
  func transaction(fails: Bool) throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let other = container.freshContext()
    let heard = HeardSaves(context)
    heard.onSave = {
      heard.onSave = {}
      other.insert(Tag("other"))
      try other.save()
    }
    try container.erase()
    do {
      try context.transaction {
        #expect(book.modelContext == nil)
        #expect(heard.names.isEmpty)
        if fails { throw Stop() }
        context.insert(Tag("mine"))
      }
    } catch is Stop {}
    let expected: [Set<PersistentIdentifier>?] = fails ? [[identifier]] : [[identifier], nil]
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == expected)
    #expect(heard.names.filter { $0 == ModelContext.willSave }.count == (fails ? 0 : 1))
    #expect(try tagCount() == (fails ? 1 : 2))
  }

  @Test("What a transaction reads again out of caution is not told")
  func caution() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let heard = HeardSaves(context)
    try context.transaction {}
    #expect(heard.names.isEmpty)
    #expect(book.modelContext === context)
  }

  // MARK: What is none

  @Test("After a save there is no such key")
  func save() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let heard = HeardSaves(context)
    book.pages = 100
    try context.save()
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == [nil])
    #expect(heard.userInfos[0][ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue] == nil)
  }

  @Test("More changes of an entity than are counted are not told")
  func beyondLimit() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let heard = HeardSaves(context)
    var notice = ChangeNotice()
    let ordinal = try context.graph.requireBinding(for: Book.self).ordinal
    notice.updated.add((1...5000).map(Int64.init), of: ordinal)
    context.graph.inbox.post(notice)
    context.processPendingChanges()
    #expect(heard.names.isEmpty)
    #expect(book.modelContext === context)
  }

  // MARK: Reads that fail

  @Test("When rows cannot be read at first, all models are told of once they can, those that are gone by then too")
  func failingReads() throws {
    let faults = CallFailures()
    let folder = try TemporaryFolder()
    let container = try DatabaseInterception.$wrap.withValue(faults.wrap) {
      try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: folder.file()))
    }
    var call = 0
    while true {
      try Self.fill(container)
      let context = ModelContext(container)
      let books = try context.fetch(FetchDescriptor<Book>())
      let tags = try context.fetch(FetchDescriptor<Tag>())
      let expected = Set(books.map(\.persistentModelID) + tags.map(\.persistentModelID))
      #expect(expected.count == 4)
      let heard = HeardSaves(context)
      try container.erase()
      faults.fail(call...call, with: .busy)
      context.processPendingChanges()
      let hasFailed = faults.stop() > 0
      #expect(heard.names.isEmpty == hasFailed, "call \(call)")
      context.processPendingChanges()
      #expect(heard.identifiers(.invalidatedAllIdentifiers) == [expected], "call \(call)")
      #expect(books.allSatisfy { $0.modelContext == nil } && tags.allSatisfy { $0.modelContext == nil })
      if !hasFailed { break }
      call += 1
    }
    #expect(call > 0)
  }
}
