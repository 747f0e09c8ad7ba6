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

  @Test("After an erasure a context posts the identifiers of its persistent models only")
  func erasure() throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let tag = try context.only(Tag.self)
    let expected: Set = [identifier, tag.persistentModelID]
    book.title = "unsaved"
    let inserted = Tag("unsaved")
    context.insert(inserted)
    let observed = PostedSaves(context)
    try container.erase()
    #expect(observed.names.isEmpty)
    context.processPendingChanges()
    #expect(book.modelContext == nil && tag.modelContext == nil && inserted.modelContext === context)
    #expect(observed.names == [ModelContext.didSave])
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == [expected])
    for key in [ModelContext.NotificationKey.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
      #expect(observed.identifiers(key) == [[]])
    }
    let tokens = observed.userInfos.first?[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken]
    #expect(tokens?.isEmpty == true)
    context.processPendingChanges()
    #expect(observed.names.count == 1)
  }

  @Test("The main context posts the notification on its queue by itself")
  @MainActor
  func mainContext() async throws {
    let context = container.mainContext
    let (book, identifier) = try book(in: context)
    let observed = PostedSaves(context)
    container.deleteAllData()
    #expect(observed.names.isEmpty)
    await MainQueue.turn()
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == [[identifier]])
    #expect(observed.areOnMainQueue == [true])
    #expect(book.modelContext == nil)
  }

  @Test("A context without persistent models posts no notification")
  func withoutModels() throws {
    let context = container.freshContext()
    let inserted = Tag("unsaved")
    context.insert(inserted)
    let observed = PostedSaves(context)
    try container.erase()
    context.processPendingChanges()
    #expect(try context.fetch(FetchDescriptor<Book>()).isEmpty)
    #expect(observed.names.isEmpty)
    #expect(inserted.modelContext === context)
  }

  @Test(
    "An observer of the notification can fetch and save", arguments: ["nothing", "fetch", "save"])
  func handler(call: String) throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let observed = PostedSaves(context)
    var found: [Int] = []
    observed.onSave = {
      observed.onSave = {}
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
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == [[identifier], nil])
    #expect(observed.names == [ModelContext.didSave, ModelContext.willSave, ModelContext.didSave])
    #expect(try tagCount() == (call == "save" ? 2 : 1))
    #expect(book.modelContext == nil)
  }

  // MARK: Transactions

  private struct Stop: Error {}

  @Test("Inside a transaction the notification waits until other contexts can save again", arguments: [false, true])
  func transaction(fails: Bool) throws {
    let context = container.freshContext()
    let (book, identifier) = try book(in: context)
    let other = container.freshContext()
    let observed = PostedSaves(context)
    observed.onSave = {
      observed.onSave = {}
      other.insert(Tag("other"))
      try other.save()
    }
    try container.erase()
    do {
      try context.transaction {
        #expect(book.modelContext == nil)
        #expect(observed.names.isEmpty)
        if fails { throw Stop() }
        context.insert(Tag("mine"))
      }
    } catch is Stop {}
    let expected: [Set<PersistentIdentifier>?] = fails ? [[identifier]] : [[identifier], nil]
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == expected)
    #expect(observed.names.filter { $0 == ModelContext.willSave }.count == (fails ? 0 : 1))
    #expect(try tagCount() == (fails ? 1 : 2))
  }

  @Test("Rows that a transaction refreshes as a precaution post no notification")
  func caution() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let observed = PostedSaves(context)
    try context.transaction {}
    #expect(observed.names.isEmpty)
    #expect(book.modelContext === context)
  }

  // MARK: No invalidation

  @Test("The notification of a save has no invalidatedAllIdentifiers key")
  func save() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let observed = PostedSaves(context)
    book.pages = 100
    try context.save()
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == [nil])
    #expect(observed.userInfos[0][ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue] == nil)
  }

  @Test("A refresh of all rows of an entity after many changes posts no notification")
  func beyondLimit() throws {
    let context = container.freshContext()
    let (book, _) = try book(in: context)
    let observed = PostedSaves(context)
    var notice = ChangeNotice()
    let ordinal = try context.graph.requireBinding(for: Book.self).ordinal
    notice.updated.add((1...5000).map(Int64.init), of: ordinal)
    context.graph.inbox.post(notice)
    context.processPendingChanges()
    #expect(observed.names.isEmpty)
    #expect(book.modelContext === context)
  }

  // MARK: Reads that fail

  @Test("When the rows cannot be read at first, the later notification names all models, detached ones included")
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
      let observed = PostedSaves(context)
      try container.erase()
      faults.fail(call...call, with: .busy)
      context.processPendingChanges()
      let hasFailed = faults.stop() > 0
      #expect(observed.names.isEmpty == hasFailed, "call \(call)")
      context.processPendingChanges()
      #expect(observed.identifiers(.invalidatedAllIdentifiers) == [expected], "call \(call)")
      #expect(books.allSatisfy { $0.modelContext == nil } && tags.allSatisfy { $0.modelContext == nil })
      if !hasFailed { break }
      call += 1
    }
    #expect(call > 0)
  }
}
