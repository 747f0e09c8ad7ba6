import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Updates of rows that find none")
struct EmptyUpdateTests {
  private typealias Article = Bulk.Article

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private final class CommitCount: CommitObserver {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func noteCommit() { state.withLock { $0 += 1 } }
  }

  @Test("Nobody is told of them, and the history has nothing of them")
  func silence() throws {
    let container = try Bulk.makeContainer()
    let context = ModelContext(container)
    context.insert(Article("a", count: 1))
    try context.save()
    let (inbox, commits) = (ChangeInbox(), CommitCount())
    let announced = Mutex(0)
    inbox.onPost { announced.withLock { $0 += 1 } }
    container.core.attach(inbox)
    container.core.attach(commits)
    let store = try #require(container.core.stores[0] as? RelationalStore)

    #expect(try context.update(Article.self, where: #Predicate { $0.count > 99 }) { $0.set(\.title, to: "new") } == 0)
    #expect(announced.withLock { $0 } == 0)
    #expect(commits.count == 0)
    #expect(try context.logged().count == 1)
    #expect(!store.commits.hasUntold)

    // Who is told of the next one learns that nothing came before it.
    #expect(try context.update(Article.self) { $0.set(\.title, to: "new") } == 1)
    #expect(announced.withLock { $0 } == 1)
    #expect(commits.count == 1)
    #expect(try context.logged().count == 2)
    #expect(!store.commits.hasUntold)
    let changes = inbox.take()
    #expect(changes.entities.values.map { $0.updated.count } == [1])
    #expect(changes.lists?.isEmpty == true)
  }

  @Test("What a save says of lists is known, though such an update comes before the word of it")
  func overtaking() throws {
    let event = OvertakenDatabase.Event()
    let wrap: @Sendable (any Database) -> any Database = { [event] in OvertakenDatabase($0, event) }
    let container = try DatabaseInterception.$wrap.withValue(wrap) { try Bulk.makeContainer(at: folder.file()) }
    let context = ModelContext(container)
    let shelf = Bulk.Shelf(1)
    context.insert(shelf)
    try context.save()
    let inbox = ChangeInbox()
    container.core.attach(inbox)

    shelf.articles.append(Article("a", count: 1))
    let counts = Mutex<[Int]>([])
    event.set {
      let count = try container.freshContext().update(Bulk.Article.self, where: #Predicate { $0.count > 99 }) {
        $0.set(\.title, to: "new")
      }
      counts.withLock { $0.append(count) }
    }
    try context.save()
    #expect(counts.withLock { $0 } == [0])
    #expect(inbox.take().lists?.count == 1)
  }
}
