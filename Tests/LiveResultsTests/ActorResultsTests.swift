import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Live results on actors")
struct ActorResultsTests {
  /// Records the titles of all books at each notification of its observer.
  @ModelActor
  actor Reader {
    private var observer: ResultsObserver<Book, Never>?
    private var token: ObservationTracking.Token?
    private(set) var titles: [[String]] = []

    func begin() throws {
      let observer = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: modelContext)
      self.observer = observer
      token = withContinuousObservation(options: .didSet) { _ in
        self.titles.append(observer.results.map(\.title))
      }
    }

    func comesTo(_ titles: [String]) async -> Bool {
      await comesTrue { self.titles.last == titles }
    }

    func insert(_ title: String) {
      modelContext.insert(Book(isbn: title, title: title))
    }

    func end() {
      token = nil
    }
  }

  private func save(_ title: String, _ library: ModelContainer) throws {
    let context = ModelContext(library)
    context.insert(Book(isbn: title, title: title))
    try context.save()
  }

  @Test("On a model actor, other contexts' saves and own changes notify without a call")
  func modelActorNotifies() async throws {
    let library = try makeLibrary()
    let reader = Reader(modelContainer: library)
    try await reader.begin()
    #expect(await reader.comesTo([]))
    try save("Emma", library)
    #expect(await reader.comesTo(["Emma"]))
    await reader.insert("Dubliners")
    #expect(await reader.comesTo(["Dubliners", "Emma"]))
    await reader.end()
  }

  /// The same with a context without an executor.
  actor CountingActor {
    private var observer: ResultsObserver<Book, Never>?
    private var token: ObservationTracking.Token?
    private(set) var counts: [Int] = []

    func begin(_ library: ModelContainer) throws {
      let observer = try ResultsObserver<Book, Never>(modelContainer: library)
      self.observer = observer
      token = withContinuousObservation(options: .didSet) { _ in
        self.counts.append(observer.results.count)
      }
    }

    func comesTo(_ count: Int) async -> Bool {
      await comesTrue { counts.last == count }
    }

    func end() {
      token = nil
    }
  }

  @Test("On any other actor, other contexts' saves notify without a call")
  func otherActorNotifies() async throws {
    let library = try makeLibrary()
    let counter = CountingActor()
    try await counter.begin(library)
    #expect(await counter.comesTo(0))
    try save("Emma", library)
    #expect(await counter.comesTo(1))
    await counter.end()
  }

  @Test("An actor is released with its observer", arguments: [false, true])
  func releasesActor(isModelActor: Bool) async throws {
    let library = try makeLibrary()
    weak var released: (any Actor)?
    do {
      if isModelActor {
        let reader = Reader(modelContainer: library)
        try await reader.begin()
        await reader.end()
        released = reader
      } else {
        let counter = CountingActor()
        try await counter.begin(library)
        await counter.end()
        released = counter
      }
    }
    // The first call of the closure may still be under way.
    #expect(await comesTrue { released == nil })
  }

  @ModelActor
  actor Writer {
    func write(_ count: Int, _ name: String) throws {
      for number in 0..<count {
        modelContext.insert(Book(isbn: "\(name)-\(number)", title: name))
        try modelContext.save()
      }
    }
  }

  @Test("An observer on the main actor keeps up with eight saving model actors")
  @MainActor
  func keepsUp() async throws {
    let library = try makeLibrary()
    let observer = try ResultsObserver<Book, String>(sectionBy: \.title, modelContext: library.mainContext)
    var lastCount = -1
    let token = withContinuousObservation(options: .didSet) { _ in
      lastCount = observer.results.count
    }
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        let writer = Writer(modelContainer: library)
        group.addTask { try await writer.write(20, "writer \(number)") }
      }
      try await group.waitForAll()
    }
    #expect(await comesTrue { lastCount == 160 })
    #expect(observer.sections?.map(\.count) == Array(repeating: 20, count: 8))
    token.cancel()
  }

  @Test("A save of another container or process over the same file notifies")
  @MainActor
  func otherContainersNotify() async throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file())
    let library = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let other = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let observer = try ResultsObserver<Book, Never>(modelContext: library.mainContext)
    var counts: [Int] = []
    let token = withContinuousObservation(options: .didSet) { _ in counts.append(observer.results.count) }
    #expect(await comesTrue { counts == [0] })
    try save("Emma", other)
    #expect(await comesTrue { counts.last == 1 })
    token.cancel()
  }

  @Test("Without an isolation the results are current whenever they are read")
  func isRightWithoutIsolation() throws {
    let library = try makeLibrary()
    let observer = try Self.observe(library)
    #expect(observer.results.isEmpty)
    try save("Emma", library)
    #expect(observer.results.map(\.title) == ["Emma"])
  }

  private nonisolated static func observe(_ library: ModelContainer) throws -> ResultsObserver<Book, Never> {
    try ResultsObserver(modelContainer: library)
  }
}
