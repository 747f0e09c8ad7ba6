import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Fetches in batches")
struct BatchTests {
  private let log = StatementLog()
  private let container: ModelContainer
  private static let count = 97

  init() throws {
    container = try log.observe(makeLibrary)
    let context = ModelContext(container)
    for number in 0..<Self.count {
      let author = Author(name: "\(number)", born: (number * 31) % Self.count)
      context.insert(author)
      context.insert(Book(isbn: "\(number)", title: "t", author: author))
    }
    try context.save()
  }

  private var byBirth: FetchDescriptor<Author> {
    FetchDescriptor(predicate: #Predicate { $0.born != 5 }, sortBy: [SortDescriptor(\.born, order: .reverse)])
  }

  @Test(
    "A batched fetch gives the same models in the same order, whatever the batch size",
    arguments: [1, 10, 96, 97, 1000])
  func equality(batchSize: Int) throws {
    let context = ModelContext(container)
    let expected = try context.fetch(byBirth)
    let found = try context.fetch(byBirth, batchSize: batchSize)
    #expect(found.count == Self.count - 1)
    #expect(found.elementsEqual(expected, by: ===))
    #expect(found.reversed().elementsEqual(expected.reversed(), by: ===))
    #expect(found[10] === expected[10] && found.last === expected.last)
    let identifiers = try context.fetchIdentifiers(byBirth, batchSize: batchSize)
    #expect(Array(identifiers) == expected.map(\.persistentModelID))
    #expect(identifiers.dropFirst(90).map(\.self) == expected.dropFirst(90).map(\.persistentModelID))
  }

  @Test("A batch takes one statement, and is released when another is read")
  func batches() throws {
    let context = ModelContext(container)
    var found: FetchResultsCollection<Author>?
    let fetching = try log.queries { found = try context.fetch(byBirth, batchSize: 10) }
    let authors = try #require(found)
    let first = log.queries { #expect(authors[50].born == 46) }
    let second = log.queries { #expect(authors[59].born == 37) }
    #expect(fetching.count == 1 && first.count == 1 && second.isEmpty)
    let identifier = authors[50].persistentModelID
    #expect((context.registeredModel(for: identifier) as Author?) != nil)
    let walking = log.queries { for author in authors { #expect(author.born != nil) } }
    #expect(walking.count == 10)
    #expect((context.registeredModel(for: identifier) as Author?) == nil)
  }

  @Test("Batched fetches apply limits, offsets and prefetching")
  func limits() throws {
    let context = ModelContext(container)
    var descriptor = byBirth
    descriptor.fetchOffset = 3
    descriptor.fetchLimit = 20
    descriptor.relationshipKeyPathsForPrefetching = [\.books]
    let found = try context.fetch(descriptor, batchSize: 8)
    #expect(found.map(\.born) == (74...93).reversed())
    let first = found[0]
    let walking = log.queries { #expect(first.books.count == 1) }
    #expect(walking.isEmpty)
  }

  @Test("A batched fetch determines its models once; a deleted one has placeholder values")
  func snapshot() throws {
    let context = ModelContext(container)
    let found = try context.fetch(byBirth, batchSize: 10)
    let other = ModelContext(container)
    for author in try other.fetch(byBirth).prefix(2) { other.delete(author) }
    other.insert(Author(name: "new", born: 50))
    try other.save()
    #expect(found.count == Self.count - 1)
    #expect(found[0].name.isEmpty && found[2].born == 94)
  }

  @Test("A batched fetch cannot include pending changes")
  func pendingChanges() throws {
    let context = ModelContext(container)
    context.insert(Author(name: "new"))
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetch(FetchDescriptor<Author>(), batchSize: 10)
    }
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetchIdentifiers(FetchDescriptor<Author>(), batchSize: 10)
    }
    var descriptor = FetchDescriptor<Author>()
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor, batchSize: 10).count == Self.count)
  }

  @Test("Batch sizes below 1 and negative limits are refused")
  func badNumbers() throws {
    let context = ModelContext(container)
    for size in [0, -1] {
      #expect(throws: SwiftDataError.invalidFetchDescriptor) {
        try context.fetch(FetchDescriptor<Author>(), batchSize: size)
      }
      #expect(throws: SwiftDataError.invalidFetchDescriptor) {
        try context.enumerate(FetchDescriptor<Author>(), batchSize: size) { _ in }
      }
    }
    var limited = FetchDescriptor<Author>()
    limited.fetchLimit = -1
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetch(limited) }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetchCount(limited) }
    var offset = FetchDescriptor<Author>()
    offset.fetchOffset = -2
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetchIdentifiers(offset) }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.enumerate(offset) { _ in } }
  }
}

