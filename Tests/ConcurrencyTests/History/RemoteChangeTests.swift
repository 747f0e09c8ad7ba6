import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Notifications of remote changes")
struct RemoteChangeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: LoggedTrip.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private func add(_ names: String..., by container: ModelContainer) throws {
    let context = ModelContext(container)
    for name in names { context.insert(LoggedTrip(name)) }
    try context.save()
  }

  /// A transaction's token as an object, which is released when no notification needs it any more.
  private final class TransactionToken: HistoryToken {
    let tokenValue: Int64?

    init(_ number: Int64) {
      tokenValue = number
    }

    static func == (token: TransactionToken, other: TransactionToken) -> Bool {
      token.tokenValue == other.tokenValue
    }

    static func < (token: TransactionToken, other: TransactionToken) -> Bool {
      (token.tokenValue ?? 0) < (other.tokenValue ?? 0)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(tokenValue)
    }
  }

  /// The notifications posted on any thread.
  private final class PostedChanges: Sendable {
    /// The number of a transaction that does not exist.
    static let mark: Int64 = -1

    private let changes = Mutex<[Int64]>([])

    /// The number of the transaction that each notification names.
    var numbers: [Int64] { changes.withLock { $0 } }

    /// - Returns: The observer to remove from the center.
    func observe(
      _ container: ModelContainer?, _ body: @escaping @Sendable (ModelContainer) throws -> Void = { _ in }
    ) -> any NSObjectProtocol {
      // An observer of all containers also sees those of other tests, which may have several stores.
      let isOfOne = container != nil
      return NotificationCenter.default.addObserver(
        forName: ModelContainer.remoteChange, object: container, queue: nil
      ) { notification in
        let key = ModelContext.NotificationKey.historyTokens
        let tokens = notification.userInfo?[key] as? [String: any HistoryToken] ?? [:]
        #expect((notification.userInfo?[key.rawValue] as? [String: any HistoryToken])?.count == tokens.count)
        let numbers = tokens.compactMap { store, token in
          (token as? DefaultHistoryToken)?.tokenValue?[store] ?? (token as? TransactionToken)?.tokenValue
        }
        if isOfOne { #expect(numbers.count == 1) }
        do {
          try body(#require(notification.object as? ModelContainer))
        } catch {
          Issue.record(error)
        }
        self.changes.withLock { $0 += numbers }
      }
    }

    /// Has a container post the mark and waits for it; earlier changes are posted before it.
    ///
    /// - Returns: Whether the mark arrived.
    func awaitMark(of container: ModelContainer) async -> Bool {
      let (changes, store) = (container.core.remoteChanges, "nowhere")
      changes.record(DefaultHistoryToken(store: store, number: Self.mark), of: store, container.core)
      return await comesTrue { numbers.contains(Self.mark) }
    }
  }

  @Test("Another container's save is posted once for each container of the store, with its history token")
  func otherContainer() async throws {
    let (mine, other) = (try open(), try open())
    let containers = [mine, ModelContainer(core: mine.core), other]
    let posted = containers.map { _ in PostedChanges() }
    let tokens = zip(posted, containers).map { $0.observe($1) }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    try add("a", "b", by: other)
    let number = try #require(try other.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { posted[0].numbers == [number] && posted[1].numbers == [number] }
    #expect(hasCome)
    #expect(posted[2].numbers.isEmpty)
    try add("c", by: other)
    let hasComeAgain = await comesTrue { posted[0].numbers == [number, number + 1] }
    #expect(hasComeAgain)
  }

  @Test("Another process's save is posted")
  func otherProcess() async throws {
    let mine = try open()
    try add("a", by: mine)
    let posted = PostedChanges()
    let token = posted.observe(mine)
    defer { NotificationCenter.default.removeObserver(token) }
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try LoggedTrip.lengthen(at: path)
    }
    let number = try #require(try mine.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { posted.numbers == [number] }
    #expect(hasCome)
  }

  @Test("After a container is closed no change is posted")
  func closed() async throws {
    let mine = try open()
    let posted = PostedChanges()
    let token = posted.observe(mine)
    defer { NotificationCenter.default.removeObserver(token) }
    let (store, changes) = (mine.stores[0].identifier.string, mine.core.remoteChanges)
    changes.record(DefaultHistoryToken(store: store, number: 7), of: store, mine.core)
    let hasCome = await comesTrue { posted.numbers == [7] }
    #expect(hasCome)
    try mine.close()
    weak var last: TransactionToken?
    do {
      let unposted = TransactionToken(8)
      last = unposted
      changes.record(unposted, of: store, mine.core)
    }
    // The token is released after the decision whether to post it.
    #expect(await isGone(last))
    #expect(posted.numbers == [7])
    withExtendedLifetime(mine) {}
  }

  @Test("A container's own saves are not posted")
  func ownCommits() async throws {
    let (mine, other) = (try open(), try open())
    let posted = PostedChanges()
    let token = posted.observe(mine)
    defer { NotificationCenter.default.removeObserver(token) }
    let context = ModelContext(mine)
    for number in 0..<20 {
      context.insert(LoggedTrip("\(number)"))
      try context.save()
    }
    try context.update(LoggedTrip.self) { $0.set(\.days, to: 4) }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let hasCaughtUp = try await mine.hasCaughtUp()
    #expect(hasCaughtUp)
    try mine.erase()
    try add("later", by: mine)
    let hasCaughtUpLater = try await mine.hasCaughtUp()
    #expect(hasCaughtUpLater)
    let hasMark = await posted.awaitMark(of: mine)
    #expect(hasMark)
    #expect(posted.numbers == [PostedChanges.mark])
    try add("foreign", by: other)
    let number = try #require(try mine.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { posted.numbers == [PostedChanges.mark, number] }
    #expect(hasCome)
  }

  @Test("Erasing the store by another container is posted, and invalidates its models")
  func foreignErasure() async throws {
    let (mine, other) = (try open(), try open())
    try add("a", by: mine)
    let context = ModelContext(mine)
    let trip = try #require(try context.fetch(FetchDescriptor<LoggedTrip>()).first)
    let identifier = trip.persistentModelID
    let saves = PostedSaves(context)
    let posted = PostedChanges()
    let token = posted.observe(mine)
    defer { NotificationCenter.default.removeObserver(token) }
    try other.erase()
    let hasCome = await comesTrue { !posted.numbers.isEmpty }
    #expect(hasCome)
    context.processPendingChanges()
    #expect(saves.identifiers(.invalidatedAllIdentifiers) == [[identifier]])
    #expect(trip.modelContext == nil)
  }

  @Test("A handler can fetch and save with a new context, after the container's contexts were notified")
  func handler() async throws {
    let (mine, other) = (try open(), try open())
    let inbox = ChangeInbox()
    mine.core.attach(inbox)
    let found = Mutex<[Int]>([])
    let posted = PostedChanges()
    let token = posted.observe(mine) { container in
      let context = ModelContext(container)
      let count = try context.fetchCount(FetchDescriptor<LoggedTrip>())
      found.withLock { $0.append(count) }
      #expect(!inbox.take().isEmpty)
      context.insert(LoggedTrip("answer"))
      try context.save()
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try add("a", "b", by: other)
    let hasCome = await comesTrue { posted.numbers.count == 1 }
    #expect(hasCome)
    #expect(found.withLock { $0 } == [2])
    // The handler's save is the container's own. There is no save for the mark.
    let later = PostedChanges()
    let laterToken = later.observe(mine)
    defer { NotificationCenter.default.removeObserver(laterToken) }
    NotificationCenter.default.removeObserver(token)
    let hasCaughtUp = try await mine.hasCaughtUp()
    #expect(hasCaughtUp)
    let hasMark = await later.awaitMark(of: mine)
    #expect(hasMark)
    #expect(later.numbers == [PostedChanges.mark])
    #expect(posted.numbers.count == 1)
    #expect(try ModelContext(other).fetchCount(FetchDescriptor<LoggedTrip>()) == 3)
  }

  @Test("A program that retains only the main context is notified too")
  @MainActor
  func mainContextOnly() async throws {
    let context = try open().mainContext
    let core = context.container.core
    let count = Mutex(0)
    let token = PostedChanges().observe(nil) { container in
      if container.core === core { count.withLock { $0 += 1 } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try add("a", by: try open())
    let hasCome = await comesTrue { count.withLock { $0 == 1 } }
    #expect(hasCome)
    #expect(try context.fetchCount(FetchDescriptor<LoggedTrip>()) == 1)
  }
}
