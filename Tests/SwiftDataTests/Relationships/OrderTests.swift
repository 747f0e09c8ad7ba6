import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("To-many members keep their order across saves and reopening")
struct OrderTests {
  /// Runs steps on an author's books, saves after each, and reads the result with a new container.
  private func order(saving: Bool = true, _ steps: (Author, ModelContext) -> Void...) throws -> [String] {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: folder.file()))
    }
    do {
      let context = ModelContext(try open())
      let author = Author(name: "A")
      context.insert(author)
      for step in steps {
        step(author, context)
        if saving { try context.save() }
      }
      try context.save()
    }
    let context = ModelContext(try open())
    return try context.only(Author.self).books.map(\.isbn)
  }

  private func book(_ isbn: String) -> Book {
    Book(isbn: isbn, title: isbn)
  }

  @Test("Members keep the order in which they were added one by one", arguments: [true, false])
  func added(_ saving: Bool) throws {
    let found = try order(
      saving: saving, { author, _ in author.books.append(book("c")) },
      { author, _ in author.books.append(book("a")) }, { author, _ in book("b").author = author })
    #expect(found == ["c", "a", "b"])
  }

  @Test("Members that were inserted at the front keep their order", arguments: [true, false])
  func front(_ saving: Bool) throws {
    let found = try order(
      saving: saving, { author, _ in author.books = [book("a"), book("b")] },
      { author, _ in author.books.insert(book("c"), at: 0) }, { author, _ in author.books.append(book("d")) })
    #expect(found == ["c", "a", "b", "d"])
  }

  @Test("Members that were reordered and then added to keep their order", arguments: [true, false])
  func reordered(_ saving: Bool) throws {
    let found = try order(
      saving: saving, { author, _ in author.books = ["a", "b", "c"].map(book) },
      { author, _ in author.books.reverse() }, { author, _ in author.books.append(book("d")) })
    #expect(found == ["c", "b", "a", "d"])
  }

  @Test("Members that were removed and added again keep their order", arguments: [true, false])
  func again(_ saving: Bool) throws {
    let found = try order(
      saving: saving, { author, _ in author.books = ["a", "b", "c"].map(book) },
      { author, _ in
        let first = author.books.removeFirst()
        author.books.append(first)
      })
    #expect(found == ["b", "c", "a"])
  }

  @Test("Members have the order of their links, not of their insertions")
  func insertedOtherwise() throws {
    let found = try order({ author, context in
      let (a, b) = (book("a"), book("b"))
      context.insert(a)
      context.insert(b)
      author.books = [b, a]
    })
    #expect(found == ["b", "a"])
  }

  @Test("A member moved to another owner is the last one there")
  func moved() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let first = Author(name: "First")
    let second = Author(name: "Second")
    first.books = ["a", "b"].map(book)
    second.books = ["c", "d"].map(book)
    context.insert(first)
    context.insert(second)
    try context.save()
    let moved = try #require(first.books.first)
    moved.author = second
    try context.save()
    let authors = try container.freshContext().all(Author.self, by: \.name)
    #expect(authors.map { $0.books.map(\.isbn) } == [["b"], ["c", "d", "a"]])
  }

  @Test("Both sides of a many-to-many have an order of their own")
  func manyToMany() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let books = ["a", "b", "c"].map(book)
    let tags = ["x", "y"].map { Tag($0) }
    for book in books { context.insert(book) }
    books[2].tags = [tags[1], tags[0]]
    tags[0].books.append(books[0])
    try context.save()
    tags[1].books.append(books[1])
    tags[0].books.insert(books[1], at: 0)
    try context.save()
    let reader = ModelContext(container)
    let storedTags = try reader.all(Tag.self, by: \.word)
    #expect(storedTags.map { $0.books.map(\.isbn) } == [["b", "c", "a"], ["c", "b"]])
    let storedBooks = try reader.all(Book.self, by: \.isbn)
    #expect(storedBooks.map { $0.tags.map(\.word) } == [["x"], ["y", "x"], ["y", "x"]])
  }

  @Test("The order in memory after a save equals the stored order")
  func memoryAndStore() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    context.insert(Author(name: "A"))
    try context.save()
    let other = ModelContext(container)
    let author = try other.only(Author.self)
    book("a").author = author
    author.books.append(book("b"))
    book("c").author = author
    try other.save()
    #expect(author.books.map(\.isbn) == ["a", "b", "c"])
    #expect(try container.freshContext().only(Author.self).books.map(\.isbn) == ["a", "b", "c"])
  }

  @Test(
    "Inserting a member at either end of a list updates no positions of other members", arguments: [0, 1, 40])
  func positionsWritten(index: Int) throws {
    let log = StatementLog()
    let container = try log.observe { try makeLibrary() }
    let context = ModelContext(container)
    let author = Author(name: "A")
    context.insert(author)
    author.books = (0..<40).map { book("\($0)") }
    try context.save()
    author.books.insert(book("new"), at: index)
    let before = log.statements(of: "UPDATE").count
    try context.save()
    // Members before it get new positions where they are fewer, and one statement searches for members without a position.
    #expect(log.statements(of: "UPDATE").count - before == [0: 1, 1: 2, 40: 0][index])
    var expected = (0..<40).map { "\($0)" }
    expected.insert("new", at: index)
    #expect(try container.freshContext().only(Author.self).books.map(\.isbn) == expected)
  }

  @Test("A member can be inserted at the front of a list whose rows have no positions")
  func frontOfUnplaced() throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: folder.file())))
    }
    do {
      let context = try open()
      let author = Author(name: "A")
      context.insert(author)
      author.books = ["a", "b", "c"].map(book)
      try context.save()
      try context.container.close()
    }
    try StoreFiles.execute("UPDATE Book SET author_position = NULL WHERE isbn <> 'a'", at: folder.file())
    let context = try open()
    let author = try context.only(Author.self)
    #expect(author.books.map(\.isbn) == ["b", "c", "a"])
    author.books.insert(book("new"), at: 0)
    try context.save()
    for context in [context.container.freshContext(), try open()] {
      #expect(try context.only(Author.self).books.map(\.isbn) == ["new", "b", "c", "a"])
    }
  }

  @Test("A member inserted at the front of one side of a many-to-many is the last of the other side")
  func frontOfManyToMany() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let (books, tags) = (["a", "b", "c"].map(book), ["x", "y"].map { Tag($0) })
    for tag in tags { context.insert(tag) }
    for book in books { context.insert(book) }
    try context.save()
    for book in books {
      tags[0].books.insert(book, at: 0)
      tags[1].books.insert(book, at: 0)
      try context.save()
    }
    let reader = container.freshContext()
    #expect(try reader.all(Tag.self, by: \.word).map { $0.books.map(\.isbn) } == [["c", "b", "a"], ["c", "b", "a"]])
    #expect(
      try reader.all(Book.self, by: \.isbn).map { $0.tags.map(\.word) } == Array(repeating: ["x", "y"], count: 3))
  }

  @Test("Random insertions, moves and removals are saved in their order", arguments: 0..<20)
  func randomPositions(seed: UInt64) throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    var random = SeededGenerator(seed: seed)
    let (author, tag) = (Author(name: "A"), Tag("x"))
    context.insert(author)
    context.insert(tag)
    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    for step in 0..<80 {
      let count = author.books.count
      switch draw(6) {
      case 0, 1: author.books.insert(book("\(step)"), at: draw(count + 1))
      case 2 where count > 0: author.books.insert(author.books.remove(at: draw(count)), at: draw(count))
      case 3 where count > 3: author.books.remove(at: draw(count))
      case 4 where count > 0 && draw(4) == 0: author.books.shuffle(using: &random)
      default: author.books.append(book("\(step)"))
      }
      tag.books = author.books
      if draw(3) > 0 { continue }
      try context.save()
      let reader = container.freshContext()
      #expect(try reader.only(Author.self).books.map(\.isbn) == author.books.map(\.isbn))
      #expect(try reader.only(Tag.self).books.map(\.isbn) == author.books.map(\.isbn))
    }
  }
}
