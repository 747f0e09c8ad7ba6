import Dispatch
import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Executors over a shared context", .serialized)
struct ExecutorTests {
  private static let steps = 20_000

  private let container: ModelContainer
  private let book: PersistentIdentifier

  init() throws {
    container = try makeLibrary()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "t")
    context.insert(book)
    try context.save()
    self.book = book.persistentModelID
  }

  @MainActor
  private func mainMeter(autosaves: Bool = false) -> Meter {
    container.mainContext.autosaveEnabled = autosaves
    return Meter(over: container)
  }

  @MainActor
  private func countOnMain(_ steps: Int) async throws {
    let book = try #require(container.mainContext.model(for: book) as? Book)
    for step in 0..<steps {
      book.pages += 1
      if step.isMultiple(of: 20) { await Task.yield() }
    }
  }

  @Test("An actor over the main context and the main actor lose none of each other's changes")
  func mainContext() async throws {
    let meter = await mainMeter()
    async let main: Void = countOnMain(Self.steps)
    async let other: Void = meter.count(book, Self.steps)
    try await main
    try await other
    #expect(try await meter.pages(of: book) == 2 * Self.steps)
    try await meter.save()
    #expect(try container.freshContext().only(Book.self).pages == 2 * Self.steps)
  }

  @Test("Several actors over the main context lose no change while it autosaves")
  func autosaving() async throws {
    let meter = await mainMeter(autosaves: true)
    let handwritten = await HandwrittenMeter(container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await countOnMain(500) }
      group.addTask { try await meter.count(book, 500) }
      group.addTask { try await handwritten.count(book, 500) }
      group.addTask { for _ in 0..<500 { try await meter.step(book) } }
      try await group.waitForAll()
    }
    #expect(try await handwritten.pages(of: book) == 2000)
    try await meter.save()
    #expect(try container.freshContext().only(Book.self).pages == 2000)
  }

  @Test("An actor over the main context and the main actor share their isolation")
  @MainActor
  func isolation() async throws {
    let meter = mainMeter()
    let other = HandwrittenMeter(container)
    try stepAssumingIsolation(meter, other)
    #expect((container.mainContext.model(for: book) as? Book)?.pages == 2)
    #expect(try await meter.pagesOnMainActor(of: book) == 2)
    #expect(await meter.isOnMainQueue())
    #expect(meter.modelExecutor.modelContext === container.mainContext)
  }

  @MainActor
  private func stepAssumingIsolation(_ meter: Meter, _ other: HandwrittenMeter) throws {
    let identifier = book
    meter.preconditionIsolated()
    meter.assertIsolated()
    try meter.assumeIsolated { try $0.step(identifier) }
    try other.assumeIsolated { try $0.step(identifier) }
  }

  @Test("Only the main actor is isolated to an actor over the main context")
  func isolationElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let container = try makeLibrary()
      let meter = await Meter(over: container)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        meter.assumeIsolated { _ in }
        isDone.signal()
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          isDone.wait()
          continuation.resume()
        }
      }
    }
  }

  @Test("Two executors over one context do not run their actors concurrently")
  func twoExecutors() async throws {
    let context = ModelContext(container)
    let first = DefaultSerialModelExecutor(modelContext: context)
    let second = DefaultSerialModelExecutor(modelContext: context)
    let meters = [Meter(container, first), Meter(container, second)]
    let (book, steps) = (book, Self.steps)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for meter in meters { group.addTask { try await meter.count(book, steps) } }
      try await group.waitForAll()
    }
    #expect(try await meters[0].pages(of: book) == 2 * Self.steps)
    try await meters[1].save()
    #expect(try container.freshContext().only(Book.self).pages == 2 * Self.steps)
  }

  @Test("Two actors over one executor do not run concurrently, in any order of their jobs")
  func oneExecutor() async throws {
    let executor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
    let meters = [Meter(container, executor), Meter(container, executor)]
    let book = book
    try await withThrowingTaskGroup(of: Void.self) { group in
      for meter in meters {
        for _ in 0..<2 { group.addTask { for _ in 0..<1000 { try await meter.step(book) } } }
      }
      try await group.waitForAll()
    }
    #expect(try await meters[1].pages(of: book) == 4000)
    #expect(await meters[0].isOnMainQueue() == false)
    #expect(await meters[0].checksItself())
  }
}

/// A handwritten model actor over a given context.
private actor Meter: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  init(_ container: ModelContainer, _ executor: DefaultSerialModelExecutor) {
    modelContainer = container
    modelExecutor = executor
  }

  @MainActor
  init(over container: ModelContainer) {
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: container.mainContext)
  }

  func step(_ identifier: PersistentIdentifier) throws {
    guard let book = self[identifier, as: Book.self] else { throw NotOne(count: 0) }
    book.pages += 1
  }

  func count(_ identifier: PersistentIdentifier, _ steps: Int) async throws {
    guard let book = self[identifier, as: Book.self] else { throw NotOne(count: 0) }
    for step in 0..<steps {
      book.pages += 1
      if step.isMultiple(of: 20) { await Task.yield() }
    }
  }

  func pages(of identifier: PersistentIdentifier) throws -> Int? {
    self[identifier, as: Book.self]?.pages
  }

  func pagesOnMainActor(of identifier: PersistentIdentifier) throws -> Int? {
    let container = modelContainer
    return MainActor.assumeIsolated { (container.mainContext.model(for: identifier) as? Book)?.pages }
  }

  func isOnMainQueue() -> Bool {
    MainQueue.isCurrent
  }

  nonisolated private func assume() -> Bool {
    assumeIsolated { _ in true }
  }

  func checksItself() -> Bool {
    preconditionIsolated()
    return assume()
  }

  func save() throws {
    try modelContext.save()
  }
}

/// An actor that is no model actor, and gives its jobs to a model executor.
private actor HandwrittenMeter {
  private let executor: DefaultSerialModelExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  @MainActor
  init(_ container: ModelContainer) {
    executor = DefaultSerialModelExecutor(modelContext: container.mainContext)
  }

  func step(_ identifier: PersistentIdentifier) throws {
    guard let book = executor.modelContext.model(for: identifier) as? Book else { throw NotOne(count: 0) }
    book.pages += 1
  }

  func count(_ identifier: PersistentIdentifier, _ steps: Int) async throws {
    for _ in 0..<steps {
      try step(identifier)
      await Task.yield()
    }
  }

  func pages(of identifier: PersistentIdentifier) throws -> Int? {
    (executor.modelContext.model(for: identifier) as? Book)?.pages
  }
}