@Suite("Enumerations")
struct EnumerationTests {
  private let container: ModelContainer
  private static let count = 53

  init() throws {
    container = try makeLibrary()
    let context = ModelContext(container)
    for number in 0..<Self.count { context.insert(Author(name: "\(number)", born: Self.count - number)) }
    try context.save()
  }

  private func names(
    _ descriptor: FetchDescriptor<Author>, in context: ModelContext, batchSize: Int
  ) throws -> [String] {
    var names: [String] = []
    try context.enumerate(descriptor, batchSize: batchSize) { names.append($0.name) }
    return names
  }

  @Test("Enumerations visit the models of a fetch", arguments: [1, 7, 53, 5000], [true, false])
  func equality(batchSize: Int, isSorted: Bool) throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>(predicate: #Predicate { $0.name != "3" })
    if isSorted { descriptor.sortBy = [SortDescriptor(\.born)] }
    for (offset, limit) in [(nil, nil), (5, nil), (nil, 20), (5, 20), (5, 1000), (100, 3), (5, 0)] as [(Int?, Int?)] {
      descriptor.fetchOffset = offset
      descriptor.fetchLimit = limit
      let expected = try context.fetch(descriptor).map(\.name)
      #expect(try names(descriptor, in: context, batchSize: batchSize) == expected)
    }
  }

  @Test("Models are released with their batch", arguments: [true, false])
  func lifetime(isSorted: Bool) throws {
    let context = ModelContext(container)
    var identifiers: [PersistentIdentifier] = []
    let descriptor = FetchDescriptor<Author>(sortBy: isSorted ? [SortDescriptor(\.born)] : [])
    try context.enumerate(descriptor, batchSize: 10) { author in
      identifiers.append(author.persistentModelID)
      let held = identifiers.count { (context.registeredModel(for: $0) as Author?) != nil }
      #expect(held <= 10)
    }
    #expect(identifiers.count == Self.count)
  }

  @Test("Unsaved changes end the enumeration unless allowEscapingMutations is true")
  func mutations() throws {
    let context = ModelContext(container)
    var visited = 0
    #expect(throws: SwiftDataError.escapingMutations) {
      try context.enumerate(FetchDescriptor<Author>(), batchSize: 10) { author in
        author.born = nil
        visited += 1
      }
    }
    #expect(visited == 10)
    #expect(throws: SwiftDataError.escapingMutations) { try context.enumerate(FetchDescriptor<Author>()) { _ in } }
    context.rollback()
    try context.enumerate(FetchDescriptor<Author>(), batchSize: 10, allowEscapingMutations: true) { $0.born = nil }
    try context.save()
    let changed = FetchDescriptor<Author>(predicate: #Predicate { $0.born == nil })
    #expect(try container.freshContext().fetchCount(changed) == Self.count)
  }

  @Test("A block may save, insert and delete", arguments: [true, false])
  func saving(isSorted: Bool) throws {
    let context = ModelContext(container)
    var visited = 0
    let descriptor = FetchDescriptor<Author>(sortBy: isSorted ? [SortDescriptor(\.born)] : [])
    try context.enumerate(descriptor, batchSize: 10) { author in
      visited += 1
      if visited == 5 {
        try context.delete(model: Author.self, where: #Predicate { $0.name == "30" })
      } else {
        author.born = nil
        context.insert(Author(name: "new \(visited)"))
      }
      try context.save()
    }
    #expect(visited == Self.count - 1)
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 2 * Self.count - 3)
  }

  @Test("An enumeration includes pending changes as a fetch does")
  func pendingChanges() throws {
    let context = ModelContext(container)
    context.insert(Author(name: "new"))
    var names: [String] = []
    try context.enumerate(FetchDescriptor<Author>(), allowEscapingMutations: true) { names.append($0.name) }
    #expect(names.count == Self.count + 1 && names.last == "new")
    var descriptor = FetchDescriptor<Author>()
    descriptor.includePendingChanges = false
    names = []
    try context.enumerate(descriptor, allowEscapingMutations: true) { names.append($0.name) }
    #expect(names.count == Self.count)
  }

  @Test("An error of the block is rethrown")
  func errors() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try ModelContext(container).enumerate(FetchDescriptor<Author>()) { _ in throw Stop() }
    }
  }
}
