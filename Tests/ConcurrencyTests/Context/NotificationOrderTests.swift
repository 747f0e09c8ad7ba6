import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("The order in which contexts are notified of commits")
struct NotificationOrderTests {
  private typealias Article = Bulk.Article
  private typealias Shelf = Bulk.Shelf

  @Test("Contexts are notified of the commits of several threads in their order", arguments: [false, true])
  func severalThreads(isInMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let container = isInMemory ? try Bulk.makeContainer() : try Bulk.makeContainer(at: folder.file())
    let context = ModelContext(container)
    let shelf = Shelf(1)
    context.insert(shelf)
    try context.save()
    let identifier = shelf.persistentModelID
    // Nobody looks until the end, so that the inbox has the members in the order of the notifications.
    let inbox = ChangeInbox()
    container.core.attach(inbox)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let context = ModelContext(container)
      for number in 0..<50 {
        #expect(throws: Never.self) {
          let shelf = try #require(context.model(for: identifier) as? Shelf)
          shelf.articles.append(Article("\(thread).\(number)", count: number))
          try context.save()
        }
      }
    }
    // Keys are given out in the order of the commits.
    let change = try #require(inbox.take().lists?.values.first)
    let keys = try #require(change.added).map(\.key)
    #expect(keys.count == 200)
    #expect(keys == keys.sorted())
    let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Shelf>()).first)
    #expect(stored.articles.map { $0.persistentModelID.id.key } == keys)
  }

  /// Saves on another thread while contexts are notified of the first commit, and waits for that in vain.
  private final class SecondWriter: CommitObserver {
    private let container: ModelContainer
    private let hasBegun = Mutex(false)
    let isCommitted = DispatchSemaphore(value: 0)
    let hasCommittedMeanwhile = Mutex(false)

    init(_ container: ModelContainer) {
      self.container = container
    }

    func noteCommit() {
      let isSecond = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return hasBegun
      }
      if isSecond { return }
      Thread.detachNewThread { [self] in
        let context = ModelContext(container)
        context.insert(Article("second", count: 2))
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
    let container = isInMemory ? try Bulk.makeContainer() : try Bulk.makeContainer(at: folder.file())
    let writer = SecondWriter(container)
    container.core.attach(writer)
    let context = ModelContext(container)
    context.insert(Article("first", count: 1))
    try context.save()
    #expect(writer.isCommitted.wait(timeout: .now() + 30) == .success)
    #expect(!writer.hasCommittedMeanwhile.withLock { $0 })
    #expect(
      try context.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.count)])).map(\.name) == ["first", "second"])
  }

  @Test("A context whose list grew elsewhere before its own commit reads the list again")
  func ownCommitAfterGrowth() throws {
    let container = try Bulk.makeContainer()
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    let shelf = Shelf(1)
    mine.insert(shelf)
    shelf.articles.append(Article("a", count: 0))
    try mine.save()
    let other = try theirs.only(Shelf.self)
    other.articles.append(Article("theirs", count: 1))
    shelf.articles.append(Article("mine", count: 2))
    try mine.save(interruptedBy: theirs)
    let stored = try container.freshContext().only(Shelf.self).articles.map(\.name)
    #expect(stored == ["a", "theirs", "mine"])
    for context in [mine, theirs] { context.processPendingChanges() }
    for list in [shelf, other] { #expect(list.articles.map(\.name) == stored) }
  }
}
