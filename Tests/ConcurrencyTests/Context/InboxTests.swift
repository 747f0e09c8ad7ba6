import Dispatch
import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Change notices that wait in an inbox", .serialized)
struct InboxTests {
  /// A library with a book, in memory or in a file.
  private struct Shelf {
    private let folder: TemporaryFolder
    let container: ModelContainer
    let book: PersistentIdentifier

    init(inMemory: Bool, _ faults: CallFailures? = nil) throws {
      folder = try TemporaryFolder()
      let configuration =
        inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.file())
      container = try DatabaseInterception.$wrap.withValue(faults.map { $0.wrap }) {
        try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
      }
      let context = ModelContext(container)
      let book = Book(isbn: "1", title: "watched")
      context.insert(book)
      try context.save()
      self.book = book.persistentModelID
    }

    /// Adds books with page numbers from one on.
    func add(_ count: Int) throws {
      let context = ModelContext(container)
      for number in 1...count { context.insert(Book(isbn: "new \(number)", title: "t", pages: number)) }
      try context.save()
    }

    /// Saves the book once for each page.
    static func turnPages(of book: PersistentIdentifier, in container: ModelContainer, through last: Int) throws {
      let context = ModelContext(container)
      guard let book = context.model(for: book) as? Book else { throw NotOne(count: 0) }
      for number in 1...last {
        book.pages = number
        try context.save()
      }
    }
  }

  /// Books that idle contexts have read.
  private func idleBooks(_ count: Int, _ shelf: Shelf) throws -> [(context: ModelContext, book: Book)] {
    try (0..<count).map { _ in
      let context = ModelContext(shelf.container)
      return (context, try context.only(Book.self))
    }
  }

  // MARK: In the inbox

  private func notice(updated: [Int64] = [], deleted: [Int64] = [], inserted: [Int64] = [], of entity: Int)
    -> ChangeNotice
  {
    var notice = ChangeNotice()
    notice.updated.add(updated, of: entity)
    notice.deleted.add(deleted, of: entity)
    notice.inserted.add(inserted, of: entity)
    return notice
  }

  @Test("Notices of one object merge into one key, and are announced once")
  func merging() {
    let inbox = ChangeInbox()
    let announced = Mutex(0)
    inbox.onPost { announced.withLock { $0 += 1 } }
    for _ in 0..<5000 { inbox.post(notice(updated: [7], of: 2)) }
    #expect(announced.withLock { $0 } == 1)
    let changes = inbox.take()
    #expect(Array(changes.entities.keys) == [2])
    #expect(changes.entities[2]?.updated == [7])
    #expect(changes.entities[2]?.deleted == [])
    #expect(changes.entities[2]?.hasUnlistedKeys == false)
    #expect(inbox.take().isEmpty)
    inbox.post(notice(deleted: [7], of: 2))
    #expect(announced.withLock { $0 } == 2)
  }

  @Test("Notices of insertions have no keys")
  func insertions() {
    let inbox = ChangeInbox()
    inbox.post(notice(inserted: Array(1...10_000), of: 1))
    let changes = inbox.take()
    #expect(!changes.isEmpty)
    #expect(changes.keyCount == 0)
    #expect(changes.entities[1]?.hasUnlistedKeys == false)
  }

  @Test(
    "An entity with more notices than the limit keeps no keys, and other entities keep theirs",
    arguments: [1, 50, 9000])
  func limit(step: Int) {
    let inbox = ChangeInbox()
    inbox.post(notice(updated: [1, 2, 3], of: 0))
    for start in stride(from: 0, to: 18_000, by: step) {
      inbox.post(notice(updated: (start..<start + step).map(Int64.init), of: 1))
      if start.isMultiple(of: 1000) { #expect(inbox.waiting.keyCount <= ChangeInbox.keyLimit) }
    }
    inbox.post(notice(deleted: [4], of: 0))
    let changes = inbox.take()
    #expect(changes.entities[0]?.updated == [1, 2, 3])
    #expect(changes.entities[0]?.deleted == [4])
    #expect(changes.entities[1]?.hasUnlistedKeys == true)
    #expect(changes.keyCount == 4)
  }

  @Test("Notices of many entities together keep no more keys than the limit")
  func manyEntities() {
    let inbox = ChangeInbox()
    for key in 0..<2000 {
      for entity in 0..<40 { inbox.post(notice(updated: [Int64(key)], deleted: [Int64(key + 5000)], of: entity)) }
      if key.isMultiple(of: 100) { #expect(inbox.waiting.keyCount <= ChangeInbox.keyLimit) }
    }
    let changes = inbox.take()
    #expect(changes.entities.count == 40)
    #expect(changes.entities.values.allSatisfy { $0.hasUnlistedKeys || $0.updated.count == 2000 })
  }

  @Test("Notices that are put back are merged with later ones")
  func puttingBack() {
    let inbox = ChangeInbox()
    inbox.post(notice(updated: [1], of: 0))
    inbox.post(notice(updated: Array(1...5000), of: 1))
    let taken = inbox.take()
    inbox.post(notice(updated: [2], deleted: [3], of: 0))
    inbox.post(notice(updated: [9], of: 1))
    inbox.putBack(taken)
    let changes = inbox.take()
    #expect(changes.entities[0]?.updated == [1, 2])
    #expect(changes.entities[0]?.deleted == [3])
    #expect(changes.entities[1]?.hasUnlistedKeys == true)
    #expect(inbox.take().isEmpty)
  }

  @Test("An invalidation of all rows stays, whatever is posted before and after it")
  func invalidation() {
    let inbox = ChangeInbox()
    inbox.post(notice(updated: [1], of: 0))
    inbox.post(ChangeNotice(unknown: [0], isInvalidation: true))
    inbox.post(ChangeNotice(unknown: [0, 1]))
    inbox.post(notice(updated: Array(1...5000), of: 2))
    inbox.post(notice(deleted: [1], of: 0))
    let taken = inbox.take()
    #expect(taken.entities.filter { $0.value.hasUnlistedKeys }.count == 3)
    inbox.post(notice(updated: [2], of: 0))
    inbox.putBack(taken)
    let changes = inbox.take()
    for entities in [taken.entities, changes.entities] {
      #expect(entities.filter { $0.value.isInvalidated }.map { $0.key } == [0])
    }
    #expect(inbox.take().isEmpty)
  }

  // MARK: With contexts

  @Test(
    "Notices are merged while the main queue is free, and the main context gets the last value",
    arguments: [true, false], [(contexts: 1, saves: 5000), (contexts: 100, saves: 1000)])
  func freeMainQueue(inMemory: Bool, load: (contexts: Int, saves: Int)) async throws {
    let shelf = try Shelf(inMemory: inMemory)
    let idle = try idleBooks(load.contexts, shelf)
    let (container, identifier) = (shelf.container, shelf.book)
    let reader = try await MainReader(container)
    #expect(await reader.pages == 0)
    let writer = ShelfActor(modelContainer: container)
    try await writer.turnPages(of: identifier, through: load.saves)
    for (context, _) in idle { #expect(context.graph.inbox.waiting.keyCount <= 1) }
    // The main queue is free, so the context merges without a call.
    #expect(await reader.pages == load.saves)
    #expect(await reader.waitingKeyCount == 0)
    for (context, book) in idle {
      #expect(book.pages == 0)
      context.processPendingChanges()
      #expect(book.pages == load.saves)
    }
    #expect(try await writer.pages(of: identifier) == load.saves)
  }

  @Test(
    "Notices are merged while the main queue is blocked, and the main context has the last value afterwards",
    arguments: [true, false], [(contexts: 1, saves: 5000), (contexts: 100, saves: 1000)])
  @MainActor
  func blockedMainQueue(inMemory: Bool, load: (contexts: Int, saves: Int)) throws {
    let shelf = try Shelf(inMemory: inMemory)
    let idle = try idleBooks(load.contexts, shelf)
    let (container, identifier) = (shelf.container, shelf.book)
    let main = container.mainContext
    let book = try main.only(Book.self)
    let failure = Mutex<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        try Shelf.turnPages(of: identifier, in: container, through: load.saves)
      } catch {
        failure.withLock { $0 = error }
      }
      isDone.signal()
    }
    isDone.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
    #expect(main.graph.inbox.waiting.keyCount == 1)
    #expect(main.graph.inbox.waiting.entities.count == 1)
    #expect(book.pages == 0)
    main.processPendingChanges()
    #expect(book.pages == load.saves)
    #expect(main.graph.inbox.waiting.isEmpty)
    for (context, book) in idle {
      #expect(context.graph.inbox.waiting.keyCount == 1)
      #expect(try context.fetchCount(FetchDescriptor<Author>()) == 0)
      #expect(book.pages == load.saves)
    }
  }

  @Test("Once a blocked main queue is free the main context merges the notices without a call")
  func freedMainQueue() async throws {
    let shelf = try Shelf(inMemory: true)
    let reader = try await MainReader(shelf.container)
    try await reader.blockWhile { [container = shelf.container, book = shelf.book] in
      try Shelf.turnPages(of: book, in: container, through: 300)
    }
    await MainReader.turn()
    #expect(await reader.pages == 300)
  }

  @Test("More notices than the limit make a context refresh all its models", arguments: [true, false])
  func beyondLimit(inMemory: Bool) throws {
    let shelf = try Shelf(inMemory: inMemory)
    try shelf.add(10_000)
    let context = ModelContext(shelf.container)
    let author = Author(name: "pending")
    let held = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.pages % 40 == 1 }, sortBy: [SortDescriptor(\.pages)]))
    #expect(held.count == 250)
    held[0].title = "pending"
    held[1].author = author
    let writing = ModelContext(shelf.container)
    let books = try writing.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)]))
    for start in stride(from: 0, to: books.count, by: 500) {
      for book in books[start..<min(start + 500, books.count)] { book.pages += 100_000 }
      try writing.save()
      #expect(context.graph.inbox.waiting.keyCount <= ChangeInbox.keyLimit)
    }
    for book in books where book.pages % 40 == 1 && book.pages > 109_000 { writing.delete(book) }
    try writing.save()
    #expect(context.graph.inbox.waiting.entities.values.contains { $0.hasUnlistedKeys })
    context.processPendingChanges()
    for (place, book) in held.enumerated() {
      let pages = place * 40 + 1
      if pages > 9000 {
        #expect(book.modelContext == nil)
      } else {
        #expect(book.pages == pages + 100_000)
        #expect(book.modelContext === context)
      }
    }
    #expect(held[0].title == "pending")
    #expect(held[1].author === author)
    try context.save()
    let other = ModelContext(shelf.container)
    #expect(try other.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 100_000 })) == 9975)
    #expect(try other.only(Author.self).books.map(\.pages) == [100_041])
  }

  // MARK: Failed reads

  @Test("Notices whose rows cannot be read stay, and are merged on the next try", arguments: [false, true])
  func failingReads(hasUnlistedKeys: Bool) throws {
    let faults = CallFailures()
    let shelf = try Shelf(inMemory: false, faults)
    try shelf.add(6)
    var call = 0
    while true {
      let context = ModelContext(shelf.container)
      let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
      let author = Author(name: "owner")
      context.insert(author)
      author.books = [books[1], books[2]]
      try context.save()
      let writing = ModelContext(shelf.container)
      for book in try writing.fetch(FetchDescriptor<Book>()) { book.pages = 1000 + call }
      let last = try #require(try writing.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])).last)
      writing.delete(last)
      writing.insert(Book(isbn: "new \(1000 - call)", title: "t"))
      for author in try writing.fetch(FetchDescriptor<Author>()) { author.books.removeFirst() }
      try writing.save()
      if hasUnlistedKeys, let ordinal = context.graph.binding(for: Book.self)?.ordinal {
        context.graph.inbox.post(notice(updated: Array(100_000...110_000), of: ordinal))
      }
      faults.fail(call...call, with: .busy)
      context.processPendingChanges()
      let hasFailed = faults.stop() > 0
      #expect(context.graph.inbox.waiting.isEmpty == !hasFailed)
      context.processPendingChanges()
      #expect(context.graph.inbox.waiting.isEmpty)
      #expect(books.dropLast().allSatisfy { $0.pages == 1000 + call }, "call \(call)")
      #expect(books.last?.modelContext == nil)
      #expect(author.books.map(\.isbn) == [books[2].isbn])
      try context.save()
      let cleaning = ModelContext(shelf.container)
      for author in try cleaning.fetch(FetchDescriptor<Author>()) {
        for book in author.books { book.author = nil }
        cleaning.delete(author)
      }
      try cleaning.save()
      if !hasFailed { break }
      call += 1
    }
    #expect(call > 0)
  }

  @Test("The main context keeps notices that it could not read, and merges them at another context's next save")
  @MainActor
  func failingMainContext() async throws {
    let faults = CallFailures()
    let shelf = try Shelf(inMemory: false, faults)
    try shelf.add(1)
    let main = shelf.container.mainContext
    let books = try main.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    let writing = ModelContext(shelf.container)
    let others = try writing.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    others[0].pages = 50
    try writing.save()
    faults.failAll(with: .interrupted)
    await MainReader.turn()
    #expect(faults.stop() > 0)
    #expect(books.map(\.pages) == [0, 1])
    #expect(main.graph.inbox.waiting.keyCount == 1)
    others[1].pages = 60
    try writing.save()
    await MainReader.turn()
    #expect(books.map(\.pages) == [50, 60])
    #expect(main.graph.inbox.waiting.isEmpty)
  }
}

