import Dispatch
import Foundation
import Observation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Changes that other containers commit to the file")
struct HistoryFollowingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ retention: ModelConfiguration.HistoryRetention = .unlimited) throws -> ModelContainer {
    var options = ModelConfiguration.StoreOptions()
    options.history = retention
    var configuration = ModelConfiguration(url: folder.file())
    configuration.options = options
    return try ModelContainer(for: LoggedTrip.self, configurations: configuration)
  }

  /// An inbox like that of a context, to check what arrives.
  private func inbox(of container: ModelContainer) -> ChangeInbox {
    let inbox = ChangeInbox()
    container.core.attach(inbox)
    return inbox
  }

  private func ordinal(of name: String, in container: ModelContainer) throws -> Int {
    try #require(container.schema.entities.firstIndex { $0.name == name })
  }

  private final class CommitCount: CommitObserver {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func recordCommit() { state.withLock { $0 += 1 } }
  }

  // MARK: Change notifications

  @Test("Another container's save arrives with its rows and properties")
  func otherContainer() async throws {
    let (mine, other) = (try open(), try open())
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    let inbox = inbox(of: mine)
    let context = ModelContext(other)
    let (first, second) = (LoggedTrip("a"), LoggedTrip("b"))
    context.insert(first)
    context.insert(second)
    try context.save()
    let haveCome = await comesTrue { inbox.take().entities[trips]?.hasInsertionsOrDeletions == true }
    #expect(haveCome)
    first.days = 3
    context.delete(second)
    try context.save()
    var all: [ChangeInbox.EntityChanges] = []
    let hasCome = await comesTrue {
      if let changes = inbox.take().entities[trips] { all.append(changes) }
      return !all.isEmpty
    }
    #expect(hasCome)
    let properties = ModelRuntime.of(LoggedTrip.self)
    let days = try #require(properties.property(named: "days"))
    let key = try #require(Int64(first.persistentModelID.primaryKey.dropFirst()))
    #expect(all.first?.updated == [key])
    #expect(all.first?.deleted.count == 1)
    #expect(all.first?.properties == _ModelState.bit(days.index))
  }

  @Test("Another process's save arrives")
  func otherProcess() async throws {
    let mine = try open()
    let context = ModelContext(mine)
    context.insert(LoggedTrip("a"))
    try context.save()
    let inbox = inbox(of: mine)
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try LoggedTrip.lengthen(at: path)
    }
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    let hasCome = await comesTrue { inbox.take().entities[trips]?.updated.count == 1 }
    #expect(hasCome)
  }

  @Test("A model in memory has the new value without a fetch")
  func liveModel() async throws {
    let (mine, other) = (try open(), try open())
    let (near, far) = (ModelContext(mine), ModelContext(other))
    near.insert(LoggedTrip("a"))
    try near.save()
    let trip = try #require(try near.fetch(FetchDescriptor<LoggedTrip>()).first)
    let same = try #require(try far.fetch(FetchDescriptor<LoggedTrip>()).first)
    same.days = 12
    try far.save()
    let hasCome = await comesTrue {
      near.graph.attemptToProcessInbox()
      return trip.days == 12
    }
    #expect(hasCome)
  }

  @Test("A container's own saves notify once")
  func ownSaves() async throws {
    let container = try open()
    let commits = CommitCount()
    container.core.attach(commits)
    let context = ModelContext(container)
    for number in 0..<50 {
      context.insert(LoggedTrip("\(number)"))
      try context.save()
    }
    let hasCaughtUp = try await container.hasCaughtUp()
    #expect(hasCaughtUp)
    #expect(commits.count == 50)
  }

  @Test("No commit is missed or notified twice when commits are faster than reads")
  func fastCommits() async throws {
    let (mine, other) = (try open(), try open())
    let commits = CommitCount()
    mine.core.attach(commits)
    let inbox = inbox(of: mine)
    let count = 400
    await withTaskGroup { group in
      for writer in 0..<2 {
        group.addTask {
          let context = ModelContext(other)
          for number in 0..<count {
            context.insert(LoggedTrip("\(writer) \(number)"))
            try? context.save()
          }
        }
      }
    }
    let hasCaughtUp = try await mine.hasCaughtUp()
    #expect(hasCaughtUp)
    #expect(commits.count == 2 * count)
    // The next read of the history does not repeat any of them.
    let context = ModelContext(other)
    context.insert(LoggedTrip("last"))
    try context.save()
    let hasCaughtUpAgain = try await mine.hasCaughtUp()
    #expect(hasCaughtUpAgain)
    #expect(commits.count == 2 * count + 1)
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    #expect(inbox.take().entities[trips]?.hasInsertionsOrDeletions == true)
  }

  @Test("When unread transactions were deleted, everything counts as changed")
  func trimmed() async throws {
    let mine = try open()
    let inbox = inbox(of: mine)
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    // The callback of the first transaction takes long, so that the next ones are read together.
    let store = try #require(mine.stores[0] as? RelationalStore)
    store.stopFollowing()
    let isPosted = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    store.follow { notice in
      inbox.post(notice)
      let isThisFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isThisFirst else { return }
      isPosted.signal()
      mayGoOn.wait()
    }
    let other = ModelContext(try open())
    other.insert(LoggedTrip("first"))
    try other.save()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isPosted.wait()
        continuation.resume()
      }
    }
    _ = inbox.take()
    for number in 0..<20 {
      other.insert(LoggedTrip("\(number)"))
      try other.save()
    }
    try other.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    mayGoOn.signal()
    let hasCome = await comesTrue { inbox.take().entities[trips]?.isInvalidated == true }
    #expect(hasCome)
  }

  @Test("A damaged history record counts as a change of everything")
  func damaged() async throws {
    let mine = try open()
    let inbox = inbox(of: mine)
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    let other = ModelContext(try open())
    other.insert(LoggedTrip("a"))
    try other.save()
    let hasCome = await comesTrue { inbox.take().entities[trips]?.hasInsertionsOrDeletions == true }
    #expect(hasCome)
    try StoreFiles.execute(
      """
      INSERT INTO swiftdata_history SELECT max(_id) + 1, at, author, process, bundle, x'0101' FROM swiftdata_history
      """, at: folder.file())
    let hasComeLater = await comesTrue { inbox.take().entities[trips]?.isInvalidated == true }
    #expect(hasComeLater)
  }

  @Test("A closed container is not notified, and a released one leaves no watcher")
  func closed() async throws {
    let (other, witness) = (ModelContext(try open()), try open())
    var mine: ModelContainer? = try open()
    let commits = CommitCount()
    mine?.core.attach(commits)
    weak let store = mine?.stores[0] as? RelationalStore
    let follower = try #require(store?.follower)
    try mine?.close()
    other.insert(LoggedTrip("a"))
    try other.save()
    let hasCaughtUp = try await witness.hasCaughtUp()
    #expect(hasCaughtUp)
    // The callback of the file watcher would do this.
    follower.advance { _, _ in
      Issue.record("A closed store is read.")
      return .nothing
    }
    #expect(commits.count == 0)
    mine = nil
    #expect(await isGone(store))
  }

  @Test("A follower sees each transaction of four writing processes once and in order")
  func fourProcesses() async throws {
    let mine = try open()
    let inbox = inbox(of: mine)
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    func child(_ number: Int) async {
      await #expect(processExitsWith: .success) { [path = folder.file().path as String, number = number as Int] in
        let container = try ModelContainer(
          for: LoggedTrip.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
        let context = ModelContext(container)
        context.author = "\(number)"
        for round in 0..<40 {
          if round % 3 == 2, let trip = try context.fetch(FetchDescriptor<LoggedTrip>()).randomElement() {
            trip.days += 1
          } else if round % 7 == 6, let trip = try context.fetch(FetchDescriptor<LoggedTrip>()).randomElement() {
            context.delete(trip)
          } else {
            context.insert(LoggedTrip("\(number) \(round)"))
          }
          do {
            try context.save()
          } catch is SwiftDataError {
            // Another process has deleted what was changed here.
            context.rollback()
          }
        }
      }
    }
    var names: [PersistentIdentifier: String] = [:]
    var last: DefaultHistoryToken?
    var numbers: [Int64] = []
    func follow() throws {
      let context = ModelContext(mine)
      for transaction in try context.logged(after: last) {
        numbers.append(transaction.transactionIdentifier)
        last = transaction.token
        for change in transaction.changes {
          switch change {
          case .insert(let insert): names[insert.changedPersistentIdentifier] = transaction.author
          case .update(let update): #expect(names[update.changedPersistentIdentifier] != nil)
          case .delete(let deletion): #expect(names.removeValue(forKey: deletion.changedPersistentIdentifier) != nil)
          }
        }
      }
    }
    let isOver = Mutex(false)
    async let children: Void = {
      defer { isOver.withLock { $0 = true } }
      async let first: Void = child(1)
      async let second: Void = child(2)
      async let third: Void = child(3)
      async let fourth: Void = child(4)
      _ = await (first, second, third, fourth)
    }()
    var hasNew = false
    while !isOver.withLock({ $0 }) {
      _ = await comesTrue {
        let isNew = inbox.take().entities[trips] != nil
        hasNew = hasNew || isNew
        return isNew || isOver.withLock { $0 }
      }
      try follow()
    }
    await children
    try follow()
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    let there = try ModelContext(mine).fetchIdentifiers(FetchDescriptor<LoggedTrip>())
    #expect(Set(there) == Set(names.keys) && there.count == names.count)
    let hasCome = await comesTrue { hasNew || inbox.take().entities[trips] != nil }
    #expect(hasCome)
  }

  // MARK: Observers

  @Test("A HistoryObserver counts transactions of its models and authors")
  func observer() async throws {
    let (mine, other) = (try open(), try open())
    let observer = try HistoryObserver(
      observedModels: [LoggedTrip.self], authors: ["app"], modelContainer: mine, isolation: nil)
    // Is notified after `observer`, and counts everything.
    let witness = try HistoryObserver(modelContainer: mine, isolation: nil)
    let context = ModelContext(other)
    context.author = "other"
    context.insert(LoggedTrip("a"))
    try context.save()
    let isCounted = await comesTrue { witness.eventCounter == 1 }
    #expect(isCounted)
    #expect(observer.eventCounter == 0)
    context.author = "app"
    context.insert(LoggedTrip("b"))
    try context.save()
    let hasCome = await comesTrue { observer.eventCounter == 1 }
    #expect(hasCome)
    let own = ModelContext(mine)
    own.author = "app"
    own.insert(LoggedTrip("c"))
    try own.save()
    let hasComeLater = await comesTrue { observer.eventCounter == 2 }
    #expect(hasComeLater)
  }

  @Test("A HistoryObserver sees each of many transactions once")
  func observerOfMany() async throws {
    let container = try open()
    let context = ModelContext(container)
    for number in 0..<200 {
      context.author = number == 190 ? "rare" : "common"
      context.insert(LoggedTrip("\(number)"))
      try context.save()
    }
    let identifier = try #require(container.stores.first?.identifier.string)
    let start = DefaultHistoryToken(store: identifier, number: 0)
    let observer = try HistoryObserver(
      historyTokens: [identifier: start], authors: ["rare"], modelContainer: container, isolation: nil)
    #expect(observer.eventCounter == 1)
    // Is notified after `observer`.
    let witness = try HistoryObserver(authors: ["witnessed"], modelContainer: container, isolation: nil)
    context.author = "common"
    context.insert(LoggedTrip("last"))
    try context.save()
    context.author = "rare"
    context.insert(LoggedTrip("very last"))
    try context.save()
    let hasCounted = await comesTrue { observer.eventCounter == 2 }
    #expect(hasCounted)
    context.author = "witnessed"
    context.insert(LoggedTrip("behind the last"))
    try context.save()
    let isCounted = await comesTrue { witness.eventCounter == 1 }
    #expect(isCounted)
    #expect(observer.eventCounter == 2)
  }

  @Test("A store whose history cannot be read does not affect a HistoryObserver of other stores")
  func observerOfDamaged() throws {
    let (guides, sights) = (folder.file("guides.store"), folder.file("sights.store"))
    let container = try ModelContainer(
      for: Schema([LoggedGuide.self, LoggedSight.self]),
      configurations: [
        ModelConfiguration("guides", schema: Schema([LoggedGuide.self]), url: guides),
        ModelConfiguration("sights", schema: Schema([LoggedSight.self]), url: sights),
      ])
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    let damaged = try #require(container.stores.compactMap { $0 as? RelationalStore }.last)
    try damaged.database.write { connection in
      try connection.execute("ALTER TABLE swiftdata_history RENAME TO hidden")
    }
    let context = ModelContext(container)
    context.insert(LoggedGuide("a"))
    try context.save()
    // Blocks the thread: with retries at growing intervals, the observer would give up if other tasks ran for long.
    #expect(comesTrueHere { observer.eventCounter == 1 })
    // The observer retries soon, without a commit.
    try damaged.database.write { connection in
      try connection.execute("ALTER TABLE hidden RENAME TO swiftdata_history")
      try connection.execute(
        """
        INSERT INTO swiftdata_history SELECT 1000000000000000, 0, author, process, bundle, changes FROM
        (SELECT 'x' AS author, 'y' AS process, 'z' AS bundle, x'01000000000000000000' AS changes)
        """)
    }
    #expect(comesTrueHere { observer.eventCounter == 2 })
  }

  @Test("A follower that cannot read retries soon")
  func retries() async throws {
    let file = folder.file("watched")
    try Data().write(to: file)
    let signal = FileChangeSignal(ModelConfiguration(url: file))
    let follower = StoreFollower()
    let calls = Mutex(0)
    let attempts = Mutex(0)
    try follower.start(signal, last: { 7 }, { _ in calls.withLock { $0 += 1 } }, {})
    follower.advance { progress, notices in
      #expect(progress.last == 7)
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt < 3 { throw DatabaseError(reason: .busy, message: "later") }
      notices.append(ChangeNotice())
      return .nothing
    }
    let isPosted = await comesTrue { calls.withLock { $0 == 1 } }
    #expect(isPosted)
    #expect(attempts.withLock { $0 } == 3)
    follower.stop()
  }

  @Test("Replacing the file counts as one change of everything")
  func replaced() async throws {
    let log = StatementLog()
    let mine = try log.observe { try open() }
    let inbox = inbox(of: mine)
    let trips = try ordinal(of: "LoggedTrip", in: mine)
    let file = try #require(mine.configurations.first?.url)
    let elsewhere = folder.file("elsewhere.store")
    try FileManager.default.copyItem(at: file, to: elsewhere)
    _ = inbox.take()
    #expect(rename(elsewhere.path, file.path) == 0)
    let hasCome = await comesTrue { inbox.take().entities[trips]?.isInvalidated == true }
    #expect(hasCome)
    // The path now has another file, which the container reads nevertheless.
    let queryCount = log.statements(of: "SELECT").count
    try Data("other".utf8).write(to: file)
    let isLooking = await comesTrue { log.statements(of: "SELECT").count > queryCount }
    #expect(isLooking)
    // Waits until the read is done.
    try #require(mine.stores[0] as? RelationalStore).follower.advance { _, _ in .nothing }
    #expect(inbox.take().entities[trips] == nil)
  }

  @Test("A HistoryObserver with a token counts the later transactions at once")
  func observerWithToken() throws {
    let container = try open()
    let context = ModelContext(container)
    context.insert(LoggedTrip("a"))
    try context.save()
    let token = try #require(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    let tokens = [token.storeIdentifier: token]
    let none = try HistoryObserver(historyTokens: tokens, modelContainer: container, isolation: nil)
    #expect(none.eventCounter == 0)
    context.insert(LoggedTrip("b"))
    try context.save()
    let one = try HistoryObserver(historyTokens: tokens, modelContainer: container, isolation: nil)
    #expect(one.eventCounter == 1)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try HistoryObserver(historyTokens: tokens, modelContainer: container, isolation: nil)
    }
  }

  @Test("A HistoryObserver changes on the actor that made it, and is observable")
  @MainActor func observerOnMainActor() async throws {
    let container = try open()
    let observer = try HistoryObserver(modelContainer: container)
    // Code on the main actor runs on this queue, on any thread.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let isOnMain = Mutex<Bool?>(nil)
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: {
      isOnMain.withLock { $0 = DispatchQueue.getSpecific(key: key) ?? false }
    }
    let context = ModelContext(container)
    context.insert(LoggedTrip("a"))
    try context.save()
    let hasCome = await comesTrue { observer.eventCounter == 1 }
    #expect(hasCome)
    #expect(isOnMain.withLock { $0 } == true)
  }

  @Test("A HistoryObserver of a store without a history throws")
  func nothingToObserve() throws {
    let container = try open(.none)
    #expect(throws: DataStoreError.unsupportedFeature) {
      try HistoryObserver(modelContainer: container, isolation: nil)
    }
  }
}
