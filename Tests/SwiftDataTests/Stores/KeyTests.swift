import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Keys are never assigned twice")
struct KeyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelContext {
    let context = ModelContext(
      try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: folder.file())))
    context.autosaveEnabled = false
    return context
  }

  private func insert(_ context: ModelContext, _ count: Int = 1) throws -> [First.Item] {
    let items = (0..<count).map { First.Item(title: "\($0)") }
    for item in items { context.insert(item) }
    try context.save()
    return items
  }

  @Test("A key is not assigned again after the last row was deleted, reopened or not", arguments: [false, true])
  func afterLastRow(reopens: Bool) throws {
    var seen = Set<PersistentIdentifier>()
    var context = try open()
    for _ in 0..<4 {
      let items = try insert(context, 2)
      #expect(seen.isDisjoint(with: items.map(\.persistentModelID)))
      seen.formUnion(items.map(\.persistentModelID))
      for item in items { context.delete(item) }
      try context.save()
      if reopens { context = try open() }
    }
    #expect(seen.count == 8)
  }

  @Test("A key is not assigned again by a save that deletes and inserts")
  func deletionAndInsertion() throws {
    let context = try open()
    let old = try insert(context, 3)
    let identifiers = Set(old.map(\.persistentModelID))
    for item in old { context.delete(item) }
    let new = try insert(context, 3)
    #expect(identifiers.isDisjoint(with: new.map(\.persistentModelID)))
  }

  @Test("A key is not assigned again after a row in the middle was deleted")
  func afterMiddleRow() throws {
    let context = try open()
    let items = try insert(context, 3)
    let identifiers = Set(items.map(\.persistentModelID))
    context.delete(items[1])
    try context.save()
    #expect(try !identifiers.contains(insert(try open())[0].persistentModelID))
  }

  @Test("A key is not assigned again after everything was erased")
  func afterErasing() throws {
    let context = try open()
    let identifiers = Set(try insert(context, 3).map(\.persistentModelID))
    try context.container.erase()
    #expect(identifiers.isDisjoint(with: try insert(try open(), 3).map(\.persistentModelID)))
  }

  @Test("A key is not assigned twice when two containers insert in turn")
  func twoContainers() throws {
    let contexts = try [open(), open()]
    var seen = Set<PersistentIdentifier>()
    for turn in 0..<6 { seen.formUnion(try insert(contexts[turn % 2], 2).map(\.persistentModelID)) }
    for turn in 0..<6 { seen.formUnion(try insert(contexts[turn / 3]).map(\.persistentModelID)) }
    #expect(seen.count == 18)
  }

  @Test("A key is not assigned twice after a failed save")
  func afterFailedSave() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    func save(_ isbn: String) throws -> Book {
      let book = Book(isbn: isbn, title: isbn)
      context.insert(book)
      try context.save()
      return book
    }
    let first = try save("1")
    let failing = try save("2")
    let tag = Tag("t")
    context.insert(tag)
    // Two rows of one save have the same unique value, which SQLite detects during the save.
    failing.isbn = "1"
    #expect(throws: SwiftDataError.self) { try context.save() }
    failing.isbn = "2"
    let third = try save("3")
    #expect(Set([first, failing, third].map(\.persistentModelID)).count == 3)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 1)
    #expect(tag.persistentModelID == (try container.freshContext().only(Tag.self)).persistentModelID)
  }

  @Test("Positions in a many-to-many grow across saves")
  func joinPositionsGrow() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "t")
    let tags = ["a", "b", "c"].map(Tag.init)
    context.insert(book)
    book.tags = tags
    try context.save()
    book.tags.remove(at: 0)
    try context.save()
    book.tags.append(tags[0])
    try context.save()
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.tags.map(\.word) == ["b", "c", "a"])
  }
}
