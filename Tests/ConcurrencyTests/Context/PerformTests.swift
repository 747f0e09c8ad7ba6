import Dispatch
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("ModelContainer.perform", .timeLimit(.minutes(5)))
struct PerformTests {
  @TaskLocal private static var mark = 0

  private let container: ModelContainer

  init() throws {
    container = try makeLibrary()
  }

  private func storedWords() throws -> [String] {
    try container.freshContext().fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)])).map(\.word)
  }

  /// Blocks all threads of a pool until each gets a signal.
  private func occupy(_ pool: ThreadPool, until mayGoOn: DispatchSemaphore) async {
    let crowd = Crowd()
    for _ in 0..<pool.limit { SerialQueue(on: pool).async { crowd.stay { mayGoOn.wait() } } }
    let isFull = await comesTrue { crowd.present == pool.limit }
    #expect(isFull)
  }

  // MARK: The context

  @Test("Saved changes persist, and another closure finds them")
  func saved() async throws {
    let identifier = try await container.perform { context in
      let tag = Tag("a")
      context.insert(tag)
      try context.save()
      return tag.persistentModelID
    }
    let word = try await container.perform { context in (context.model(for: identifier) as? Tag)?.word }
    #expect(word == "a")
    #expect(try storedWords() == ["a"])
  }

  @Test("Unsaved changes are discarded")
  func unsaved() async throws {
    let hadChanges = try await container.perform { context in
      context.insert(Tag("a"))
      return context.hasChanges && !context.autosaveEnabled
    }
    #expect(hadChanges)
    let count = try await container.perform { try $0.fetchCount(FetchDescriptor<Tag>()) }
    #expect(count == 0)
    #expect(try storedWords().isEmpty)
  }

  @Test("The closure's error is thrown, and its unsaved changes are discarded")
  func failing() async throws {
    let task = Task { [container] in
      try await container.perform { context -> Int in
        context.insert(Tag("a"))
        try context.save()
        context.insert(Tag("b"))
        throw NotOne(count: 7)
      }
    }
    let error = await #expect(throws: NotOne.self) { try await task.value }
    #expect(error?.count == 7)
    #expect(try storedWords() == ["a"])
  }

  @Test("The container does not retain the closure's context afterwards")
  func released() async throws {
    final class Reference: @unchecked Sendable {
      // The closure sets it, and the test reads it after the closure has returned.
      weak var graph: ObjectGraph?
    }

    let reference = Reference()
    weak var container: ModelContainer?
    do {
      let made = try makeLibrary()
      container = made
      let isThere = try await made.perform { context in
        reference.graph = context.graph
        let author = Author(name: "a")
        author.books = [Book(isbn: "1", title: "t")]
        context.insert(author)
        try context.save()
        author.name = "b"
        return reference.graph != nil
      }
      #expect(isThere)
    }
    #expect(await isGone(reference.graph))
    #expect(await isGone(container))
  }

  // MARK: Threads

  @Test("The closure runs in the calling task, but not on the main thread or a thread of Swift's pool")
  @MainActor
  func place() async throws {
    #expect(MainQueue.isCurrent)
    let found = try await Self.$mark.withValue(3) {
      try await container.perform { _ in
        [
          MainQueue.isCurrent, CooperativeThread.isCurrent, ThreadPool.isCurrent, withUnsafeCurrentTask { $0 != nil },
          Self.mark == 3,
        ]
      }
    }
    #expect(found == [false, false, true, true, true])
    #expect(MainQueue.isCurrent)
  }

  @Test("At most as many closures run at once as the pool has threads")
  func bound() async throws {
    let pool = ThreadPool(limit: 2)
    let (crowd, mayGoOn) = (Crowd(), DispatchSemaphore(value: 0))
    let container = container
    async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask { try await container.perform(on: pool) { _ in crowd.stay { mayGoOn.wait() } } }
      }
      try await group.waitForAll()
    }
    let isFull = await comesTrue { crowd.present == 2 && pool.waitingCount == 10 }
    #expect(isFull)
    for _ in 0..<12 { mayGoOn.signal() }
    try await all
    #expect(crowd.most == 2)
    #expect(crowd.gone == 12)
  }

  @Test("Waiting calls get threads in the order in which they were made")
  func order() async throws {
    let (pool, mayGoOn) = (ThreadPool(limit: 1), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    final class Order: Sendable { let numbers = Mutex<[Int]>([]) }
    let (order, container) = (Order(), container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          try await container.perform(on: pool) { _ in order.numbers.withLock { $0.append(number) } }
        }
        let isWaiting = await comesTrue { pool.waitingCount == number + 1 }
        #expect(isWaiting)
      }
      mayGoOn.signal()
      try await group.waitForAll()
    }
    #expect(order.numbers.withLock { $0 } == Array(0..<10))
  }

  @Test("Hundreds of tasks with repeated calls finish on two threads")
  func again() async throws {
    let pool = ThreadPool(limit: 2)
    let container = container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          let identifier = try await container.perform(on: pool) { context in
            let tag = Tag("\(number)")
            context.insert(tag)
            try context.save()
            return tag.persistentModelID
          }
          let word = try await container.perform(on: pool) { context in
            (context.model(for: identifier) as? Tag)?.word
          }
          guard word == "\(number)" else { throw NotOne(count: number) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try storedWords().count == 300)
  }

  @Test("Model actors and perform can call each other without a deadlock")
  func actors() async throws {
    let pool = ThreadPool(limit: 1)
    let tags = TagActor(modelContainer: container)
    let container = container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let identifier = try await tags.add("\(number)")
          let word = try await container.perform(on: pool) { context in
            (context.model(for: identifier) as? Tag)?.word
          }
          guard word == "\(number)" else { throw NotOne(count: number) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try storedWords().count == 50)
  }

  // MARK: Cancellation

  @Test("Cancelling a waiting task makes perform throw at once, without running the closure")
  func cancelledWaiting() async throws {
    let (pool, mayGoOn) = (ThreadPool(limit: 1), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    let isRun = Mutex(false)
    let container = container
    let task = Task.detached {
      try await container.perform(on: pool) { _ in isRun.withLock { $0 = true } }
    }
    let isWaiting = await comesTrue { pool.waitingCount == 1 }
    #expect(isWaiting)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    mayGoOn.signal()
    // The next call does not wait for the cancelled one.
    let next = try await container.perform(on: pool) { _ in 5 }
    #expect(next == 5)
    let wasRun = isRun.withLock { $0 }
    #expect(!wasRun)
  }

  @Test("`perform` throws in a cancelled task, without running the closure")
  func cancelledBefore() async throws {
    let (pool, mayGoOn) = (ThreadPool(limit: 1), DispatchSemaphore(value: 0))
    await occupy(pool, until: mayGoOn)
    let isRun = Mutex(false)
    let container = container
    let task = Task.detached {
      withUnsafeCurrentTask { $0?.cancel() }
      try await container.perform(on: pool) { _ in isRun.withLock { $0 = true } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    mayGoOn.signal()
    let wasRun = isRun.withLock { $0 }
    #expect(!wasRun)
  }

  @Test("After cancellation a fetch in the closure throws, and a save still succeeds")
  func cancelledRunning() async throws {
    let hasBegun = Mutex(false)
    let container = container
    let task = Task.detached {
      try await container.perform { context in
        hasBegun.withLock { $0 = true }
        do {
          while true { _ = try context.fetchCount(FetchDescriptor<Tag>()) }
        } catch is CancellationError {
          context.insert(Tag("cancelled"))
          try context.save()
          throw CancellationError()
        }
      }
    }
    let isRunning = await comesTrue { hasBegun.withLock { $0 } }
    #expect(isRunning)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try storedWords() == ["cancelled"])
  }
}
