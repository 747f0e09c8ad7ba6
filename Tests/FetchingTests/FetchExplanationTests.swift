import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

enum Explained {
  @Model
  final class Letter {
    #Index<Letter>([\.weight])

    var weight: Int
    var address: String
    var stamps: [String] = []
    @Transient var isOpen = false
    var town: Town?

    init(_ address: String, weight: Int) {
      self.address = address
      self.weight = weight
    }
  }

  @Model
  final class Town {
    var name: String
    @Relationship(inverse: \Letter.town) var letters: [Letter] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Explanations of fetches")
struct FetchExplanationTests {
  typealias Letter = Explained.Letter
  typealias Town = Explained.Town
  private let log = StatementLog()
  private let container: ModelContainer

  init() throws {
    container = try log.observe { try makeContainer(Letter.self, Town.self) }
    let context = ModelContext(container)
    let town = Town("Oslo")
    for weight in 0..<50 {
      let letter = Letter("Street \(weight)", weight: weight)
      context.insert(letter)
      letter.town = town
    }
    try context.save()
  }

  private static let descriptors: [FetchDescriptor<Letter>] = {
    let weight = 7
    let heavy = #Predicate<Letter> { $0.weight > weight }
    var page = FetchDescriptor(predicate: heavy, sortBy: [SortDescriptor(\.address)])
    page.fetchLimit = 3
    page.fetchOffset = 2
    var narrow = FetchDescriptor(predicate: heavy)
    narrow.propertiesToFetch = [\.weight]
    return [
      FetchDescriptor(), FetchDescriptor(predicate: heavy), page, narrow,
      FetchDescriptor(predicate: #Predicate { $0.isOpen && $0.weight == 3 }),
      FetchDescriptor(predicate: #Predicate { $0.town?.name == "Oslo" }),
      FetchDescriptor(predicate: #Predicate { $0.stamps.contains("red") }, sortBy: [SortDescriptor(\.isOpenRank)]),
    ]
  }()

  private func check(_ descriptor: FetchDescriptor<Letter>, _ context: ModelContext) throws {
    let explanation = try context.explain(descriptor)
    let queries = try log.queries { _ = try context.fetch(descriptor) }
    #expect(queries.first == explanation.sql)
    #expect(!explanation.steps.isEmpty)
    #expect(explanation.description.hasPrefix(explanation.sql))
  }

  @Test("The explained SQL is that of the fetch", arguments: descriptors.indices)
  func statement(index: Int) throws {
    for _ in 0..<3 { try check(Self.descriptors[index], container.freshContext()) }
  }

  @Test("With unsaved changes the explained SQL is that of the fetch as well", arguments: descriptors.indices)
  func pendingStatement(index: Int) throws {
    let context = container.freshContext()
    let first = try #require(try context.fetch(FetchDescriptor<Letter>()).first)
    first.weight = 1000
    context.insert(Letter("new", weight: 9))
    try check(Self.descriptors[index], context)
    let explanation = try context.explain(Self.descriptors[index])
    #expect(explanation.inMemory.last?.kind == .unsavedChanges)
    first.town?.name = "Bergen"
    try check(Self.descriptors[index], context)
  }

  @Test("An explanation distinguishes an index search, a scan and a sort")
  func access() throws {
    let context = container.freshContext()
    let weight = 7
    let search = try context.explain(FetchDescriptor<Letter>(predicate: #Predicate { $0.weight == weight }))
    #expect(!search.readsWholeTable && search.steps.contains { $0.kind == .search })
    #expect(search.indexes.count == 1 && search.indexes[0].contains("weight"))
    #expect(search.inMemory.isEmpty)
    let street = "Street 7"
    let scan = try context.explain(FetchDescriptor<Letter>(predicate: #Predicate { $0.address == street }))
    #expect(scan.readsWholeTable && scan.indexes.isEmpty && !scan.sortsRows)
    let sorted = try context.explain(FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.address, comparator: .lexical)]))
    #expect(sorted.sortsRows)
    var page = FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.weight)])
    page.fetchLimit = 3
    let ordered = try context.explain(page)
    #expect(!ordered.sortsRows && !ordered.readsWholeTable && ordered.steps.contains { $0.kind == .scan })
    let key = try #require(try context.fetch(page).first).persistentModelID
    let byKey = try context.explain(FetchDescriptor<Letter>(predicate: #Predicate { $0.persistentModelID == key }))
    #expect(byKey.steps.map(\.kind) == [.search] && byKey.indexes.isEmpty)
  }

  @Test("Looking up values in a list is no scan of a table")
  func lists() throws {
    let weights = Array(0..<500)
    let explanation = try container.freshContext().explain(
      FetchDescriptor<Letter>(predicate: #Predicate { weights.contains($0.weight) }))
    #expect(!explanation.readsWholeTable)
  }

  @Test("An explanation names in-memory steps and their reasons")
  func residues() throws {
    let context = container.freshContext()
    let filtered = try context.explain(FetchDescriptor<Letter>(predicate: #Predicate { $0.isOpen && $0.weight == 3 }))
    #expect(filtered.inMemory.map(\.kind) == [.predicate])
    #expect(filtered.inMemory[0].reason.contains("isOpen"))
    #expect(filtered.sql.contains("WHERE"))
    let sorted = try context.explain(FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.isOpenRank)]))
    #expect(sorted.inMemory.map(\.kind) == [.sortOrder])
    #expect(sorted.description.contains("in memory:"))
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.explain(FetchDescriptor<Letter>(predicate: #Predicate { $0.isOpen }))
    }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) {
      var descriptor = FetchDescriptor<Letter>()
      descriptor.fetchLimit = -1
      _ = try context.explain(descriptor)
    }
  }

  @Test("An explanation fetches nothing and keeps unsaved changes")
  func harmless() throws {
    let context = container.freshContext()
    context.insert(Letter("new", weight: 9))
    let queries = try log.queries { _ = try context.explain(FetchDescriptor<Letter>()) }
    #expect(queries.isEmpty)
    #expect(context.hasChanges)
  }

  @Test("For a custom store an explanation has no SQL, and lists what the context does in memory")
  func customStore() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("letters.json"))
    let custom = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let context = ModelContext(custom)
    let explanation = try context.explain(
      FetchDescriptor<Author>(predicate: #Predicate { $0.name != "Woolf" }, sortBy: [SortDescriptor(\.name)]))
    #expect(explanation.sql.isEmpty && explanation.steps.isEmpty)
    #expect(explanation.inMemory.map(\.kind) == [.predicate, .sortOrder])
    #expect(explanation.description.hasPrefix("The store archive"))
  }
}

extension Explained.Letter {
  /// Computed, so that no store can sort by it.
  fileprivate var isOpenRank: Int { isOpen ? 1 : 0 }
}
