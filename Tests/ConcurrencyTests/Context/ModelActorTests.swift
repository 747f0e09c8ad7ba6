import Dispatch
import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Model actors and multiple contexts")
struct ModelActorTests {
  @Test("A model actor made on the main actor does not run on it")
  @MainActor
  func ownThread() async throws {
    let tags = TagActor(modelContainer: try makeLibrary())
    #expect(MainQueue.isCurrent)
    #expect(await tags.isOnMainQueue() == false)
  }

  @Test("A model actor does not need its caller's thread, which may block")
  func blockedCaller() async throws {
    let container = try makeLibrary()
    let isOnCaller = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let caller = pthread_self()
        let tags = TagActor(modelContainer: container)
        let answer = Mutex<Bool?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
          let isOnCaller = await tags.isOn(caller)
          answer.withLock { $0 = isOnCaller }
          isDone.signal()
        }
        isDone.wait()
        continuation.resume(returning: answer.withLock { $0 })
      }
    }
    #expect(isOnCaller == false)
  }

  @Test("A model actor has its own context over the given container")
  func context() async throws {
    let container = try makeLibrary()
    let tags = TagActor(modelContainer: container)
    #expect(tags.modelContainer == container)
    let identifier = try await tags.add("a")
    #expect(await tags.word(of: identifier) == "a")
    #expect(try container.freshContext().only(Tag.self).persistentModelID == identifier)
  }

  @Test("An actor's subscript returns nil for a missing row")
  func lookingUp() async throws {
    let container = try makeLibrary()
    let tags = TagActor(modelContainer: container)
    let identifier = try await tags.add("a")
    let context = ModelContext(container)
    context.delete(context.model(for: identifier))
    let book = Book(isbn: "1", title: "One")
    context.insert(book)
    try context.save()
    let other = TagActor(modelContainer: container)
    #expect(await other.word(of: identifier) == nil)
    #expect(await other.word(of: book.persistentModelID) == nil)
  }

  @Test("Actors save to one container concurrently without losing a save", arguments: [true, false])
  func actors(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let configuration =
      inMemory
      ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.file())
    let container = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let identifiers = try await withThrowingTaskGroup(of: [PersistentIdentifier].self) { group in
      for number in 0..<6 {
        group.addTask {
          let tags = TagActor(modelContainer: container)
          var added: [PersistentIdentifier] = []
          for part in 0..<15 {
            added.append(try await tags.add("\(number)-\(part)"))
            _ = try await tags.count()
          }
          return added
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(identifiers).count == 90)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 90)
  }

  @Test("Contexts on many threads read and write concurrently")
  func threads() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(
      for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: folder.file()))
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      do {
        let context = ModelContext(container)
        for part in 0..<10 {
          let author = Author(name: "\(number)")
          author.books = [Book(isbn: "\(number)-\(part)", title: "t")]
          context.insert(author)
          try context.save()
          for found in try context.fetch(FetchDescriptor<Author>()) where found.books.count != 1 {
            failures.withLock { $0.append("\(found.name) has \(found.books.count) books") }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 80)
  }
}