extension ChangeInbox {
  /// The waiting changes, which stay in the inbox.
  fileprivate var waiting: Changes {
    let changes = take()
    putBack(changes)
    return changes
  }
}

extension ChangeInbox.Changes {
  fileprivate var keyCount: Int {
    entities.values.reduce(0) { $0 + $1.updated.count + $1.deleted.count }
  }
}

/// The main context and the only book, on the main actor.
@MainActor
private final class MainReader {
  private let context: ModelContext
  private let book: Book

  init(_ container: ModelContainer) throws {
    context = container.mainContext
    book = try context.only(Book.self)
  }

  var pages: Int { book.pages }
  var waitingKeyCount: Int { context.graph.inbox.waiting.keyCount }

  /// Blocks the main queue while another thread runs a body.
  func blockWhile(_ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try body() } catch { failure.withLock { $0 = error } }
      isDone.signal()
    }
    isDone.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Lets the main queue run its waiting jobs.
  nonisolated static func turn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
}

@ModelActor
private actor ShelfActor {
  func turnPages(of identifier: PersistentIdentifier, through last: Int) throws {
    guard let book = self[identifier, as: Book.self] else { throw NotOne(count: 0) }
    for number in 1...last {
      book.pages = number
      try modelContext.save()
    }
  }

  func pages(of identifier: PersistentIdentifier) throws -> Int? {
    self[identifier, as: Book.self]?.pages
  }
}
