import Dispatch
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Hundreds of model actors on one container", .timeLimit(.minutes(5)))
struct ManyActorsTests {
  private static let count = 300

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Author.self, Book.self, Tag.self,
      configurations: ModelConfiguration(
        url: folder.file(), options: ModelConfiguration.StoreOptions(busyTimeout: .seconds(120))))
  }

  private static func words(_ container: ModelContainer) throws -> Set<String> {
    Set(try ModelContext(container).fetch(FetchDescriptor<Tag>()).map(\.word))
  }

  @Test("All actors fetch, insert and save in their own isolation", arguments: [true, false])
  func work(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let container = try inMemory ? makeLibrary() : Self.open(folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Self.count {
        let registrar = Registrar(modelContainer: container)
        group.addTask {
          for part in 0..<3 { try await registrar.register("\(number) \(part)") }
          #expect(await registrar.assumptions == 3)
        }
      }
      try await group.waitForAll()
    }
    #expect(try Self.words(container).count == 3 * Self.count)
  }

  @Test(
    "While all actors wait for a lock few threads exist, and the main actor and Swift's tasks keep running",
    .enabled(if: ThreadCount.isKnown))
  func blocked() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let container = try ManyActorsTests.open(folder)
      let barrier = SavingBarrier(container)
      let isDown = await comesTrue { barrier.isDown }
      #expect(isDown)
      let former = try ThreadCount.current()
      let crowd = Crowd()
      let registrars = (0..<ManyActorsTests.count).map { _ in Registrar(modelContainer: container) }
      async let work: Void = withThrowingTaskGroup(of: Void.self) { group in
        for (number, registrar) in registrars.enumerated() {
          group.addTask { try await registrar.register("\(number)", among: crowd) }
        }
        try await group.waitForAll()
      }
      let limit = ThreadPool.shared.limit
      let isFull = await comesTrue { crowd.present == limit }
      #expect(isFull)
      for _ in 0..<100 {
        #expect(await MainCounter.count(20) == 20)
        let answer = await Task.detached { 1 }.value
        #expect(answer == 1)
      }
      let processors = ProcessInfo.processInfo.activeProcessorCount
      #expect(try ThreadCount.current() <= former + limit + 2 * processors + 8)
      #expect(crowd.gone == 0)
      barrier.lift()
      try await work
      #expect(crowd.most == limit)
      #expect(try ManyActorsTests.words(container).count == ManyActorsTests.count)
    }
  }

  @Test("An actor is released once its queued jobs are done")
  func releasedAfterJobs() async throws {
    let folder = try TemporaryFolder()
    let container = try Self.open(folder)
    let barrier = SavingBarrier(container)
    let isDown = await comesTrue { barrier.isDown }
    #expect(isDown)
    weak var first: Registrar?
    weak var last: Registrar?
    var tasks: [Task<Void, any Error>] = []
    do {
      let registrars = (0..<5).map { _ in Registrar(modelContainer: container) }
      first = registrars.first
      last = registrars.last
      for number in 0..<100 {
        let registrar = registrars[number % 5]
        tasks.append(Task.detached { try await registrar.register("\(number)") })
      }
    }
    barrier.lift()
    for task in tasks { try await task.value }
    tasks = []
    #expect(await isGone(first))
    #expect(await isGone(last))
    #expect(try Self.words(container).count == 100)
  }

  @Test("Code on a plain thread or in another actor is not in an actor's isolation", arguments: [true, false])
  func elsewhere(onActor: Bool) async {
    await #expect(processExitsWith: .failure) { [onActor = onActor as Bool] in
      let container = try makeLibrary()
      let (registrar, other) = (Registrar(modelContainer: container), Registrar(modelContainer: container))
      if onActor {
        await other.assume(registrar)
      } else {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            registrar.assumeIsolated { _ in }
            continuation.resume()
          }
        }
      }
    }
  }

  // MARK: Kinds of actors

  @Test("@ModelActor works on a generic actor")
  func generic() async throws {
    let container = try makeLibrary()
    let tags = Cabinet<Tag>(modelContainer: container)
    _ = try await tags.add { Tag("a") }
    let tagCount = try await tags.add { Tag("b") }
    let authorCount = try await Cabinet<Author>(modelContainer: container).add { Author(name: "a") }
    #expect(tagCount == 2)
    #expect(authorCount == 1)
  }

  @Test("An actor with a custom executor is isolated by it")
  func handwritten() async throws {
    let container = try makeLibrary()
    let shelf = HandwrittenShelf<Tag>(container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 { group.addTask { try await shelf.add { Tag("\(number)") } } }
      try await group.waitForAll()
    }
    #expect(try await shelf.count() == 50)
    #expect(try Self.words(container).count == 50)
    #expect(await shelf.isOnOwnExecutor())
  }

  @Test("Actors inherit a protocol's default methods, and run them in their isolation")
  func inherited() async throws {
    let container = try makeLibrary()
    let archive = Archive(modelContainer: container)
    let shelf = HandwrittenShelf<Tag>(container)
    let keepers: [any WordKeeper] = [archive, shelf]
    for (number, keeper) in keepers.enumerated() { try await keeper.keep("\(number)") }
    #expect(try Self.words(container) == ["0", "1"])
    #expect(await archive.keptCount == 1)
  }
}

