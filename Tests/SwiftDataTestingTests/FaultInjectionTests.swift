import Foundation
import SwiftData
import SwiftDataTesting
import Testing

@testable import TestSupport

@Suite("Fault injection")
struct FaultInjectionTests {
  private let faults = FaultInjection()
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    context = ModelContext(
      try faults.open { try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration) })
    context.insert(Author(name: "Hesse", born: 1877))
    try context.save()
    faults.stop()
  }

  private func count() throws -> Int {
    try ModelContext(context.container).fetchCount(FetchDescriptor<Author>())
  }

  @Test(
    "A failed commit leaves the changes in the context, and the next save writes them",
    arguments: FaultInjection.Failure.allCases)
  func commit(failure: FaultInjection.Failure) throws {
    context.insert(Author(name: "Woolf", born: 1882))
    faults.fail(.commit, count: .max, with: failure)
    let error = try #require(#expect(throws: (any Error).self) { try context.save() })
    #expect("\(error)".contains("(injected)"))
    #expect(faults.failureCount >= 1)
    faults.stop()
    #expect(context.hasChanges)
    #expect(try count() == 1)
    try context.save()
    #expect(try count() == 2)
  }

  @Test("The error of a failed call has the reason")
  func reason() throws {
    faults.fail(.read, with: .diskFull)
    let error = try #require(#expect(throws: (any Error).self) { try count() })
    #expect("\(error)".contains("diskFull"))
    #expect(try count() == 1)
    #expect(faults.count(of: .read) == 2)
    #expect(faults.failureCount == 1)
  }

  @Test("A save whose second write fails writes nothing to the store")
  func secondWrite() throws {
    faults.fail(.write, number: 2, with: .inputOutput)
    let author = Author(name: "Woolf", born: 1882)
    author.books = [Book(isbn: "w0", title: "The Waves", pages: 300)]
    context.insert(author)
    #expect(throws: (any Error).self) { try context.save() }
    #expect(faults.failureCount == 1)
    #expect(try count() == 1)
    try context.save()
    #expect(try count() == 2)
    #expect(faults.count(of: .commit) == 1)
  }

  @Test("A rule makes as many successive calls fail as its count")
  func several() throws {
    faults.fail(.read, number: 2, count: 2, with: .corrupt)
    #expect(try count() == 1)
    #expect(throws: (any Error).self) { try count() }
    #expect(throws: (any Error).self) { try count() }
    #expect(try count() == 1)
  }

  @Test("A rule for the configuration of one store does not apply to other stores of a container")
  func oneStore() throws {
    let library = ModelConfiguration("library", schema: Schema([Author.self]), isStoredInMemoryOnly: true)
    let purses = ModelConfiguration("purses", schema: Schema([Purse.self]), isStoredInMemoryOnly: true)
    let faults = FaultInjection(for: purses)
    let context = ModelContext(
      try faults.open {
        try ModelContainer(for: Schema([Author.self, Purse.self]), configurations: [library, purses])
      })
    faults.fail(.read, count: .max, with: .busy)
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 0)
    #expect(throws: (any Error).self) { try context.fetchCount(FetchDescriptor<Purse>()) }
  }

  @Test("A store has the rules of each object whose open it is made in")
  func nesting() throws {
    let library = ModelConfiguration("library", schema: Schema([Author.self]), isStoredInMemoryOnly: true)
    let purses = ModelConfiguration("purses", schema: Schema([Purse.self]), isStoredInMemoryOnly: true)
    let (all, first, second) = (FaultInjection(), FaultInjection(for: library), FaultInjection(for: purses))
    let context = ModelContext(
      try all.open {
        try first.open {
          try second.open {
            try ModelContainer(for: Schema([Author.self, Purse.self]), configurations: [library, purses])
          }
        }
      })
    func failures() -> [Bool] {
      [
        (try? context.fetchCount(FetchDescriptor<Author>())) == nil,
        (try? context.fetchCount(FetchDescriptor<Purse>())) == nil,
      ]
    }
    first.fail(.read, count: .max, with: .busy)
    #expect(failures() == [true, false])
    first.stop()
    second.fail(.read, count: .max, with: .busy)
    #expect(failures() == [false, true])
    second.stop()
    all.fail(.read, count: .max, with: .busy)
    #expect(failures() == [true, true])
  }

  @Test("An asynchronous closure opens a store whose calls fail")
  func asynchronous() async throws {
    let faults = FaultInjection()
    let container = try await faults.open {
      await Task.yield()
      return try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    faults.fail(.read, with: .busy)
    #expect(throws: (any Error).self) { try ModelContext(container).fetchCount(FetchDescriptor<Author>()) }
  }

  @Test("A number or a count below 1 means 1", arguments: [0, -1, Int.min])
  func smallNumbers(number: Int) throws {
    faults.fail(.read, number: number, count: number, with: .busy)
    #expect(throws: (any Error).self) { try count() }
    #expect(try count() == 1)
  }

  @Test("A container does not open while calls fail")
  func opening() throws {
    let folder = try TemporaryFolder()
    let faults = FaultInjection()
    faults.fail(.write, count: .max, with: .diskFull)
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try faults.open { try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.file())) }
    }
    faults.stop()
    _ = try faults.open { try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.file())) }
  }
}
