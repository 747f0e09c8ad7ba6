import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Batch updates without matching rows")
struct EmptyUpdateTests {
  private typealias Article = Bulk.Article

  private final class CommitCount: CommitObserver {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func recordCommit() { state.withLock { $0 += 1 } }
  }

  @Test("A batch update without matching rows sends no change notification and has no history transaction")
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
    #expect(store.hasAnnouncedCommits)

    #expect(try context.update(Article.self) { $0.set(\.title, to: "new") } == 1)
    #expect(announced.withLock { $0 } == 1)
    #expect(commits.count == 1)
    #expect(try context.logged().count == 2)
    #expect(store.hasAnnouncedCommits)
    let changes = inbox.take()
    #expect(changes.entities.values.map { $0.updated.count } == [1])
    #expect(changes.lists?.isEmpty == true)
  }
}
