#if OpenCombine
  import Dispatch
  import Foundation
  import Support
  import SwiftData
  import Testing

  @testable import TestSupport

  /// In builds with the trait of that name: `swift test --traits OpenCombine --filter CombineNotification`.
  @Suite("Notifications by Combine's publishers")
  struct CombineNotificationTests {
    private let container: ModelContainer

    init() throws {
      container = try makeLibrary()
    }

    @Test("The publisher of Apple's sample has what a context posts, nothing of others, and nothing when cancelled")
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

    @Test("Operators and collections of subscriptions are there with SwiftData alone")
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

    @Test("A queue can be the scheduler that receives")
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
