import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("The order of change notifications")
struct NotificationOrderTests {
  private func makeLibrary(at url: URL?) throws -> ModelContainer {
    let configuration = url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    return try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
  }

  @Test("Contexts are notified of several threads' commits in commit order", arguments: [false, true])
  func severalThreads(isInMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let container = try makeLibrary(at: isInMemory ? nil : folder.file())
    let context = ModelContext(container)
    let author = Author(name: "A")
    context.insert(author)
    try context.save()
    let identifier = author.persistentModelID
    // No context merges until the end, so the inbox has the members in the order of the notifications.
    let inbox = ChangeInbox()
    container.core.attach(inbox)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let context = ModelContext(container)
      for number in 0..<50 {
        #expect(throws: Never.self) {
          let author = try #require(context.model(for: identifier) as? Author)
          author.books.append(Book(isbn: "\(thread).\(number)", title: ""))
          try context.save()
        }
      }
    }
    // Keys are assigned in the order of the commits.
    let change = try #require(inbox.take().lists?.values.first)
    let keys = try #require(change.added).map(\.key)
    #expect(keys.count == 200)
    #expect(keys == keys.sorted())
    let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Author>()).first)
    #expect(stored.books.map { $0.persistentModelID.id.key } == keys)
  }

  /// Tries to save on another thread while contexts are notified of the first commit, and times out.
  private final class SecondWriter: CommitObserver {
    private let container: ModelContainer
    private let hasBegun = Mutex(false)
    let isCommitted = DispatchSemaphore(value: 0)
    let hasCommittedMeanwhile = Mutex(false)

    init(_ container: ModelContainer) {
      self.container = container
    }

    func recordCommit() {
      let isSecond = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return hasBegun
      }
      if isSecond { return }
      Thread.detachNewThread { [self] in
        let context = ModelContext(container)
        context.insert(Book(isbn: "second", title: ""))
        #expect(throws: Never.self) { try context.save() }
        isCommitted.signal()
      }
      guard isCommitted.wait(timeout: .now() + 0.1) == .success else { return }
      hasCommittedMeanwhile.withLock { $0 = true }
      isCommitted.signal()
    }
  }

  @Test("No thread commits while contexts are notified of a commit", arguments: [false, true])
  func exclusiveNotification(isInMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let container = try makeLibrary(at: isInMemory ? nil : folder.file())
    let writer = SecondWriter(container)
    container.core.attach(writer)
    let context = ModelContext(container)
    context.insert(Book(isbn: "first", title: ""))
    try context.save()
    #expect(writer.isCommitted.wait(timeout: .now() + 30) == .success)
    #expect(!writer.hasCommittedMeanwhile.withLock { $0 })
    #expect(
      try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])).map(\.isbn) == ["first", "second"])
  }

  @Test("A context reads a list again when another context's commit to it precedes its own")
  func ownCommitAfterGrowth() throws {
    let container = try makeLibrary(at: nil)
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    let author = Author(name: "A")
    mine.insert(author)
    author.books.append(Book(isbn: "a", title: ""))
    try mine.save()
    let other = try theirs.only(Author.self)
    other.books.append(Book(isbn: "theirs", title: ""))
    author.books.append(Book(isbn: "mine", title: ""))
    try mine.save(interruptedBy: theirs)
    let stored = try container.freshContext().only(Author.self).books.map(\.isbn)
    #expect(stored == ["a", "theirs", "mine"])
    for context in [mine, theirs] { context.processPendingChanges() }
    for list in [author, other] { #expect(list.books.map(\.isbn) == stored) }
  }
}
