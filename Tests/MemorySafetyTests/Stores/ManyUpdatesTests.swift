import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Many {
  @Model
  final class ManyShelf {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class ManyBook {
    @Attribute(.unique) var number: Int
    var title: String
    var price: Double?
    var cover: Data?
    var mark: ManyMark
    var shelf: ManyShelf?

    init(_ number: Int) {
      self.number = number
      title = "book \(number)"
      price = Double(number)
      mark = ManyMark(text: "m\(number)")
    }
  }

  @Model
  final class ManyBox {
    var size: Int
    @Attribute(.externalStorage) var image: Data?

    init(_ size: Int) {
      self.size = size
    }
  }

  /// Runs code or throws while it is encoded, if its text says so.
  struct ManyMark: Codable, Equatable {
    var text: String

    @TaskLocal static var whenWritten: (@Sendable () throws -> Void)?

    enum CodingKeys: String, CodingKey { case text }

    init(text: String) {
      self.text = text
    }

    init(from decoder: any Decoder) throws {
      text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }

    func encode(to encoder: any Encoder) throws {
      if text == "special" { try Self.whenWritten?() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(text, forKey: .text)
    }
  }
}

@Suite("Many changed rows in one save")
struct ManyUpdatesTests {
  typealias Book = Many.ManyBook
  typealias Shelf = Many.ManyShelf
  typealias Box = Many.ManyBox

  private let folder: TemporaryFolder
  private let log = StatementLog()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(books: Int = 0) throws -> ModelContext {
    let container = try log.observe {
      try ModelContainer(
        for: Schema([Book.self, Shelf.self, Box.self]), configurations: ModelConfiguration(url: folder.file()))
    }
    let context = ModelContext(container)
    context.autosaveEnabled = false
    for number in 0..<books { context.insert(Book(number)) }
    try context.save()
    return context
  }

  private func books(_ context: ModelContext) throws -> [Book] {
    try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.number)]))
  }

  /// The books that another context reads.
  private func stored(_ context: ModelContext) throws -> [Book] {
    try books(ModelContext(context.container))
  }

  private func updates(_ context: ModelContext) throws -> Int {
    _ = try log.queries { try context.save() }
    return log.statements(of: "UPDATE").filter { $0.contains("\"ManyBook\"") }.count
  }

  @Test("Many changed rows are written by few statements, in whatever order they were changed")
  func anyOrder() throws {
    let context = try open(books: 3000)
    var generator = SeededGenerator(seed: 7)
    let changed = try books(context).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
    for book in changed.shuffled(using: &generator) {
      book.title = "new \(book.number)"
      book.price = book.number.isMultiple(of: 2) ? nil : -1
    }
    #expect(try updates(context) <= 4)
    let numbers = Set(changed.map(\.number))
    let stored = try stored(context)
    #expect(stored.count == 3000)
    for book in stored {
      let isChanged = numbers.contains(book.number)
      #expect(book.title == (isChanged ? "new \(book.number)" : "book \(book.number)"))
      #expect(book.price == (isChanged ? book.number.isMultiple(of: 2) ? nil : -1 : Double(book.number)))
    }
  }

  @Test("Few rows are written one by one, and many by a single statement, however far apart they are")
  func farApart() throws {
    let context = try open(books: 2000)
    let books = try books(context)
    for book in books where book.number.isMultiple(of: 100) { book.title = "far" }
    #expect(try updates(context) == 1)
    for book in books.prefix(5) { book.title = "few" }
    #expect(try updates(context) == 5)
    #expect(try stored(context).map(\.title).filter { $0 == "far" }.count == 19)
    #expect(try stored(context).map(\.title).filter { $0 == "few" }.count == 5)
  }

  @Test("Rows with different sets of changed properties are written by one statement for each set")
  func inTurn() throws {
    let context = try open(books: 900)
    for book in try books(context) {
      switch book.number % 3 {
      case 0: book.title = "new"
      case 1: book.price = -1
      default:
        book.title = "both"
        book.price = nil
      }
    }
    #expect(try updates(context) == 3)
    for book in try stored(context) {
      let kind = book.number % 3
      #expect(book.title == ["new", "book \(book.number)", "both"][kind])
      #expect(book.price == [Double(book.number), -1, nil][kind])
    }
  }

  @Test("Models with different changed properties each get their own values")
  func mixed() throws {
    let context = try open(books: 300)
    let shelf = Shelf("old")
    context.insert(shelf)
    try context.save()
    let new = Shelf("new")
    for book in try books(context) {
      switch book.number / 25 % 4 {
      case 0: book.title = "t"
      case 1: book.shelf = shelf
      case 2:
        book.shelf = new
        book.cover = Data(repeating: UInt8(book.number % 256), count: book.number * 100)
      default: if book.number.isMultiple(of: 2) { book.title = "even" } else { book.price = 0 }
      }
    }
    try context.save()
    for book in try stored(context) {
      let kind = book.number / 25 % 4
      let isEven = book.number.isMultiple(of: 2)
      #expect(book.title == (kind == 0 ? "t" : kind == 3 && isEven ? "even" : "book \(book.number)"))
      #expect(book.shelf?.name == [nil, "old", "new", nil][kind])
      #expect(book.cover?.count == (kind == 2 ? book.number * 100 : nil))
      #expect(book.cover?.allSatisfy { $0 == UInt8(book.number % 256) } ?? true)
      #expect(book.price == (kind == 3 && !isEven ? 0 : Double(book.number)))
    }
  }

  @Test("A save can permute unique values", arguments: [1, -1, 17])
  func uniqueValues(step: Int) throws {
    let context = try open(books: 1000)
    let books = try books(context)
    for (position, book) in books.enumerated() { book.number = (position + step + 1000) % 1000 }
    try context.save()
    for book in try stored(context) {
      #expect(book.title == "book \((book.number - step + 1000) % 1000)")
    }
  }

  @Test("A save that violates uniqueness throws with the conflicting model, and writes nothing")
  func violation() throws {
    let context = try open(books: 500)
    let books = try books(context)
    for book in books.dropFirst() { book.title = "new" }
    for book in books.dropFirst() { book.number += 1000 }
    books[321].number = 0
    let error = #expect(throws: (any Error).self) { try context.save() }
    #expect("\(try #require(error))".contains("unique"))
    let failure = try #require(error as? SwiftDataError)
    #expect(failure.details?.persistentIdentifiers == [books[321].persistentModelID])
    #expect(try stored(context).allSatisfy { $0.title == "book \($0.number)" })
    books[321].number = 1321
    try context.save()
    #expect(try stored(context).map(\.number) == [0] + (1001...1499))
  }

  @Test("A save that a foreign trigger refuses throws with the model, and writes nothing")
  func refusal() throws {
    let context = try open(books: 100)
    let books = try books(context)
    for book in books { book.title = book.number == 60 ? "refused" : "new" }
    let database = try #require(context.container.core.stores.first as? RelationalStore).database
    try database.write {
      try $0.execute(
        """
        CREATE TRIGGER refuse BEFORE UPDATE ON "ManyBook" WHEN new.title = 'refused'
        BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """)
    }
    let failure = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(failure?.details?.persistentIdentifiers == [books[60].persistentModelID])
    #expect(try stored(context).allSatisfy { $0.title == "book \($0.number)" })
    books[60].title = "allowed"
    try context.save()
    #expect(try stored(context)[60].title == "allowed")
  }

  @Test("A save whose row another program deleted throws with the model, and writes nothing")
  func missingRow() throws {
    let context = try open(books: 400)
    let books = try books(context)
    for book in books { book.title = "new" }
    // Another program deletes the row, and this context is not notified.
    let database = try #require(context.container.core.stores.first as? RelationalStore).database
    try database.write { try $0.execute("DELETE FROM \"ManyBook\" WHERE number = 123") }
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.persistentIdentifiers == [books[123].persistentModelID])
    #expect(try stored(context).allSatisfy { $0.title == "book \($0.number)" })
  }

  @Test("A save with a value that cannot be encoded throws with the property, and writes nothing")
  func unwritable() throws {
    struct Refusal: Error {}
    let context = try open(books: 100)
    let books = try books(context)
    for book in books { book.mark = Many.ManyMark(text: book.number == 60 ? "special" : "new") }
    let refuse: @Sendable () throws -> Void = { throw Refusal() }
    Many.ManyMark.$whenWritten.withValue(refuse) {
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error?.details?.property == "mark")
    }
    #expect(try stored(context).allSatisfy { $0.mark.text == "m\($0.number)" })
    try context.save()
    #expect(try stored(context)[60].mark.text == "special")
  }

  @Test("A save fails and writes nothing when a value's encoding changes the context")
  func disturbance() throws {
    let context = try open(books: 100)
    let books = try books(context)
    for book in books { book.mark = Many.ManyMark(text: book.number == 60 ? "special" : "new") }
    nonisolated(unsafe) let first = books[0]
    let disturb: @Sendable () -> Void = { first.title = "disturbed" }
    Many.ManyMark.$whenWritten.withValue(disturb) {
      #expect(throws: SwiftDataError.self) { try context.save() }
    }
    #expect(try stored(context).allSatisfy { $0.mark.text == "m\($0.number)" })
    try context.save()
    #expect(try stored(context)[0].title == "disturbed")
  }

  @Test("Large values of many rows are written in several statements")
  func largeValues() throws {
    let context = try open(books: 40)
    for book in try books(context) {
      book.cover = Data(repeating: UInt8(book.number), count: 100_000)
      book.title = String(repeating: "\(book.number) ", count: 10_000)
    }
    #expect((8...20).contains(try updates(context)))
    for book in try stored(context) {
      #expect(book.cover == Data(repeating: UInt8(book.number), count: 100_000))
      #expect(book.title == String(repeating: "\(book.number) ", count: 10_000))
    }
  }

  @Test("Changed external files of many rows are written, and the previous files are removed")
  func files() throws {
    let context = try open()
    for size in 0..<20 { context.insert(Box(size)) }
    try context.save()
    for round in 1...2 {
      for box in try context.fetch(FetchDescriptor<Box>()) {
        box.image = Data(repeating: UInt8(round * 100 + box.size), count: 200_000)
      }
      try context.save()
    }
    for box in try ModelContext(context.container).fetch(FetchDescriptor<Box>()) {
      #expect(box.image == Data(repeating: UInt8(200 + box.size), count: 200_000))
    }
  }
}
