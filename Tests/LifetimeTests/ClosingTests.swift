import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Closing a container")
struct ClosingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private func expectClosed(_ body: () throws -> Void) {
    let failure = #expect(throws: SwiftDataError.storeFailure, performing: body)
    #expect(failure?.details?.storeFailureReason == .closed)
  }

  @Test("Closing checkpoints the write-ahead log; models in memory can be read, and other calls fail")
  func closing() throws {
    let container = try open()
    let context = ModelContext(container)
    context.insert(Author(name: "Ursula", born: 1929))
    context.insert(Author(name: "Vernor"))
    try context.save()
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    let author = try #require(try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])).first)
    let other = ModelContext(container)
    let unread = try #require(other.model(for: identifiers[1]) as? Author)
    try container.close()
    try container.close()
    #expect(try StoreFiles.contents(of: folder.url).keys.sorted() == [folder.file().lastPathComponent])

    #expect(author.name == "Ursula")
    #expect(author.born == 1929)
    #expect(author.books.isEmpty)
    _ = unread.name
    expectClosed { _ = try other.fetch(FetchDescriptor<Author>()) }
    author.name = "Le Guin"
    // The failed read is reported first.
    expectClosed { try context.save() }
    expectClosed { try context.save() }
    expectClosed { try context.transaction {} }
    expectClosed { _ = try ModelContext(container).fetchCount(FetchDescriptor<Author>()) }
    expectClosed { try container.erase() }
    expectClosed { try container.backup(to: folder.file("copy.store")) }
    #expect(context.changedModelsArray.count == 1)
    #expect(author.name == "Le Guin")
    context.rollback()
    #expect(author.name == "Ursula")

    let again = ModelContext(try open())
    #expect(try again.fetchIdentifiers(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])) == identifiers)
  }

  @Test("Closing empties the write-ahead log while another container has the file open")
  func closingOneOfTwo() async throws {
    let other = ModelContext(try open())
    var count = 0
    // A checkpoint stops at the oldest reader, and the other container may be reading once more.
    let isEmptied = try await comesTrue {
      let container = try open()
      let context = ModelContext(container)
      for number in 0..<200 { context.insert(Author(name: "\(number)")) }
      try context.save()
      count += 200
      try container.close()
      let log = try FileManager.default.attributesOfItem(atPath: folder.file().path + "-wal")
      return log[.size] as? Int == 0
    }
    #expect(isEmptied)
    #expect(try other.fetchCount(FetchDescriptor<Author>()) == count)
  }

  @Test("The main context can be used after its container was closed")
  @MainActor
  func mainContext() async throws {
    let container = try open()
    let context = container.mainContext
    let author = Author(name: "Ursula")
    context.insert(author)
    try container.close()
    await MainQueue.turn()
    author.name = "changed"
    await MainQueue.turn()
    #expect(context.insertedModelsArray.count == 1)
    expectClosed { try context.save() }
  }

  @Test("Closing during fetches and saves waits for them")
  func closingUnderLoad() async throws {
    for round in 0..<5 {
      let container = try open()
      let isBusy = DispatchSemaphore(value: 0)
      let (ends, end) = AsyncStream<Void>.makeStream()
      // On a thread of its own, because tasks may occupy all threads of the pool.
      Thread.detachNewThread {
        isBusy.wait()
        #expect(throws: Never.self) { try container.close() }
        end.finish()
      }
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            let context = ModelContext(container)
            defer { isBusy.signal() }
            do {
              for number in 0..<1000 {
                context.insert(Author(name: "\(worker) \(number)"))
                try context.save()
                if number == 5 * round { isBusy.signal() }
                _ = try context.fetchCount(FetchDescriptor<Author>())
              }
            } catch {
              #expect((error as? SwiftDataError)?.details?.storeFailureReason == .closed)
            }
          }
        }
      }
      for await _ in ends {}
      #expect(try StoreFiles.contents(of: folder.url).keys.sorted() == [folder.file().lastPathComponent])
    }
  }

  @Test("A container is closed when close() returns, also in an observer of a save and with concurrent calls")
  func closingByMany() throws {
    for _ in 0..<10 {
      let container = try open()
      let log = folder.file().path + "-wal"
      let early = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { worker in
        let context = ModelContext(container)
        context.autosaveEnabled = false
        let token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) {
          _ in
          do {
            try container.close()
            if FileManager.default.fileExists(atPath: log) { early.withLock { $0.append("worker \(worker)") } }
          } catch {
            early.withLock { $0.append("\(error)") }
          }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        for number in 0..<5 { context.insert(Author(name: "\(worker) \(number)")) }
        do {
          try context.save()
        } catch {
          if (error as? SwiftDataError)?.details?.storeFailureReason != .closed {
            early.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(early.withLock { $0 } == [])
      #expect(try StoreFiles.contents(of: folder.url).keys.sorted() == [folder.file().lastPathComponent])
    }
  }

  @Test("Closing inside a transaction fails, and does not deadlock with another thread that closes")
  func closingInTransaction() throws {
    let container = try open()
    let context = ModelContext(container)
    let (isAbout, hasClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try context.transaction {
      Thread {
        isAbout.signal()
        #expect(throws: Never.self) { try container.close() }
        hasClosed.signal()
      }.start()
      isAbout.wait()
      let failure = #expect(throws: SwiftDataError.storeFailure) { try container.close() }
      #expect(failure?.details?.storeFailureReason == .busy)
      context.insert(Author(name: "Ursula"))
    }
    hasClosed.wait()
    expectClosed { _ = try context.fetchCount(FetchDescriptor<Author>()) }
    #expect(try ModelContext(open()).fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("A custom store gets no requests after its container was closed")
  func customStore() throws {
    let archive: any DataStoreConfiguration = ArchiveConfiguration(url: folder.file("a.json"))
    let container = try ModelContainer(for: Schema([Author.self]), configurations: [archive])
    let context = ModelContext(container)
    context.insert(Author(name: "Ursula"))
    try context.save()
    try container.close()
    expectClosed { _ = try context.fetch(FetchDescriptor<Author>()) }
    #expect(throws: DataStoreError.unsupportedFeature) { try container.backup(to: folder.file("copy.store")) }
  }
}