@MainActor
private enum MainCounter {
  /// Counts, and suspends in between.
  static func count(_ times: Int) async -> Int {
    var count = 0
    for _ in 0..<times {
      count += 1
      await Task.yield()
    }
    return count
  }
}

@ModelActor
private actor Registrar {
  /// How often nonisolated code could assume the isolation.
  private(set) var assumptions = 0

  func register(_ word: String) throws {
    preconditionIsolated()
    assertIsolated()
    noteAssumption()
    let isWord = #Predicate<Tag> { $0.word == word }
    guard try modelContext.fetchCount(FetchDescriptor(predicate: isWord)) == 0 else { throw NotOne(count: 2) }
    modelContext.insert(Tag(word))
    try modelContext.save()
  }

  func register(_ word: String, among crowd: Crowd) throws {
    try crowd.stay { try register(word) }
  }

  nonisolated private func noteAssumption() {
    assumeIsolated { $0.assumptions += 1 }
  }

  func assume(_ other: Registrar) {
    other.noteAssumption()
  }
}

@ModelActor
private actor Cabinet<Item: PersistentModel> {
  /// - Returns: The number of items afterwards.
  func add(_ make: @Sendable () -> Item) throws -> Int {
    modelContext.insert(make())
    try modelContext.save()
    return try modelContext.fetchCount(FetchDescriptor<Item>())
  }
}

private protocol WordKeeper: ModelActor {
  var keptCount: Int { get set }
}

extension WordKeeper {
  func keep(_ word: String) throws {
    preconditionIsolated()
    modelContext.insert(Tag(word))
    try modelContext.save()
    keptCount += 1
  }
}

@ModelActor
private actor Archive: WordKeeper {
  var keptCount = 0
}

/// An executor as a program may write it.
///
/// `@unchecked Sendable` because only the queue uses the context after the initializer.
private final class QueueExecutor: SerialModelExecutor, @unchecked Sendable {
  let modelContext: ModelContext
  private let queue = DispatchQueue(label: "QueueExecutor")

  init(_ modelContext: ModelContext) {
    self.modelContext = modelContext
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

private actor HandwrittenShelf<Item: PersistentModel>: WordKeeper {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor
  var keptCount = 0

  init(_ container: ModelContainer) {
    modelContainer = container
    modelExecutor = QueueExecutor(ModelContext(container))
  }

  func add(_ make: @Sendable () -> Item) throws {
    modelContext.insert(make())
    try modelContext.save()
  }

  func count() throws -> Int {
    try modelContext.fetchCount(FetchDescriptor<Item>())
  }

  func isOnOwnExecutor() -> Bool {
    preconditionIsolated()
    return !ThreadPool.isCurrent && !MainQueue.isCurrent
  }
}
