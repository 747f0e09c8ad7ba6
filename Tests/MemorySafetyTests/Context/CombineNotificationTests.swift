#if OpenCombine
  import Dispatch
  import Foundation
  import Support
  import SwiftData
  import Testing

  @testable import TestSupport

  /// Runs in builds with the trait OpenCombine: `swift test --traits OpenCombine --filter CombineNotification`.
  @Suite("Combine publishers of context notifications")
  struct CombineNotificationTests {
    private let container: ModelContainer

    init() throws {
      container = try makeLibrary()
    }

    @Test("A publisher delivers the notifications of its context only, and none after cancellation")
    func publisher() throws {
      let (context, other) = (container.freshContext(), container.freshContext())
      var names: [Notification.Name] = []
      let subscription = NotificationCenter.default.publisher(for: ModelContext.willSave, object: context)
        .sink { names.append($0.name) }
      for changed in [context, other] {
        changed.insert(Tag("a"))
        try changed.save()
      }
      #expect(names == [ModelContext.willSave])
      subscription.cancel()
      context.insert(Tag("b"))
      try context.save()
      #expect(names.count == 1)
    }

    @Test("Combine operators and collections of subscriptions are available with only SwiftData imported")
    func operators() throws {
      let context = container.freshContext()
      var counts: [Int] = []
      var subscriptions: Set<AnyCancellable> = []
      NotificationCenter.default.publisher(for: ModelContext.didSave, object: context)
        .compactMap { $0.userInfo?[ModelContext.NotificationKey.insertedIdentifiers] as? [PersistentIdentifier] }
        .map(\.count)
        .filter { $0 > 0 }
        .sink { counts.append($0) }
        .store(in: &subscriptions)
      for word in ["a", "b"] { context.insert(Tag(word)) }
      try context.save()
      for tag in try context.fetch(FetchDescriptor<Tag>()) { tag.word += "!" }
      try context.save()
      #expect(counts == [2])
      subscriptions = []
      context.insert(Tag("c"))
      try context.save()
      #expect(counts == [2])
    }

    @Test("A dispatch queue can be the scheduler of a publisher")
    func scheduler() async throws {
      let context = container.freshContext()
      let isOnMainQueue = Mutex<[Bool]>([])
      let subscription = NotificationCenter.default.publisher(for: ModelContext.didSave, object: context)
        .map(\.name)
        .receive(on: DispatchQueue.main)
        .sink { _ in isOnMainQueue.withLock { $0.append(MainQueue.isCurrent) } }
      context.insert(Tag("a"))
      try context.save()
      await MainQueue.turn()
      #expect(isOnMainQueue.withLock { $0 } == [true])
      subscription.cancel()
    }
  }
#endif
