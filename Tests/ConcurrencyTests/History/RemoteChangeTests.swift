import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Notifications of what others commit")
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

  /// The place of a transaction, as an object: it is gone when nobody has to be told of it any more.
  private final class Place: HistoryToken {
    let tokenValue: Int64?

    init(_ number: Int64) {
      tokenValue = number
    }

    static func == (place: Place, other: Place) -> Bool {
      place.tokenValue == other.tokenValue
    }

    static func < (place: Place, other: Place) -> Bool {
      (place.tokenValue ?? 0) < (other.tokenValue ?? 0)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(tokenValue)
    }
  }

  /// What was posted, on whatever thread.
  private final class Heard: Sendable {
    /// The number of a transaction that there is not.
    static let mark: Int64 = -1

    private let told = Mutex<[Int64]>([])

    /// The number of the transaction that each notification names.
    var numbers: [Int64] { told.withLock { $0 } }

    /// - Returns: What is to be removed from the center.
    func listen(
      to container: ModelContainer?, _ body: @escaping @Sendable (ModelContainer) throws -> Void = { _ in }
    ) -> any NSObjectProtocol {
      // Who listens to all hears of containers of other tests, which may have several stores.
      let isOfOne = container != nil
      return NotificationCenter.default.addObserver(
        forName: ModelContainer.remoteChange, object: container, queue: nil
      ) { notification in
        let key = ModelContext.NotificationKey.historyTokens
        let tokens = notification.userInfo?[key] as? [String: any HistoryToken] ?? [:]
        #expect((notification.userInfo?[key.rawValue] as? [String: any HistoryToken])?.count == tokens.count)
        let numbers = tokens.compactMap { store, token in
          (token as? DefaultHistoryToken)?.tokenValue?[store] ?? (token as? Place)?.tokenValue
        }
        if isOfOne { #expect(numbers.count == 1) }
        do {
          try body(#require(notification.object as? ModelContainer))
        } catch {
          Issue.record(error)
        }
        self.told.withLock { $0 += numbers }
      }
    }

    /// Has a container post the mark, and waits for it: what was noted before is posted before.
    ///
    /// - Returns: Whether it came.
    func hearMark(of container: ModelContainer) async -> Bool {
      let (changes, store) = (container.core.remoteChanges, "nowhere")
      changes.record(DefaultHistoryToken(store: store, number: Self.mark), of: store, container.core)
      return await comesTrue { numbers.contains(Self.mark) }
    }
  }

  @Test("What another container saves is told once for each container over the stores, with its place in the history")
  func otherContainer() async throws {
    let (mine, other) = (try open(), try open())
    let containers = [mine, ModelContainer(core: mine.core), other]
    let heard = containers.map { _ in Heard() }
    let tokens = zip(heard, containers).map { $0.listen(to: $1) }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    try add("a", "b", by: other)
    let number = try #require(try other.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { heard[0].numbers == [number] && heard[1].numbers == [number] }
    #expect(hasCome)
    #expect(heard[2].numbers.isEmpty)
    try add("c", by: other)
    let hasComeAgain = await comesTrue { heard[0].numbers == [number, number + 1] }
    #expect(hasComeAgain)
  }

  @Test("What another process saves is told")
  func otherProcess() async throws {
    let mine = try open()
    try add("a", by: mine)
    let heard = Heard()
    let token = heard.listen(to: mine)
    defer { NotificationCenter.default.removeObserver(token) }
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try LoggedTrip.lengthen(at: path)
    }
    let number = try #require(try mine.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { heard.numbers == [number] }
    #expect(hasCome)
  }

  @Test("What is found when a container is closed is not told any more")
  func closed() async throws {
    let mine = try open()
    let heard = Heard()
    let token = heard.listen(to: mine)
    defer { NotificationCenter.default.removeObserver(token) }
    let (store, changes) = (mine.stores[0].identifier.string, mine.core.remoteChanges)
    changes.record(DefaultHistoryToken(store: store, number: 7), of: store, mine.core)
    let hasCome = await comesTrue { heard.numbers == [7] }
    #expect(hasCome)
    try mine.close()
    weak var last: Place?
    do {
      let place = Place(8)
      last = place
      changes.record(place, of: store, mine.core)
    }
    // It is let go of when it was decided whether to post it, and after that.
    #expect(await isGone(last))
    #expect(heard.numbers == [7])
    withExtendedLifetime(mine) {}
  }

  @Test("What the container does itself is not told")
  func ownCommits() async throws {
    let (mine, other) = (try open(), try open())
    let heard = Heard()
    let token = heard.listen(to: mine)
    defer { NotificationCenter.default.removeObserver(token) }
    let context = ModelContext(mine)
    for number in 0..<20 {
      context.insert(LoggedTrip("\(number)"))
      try context.save()
    }
    try context.update(LoggedTrip.self) { $0.set(\.days, to: 4) }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let haveLooked = try await mine.haveLooked()
    #expect(haveLooked)
    try mine.erase()
    try add("later", by: mine)
    let haveLookedLater = try await mine.haveLooked()
    #expect(haveLookedLater)
    let hasMark = await heard.hearMark(of: mine)
    #expect(hasMark)
    #expect(heard.numbers == [Heard.mark])
    try add("foreign", by: other)
    let number = try #require(try mine.logged().last?.transactionIdentifier)
    let hasCome = await comesTrue { heard.numbers == [Heard.mark, number] }
    #expect(hasCome)
  }

  @Test("Erasure by another container is told, and its models are invalidated")
  func foreignErasure() async throws {
    let (mine, other) = (try open(), try open())
    try add("a", by: mine)
    let context = ModelContext(mine)
    let trip = try #require(try context.fetch(FetchDescriptor<LoggedTrip>()).first)
    let identifier = trip.persistentModelID
    let saves = HeardSaves(context)
    let heard = Heard()
    let token = heard.listen(to: mine)
    defer { NotificationCenter.default.removeObserver(token) }
    try other.erase()
    let hasCome = await comesTrue { !heard.numbers.isEmpty }
    #expect(hasCome)
    context.processPendingChanges()
    #expect(saves.identifiers(.invalidatedAllIdentifiers) == [[identifier]])
    #expect(trip.modelContext == nil)
  }

  @Test("A handler can fetch and save with a context of its own, and the contexts of the container were told before")
  func handler() async throws {
    let (mine, other) = (try open(), try open())
    let inbox = ChangeInbox()
    mine.core.attach(inbox)
    let found = Mutex<[Int]>([])
    let heard = Heard()
    let token = heard.listen(to: mine) { container in
      let context = ModelContext(container)
      let count = try context.fetchCount(FetchDescriptor<LoggedTrip>())
      found.withLock { $0.append(count) }
      #expect(!inbox.take().isEmpty)
      context.insert(LoggedTrip("answer"))
      try context.save()
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try add("a", "b", by: other)
    let hasCome = await comesTrue { heard.numbers.count == 1 }
    #expect(hasCome)
    #expect(found.withLock { $0 } == [2])
    // The answer is the container's own. Nothing answers to the mark.
    let later = Heard()
    let laterToken = later.listen(to: mine)
    defer { NotificationCenter.default.removeObserver(laterToken) }
    NotificationCenter.default.removeObserver(token)
    let haveLooked = try await mine.haveLooked()
    #expect(haveLooked)
    let hasMark = await later.hearMark(of: mine)
    #expect(hasMark)
    #expect(later.numbers == [Heard.mark])
    #expect(heard.numbers.count == 1)
    #expect(try ModelContext(other).fetchCount(FetchDescriptor<LoggedTrip>()) == 3)
  }

  @Test("A program that holds nothing but the main context is told as well")
  @MainActor
  func mainContextAlone() async throws {
    let context = try open().mainContext
    let core = context.container.core
    let count = Mutex(0)
    let token = Heard().listen(to: nil) { container in
      if container.core === core { count.withLock { $0 += 1 } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try add("a", by: try open())
    let hasCome = await comesTrue { count.withLock { $0 == 1 } }
    #expect(hasCome)
    #expect(try context.fetchCount(FetchDescriptor<LoggedTrip>()) == 1)
  }
}
