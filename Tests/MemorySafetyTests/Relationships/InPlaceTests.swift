import Foundation
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// In-place changes of a base class's property; a subclass has accessors of its own.
@Model
class TaggedNotebook {
  var tags: [String] = []

  init() {}
}

@Model
final class CountingNotebook: TaggedNotebook {
  @Transient var count = 0

  override var tags: [String] {
    get { super.tags }
    set {
      count += 1
      super.tags.removeAll()
      super.tags += newValue
    }
  }

  override init() {
    super.init()
  }
}

@Suite("Members changed in place")
struct InPlaceTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try makeLibrary()
    context = ModelContext(container)
  }

  private func author(_ name: String = "Ada", books: Int = 0) throws -> Author {
    let author = Author(name: name)
    context.insert(author)
    for number in 0..<books { author.books.append(Book(isbn: "\(name)-\(number)", title: "t")) }
    try context.save()
    return author
  }

  private func storage(of books: [Book]) -> Int {
    books.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
  }

  private func isbnsInStore(of name: String) throws -> [String] {
    let other = ModelContext(container)
    return try #require(try other.all(Author.self, by: \.name).first { $0.name == name }).books.map(\.isbn)
  }

  @Test(
    "Appending one by one does not copy the array, whether the owner is transient, pending, saved or observed",
    arguments: ["plain", "inserted", "registered", "observed"])
  func noCopies(kind: String) throws {
    let author = Author(name: "Ada")
    if kind != "plain" { context.insert(author) }
    if kind == "registered" { try context.save() }
    author.books.append(Book(isbn: "first", title: "t"))
    let notifications = Mutex(0)
    func track() {
      withObservationTracking {
        _ = author.books
      } onChange: {
        notifications.withLock { $0 += 1 }
      }
    }
    var addresses: Set<Int> = [storage(of: author.books)]
    for number in 0..<2000 {
      if kind == "observed" { track() }
      author.books.append(Book(isbn: "\(number)", title: "t"))
      addresses.insert(storage(of: author.books))
    }
    // The array doubles its capacity each time.
    #expect(addresses.count <= 14)
    #expect(author.books.count == 2001)
    #expect(author.books.allSatisfy { $0.author === author })
    #expect(notifications.withLock(\.self) == (kind == "observed" ? 2000 : 0))
    context.insert(author)
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == author.books.map(\.isbn))
    expectSound(context)
  }

  @Test("`append(contentsOf:)` and `+=` change a to-many in place")
  func severalAtOnce() throws {
    let author = try author(books: 1)
    author.books.append(contentsOf: (0..<3).lazy.map { Book(isbn: "s\($0)", title: "t") })
    author.books += [Book(isbn: "p", title: "t"), Book(isbn: "q", title: "t")]
    author.books.append(contentsOf: [])
    #expect(author.books.map(\.isbn) == ["Ada-0", "s0", "s1", "s2", "p", "q"])
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-0", "s0", "s1", "s2", "p", "q"])
  }

  @Test("A statement that appends and also makes other changes sets the whole property")
  func mixed() throws {
    let author = try author(books: 3)
    let (first, second) = (author.books[0], author.books[1])
    func change(_ books: inout [Book]) {
      books.append(Book(isbn: "n1", title: "t"))
      books.swapAt(0, 1)
      books.append(Book(isbn: "n2", title: "t"))
      books.remove(at: 1)
    }
    change(&author.books)
    #expect(author.books.map(\.isbn) == ["Ada-1", "Ada-2", "n1", "n2"])
    #expect(first.author == nil)
    #expect(second.author === author)
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-1", "Ada-2", "n1", "n2"])
    expectSound(context)
  }

  @Test("A member that joins from its own side during a statement does not disturb the appended members")
  func otherSideMeanwhile() throws {
    let author = try author(books: 1)
    let (appended, linked) = (Book(isbn: "a", title: "t"), Book(isbn: "l", title: "t"))
    context.insert(linked)
    func fill(_ books: inout [Book]) {
      books.append(appended)
      linked.author = author
    }
    fill(&author.books)
    // The statement's array replaces the members, as with any other array.
    #expect(author.books.map(\.isbn) == ["Ada-0", "a"])
    #expect(appended.author === author)
    #expect(linked.author == nil)
    let drafts: [Book?] = [Book(isbn: "e", title: "t"), nil]
    author.books.append(
      contentsOf: drafts.lazy.map { draft in
        if let draft { return draft }
        let book = Book(isbn: "n", title: "t")
        book.author = author
        return book
      })
    #expect(author.books.map(\.isbn) == ["Ada-0", "a", "e", "n"])
    #expect(author.books.allSatisfy { $0.author === author })
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-0", "a", "e", "n"])
    expectSound(context)
  }

  @Test("A subclass's override of a property is called once, and may change the superclass's property in place")
  func overridden() throws {
    let context = ModelContext(
      try ModelContainer(for: CountingNotebook.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let tagged = CountingNotebook()
    tagged.tags.append("plain")
    context.insert(tagged)
    tagged.tags.append("inserted")
    #expect(tagged.count == 2)
    try context.save()
    let found = try context.container.freshContext().fetch(FetchDescriptor<TaggedNotebook>())
    #expect(found.map(\.tags) == [["plain", "inserted"]])
  }

  @Test("A replacement before an append in one statement is not lost")
  func changedBefore() throws {
    let author = try author(books: 3)
    func change(_ books: inout [Book]) {
      books[0] = Book(isbn: "other", title: "t")
      books.append(Book(isbn: "last", title: "t"))
    }
    change(&author.books)
    #expect(author.books.map(\.isbn) == ["other", "Ada-1", "Ada-2", "last"])
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["other", "Ada-1", "Ada-2", "last"])
  }

  @Test("Appending to a copy of a to-many does not change the to-many, even while it is being changed")
  func copies() throws {
    let author = try author(books: 2)
    var copy = author.books
    copy.append(Book(isbn: "x", title: "t"))
    #expect(author.books.count == 2)
    author.books.removeAll { book in
      var inner = author.books
      inner.append(Book(isbn: "y", title: "t"))
      #expect(author.books.count == 2)
      return book.isbn == "Ada-0"
    }
    func change(_ books: inout [Book]) {
      var inner = books
      inner.append(Book(isbn: "z", title: "t"))
      books.append(Book(isbn: "n", title: "t"))
      #expect(inner.map(\.isbn) == ["Ada-1", "z"])
      #expect(books.map(\.isbn) == ["Ada-1", "n"])
    }
    change(&author.books)
    #expect(author.books.map(\.isbn) == ["Ada-1", "n"])
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-1", "n"])
  }

  @Test("Arrays read earlier keep their elements when the to-many changes")
  func snapshots() throws {
    let author = try author(books: 1)
    var snapshots: [[Book]] = []
    for number in 0..<10 {
      snapshots.append(author.books)
      author.books.append(Book(isbn: "\(number)", title: "t"))
    }
    #expect(snapshots.map(\.count) == Array(1...10))
    #expect(author.books.count == 11)
  }

  @Test("Appending a member again keeps its position, and adds it once")
  func duplicates() throws {
    let author = try author(books: 3)
    let book = author.books[0]
    author.books.append(book)
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1", "Ada-2"])
    let new = Book(isbn: "n", title: "t")
    author.books.append(contentsOf: [new, new, book])
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1", "Ada-2", "n"])
    let tag = Tag("t")
    context.insert(tag)
    book.tags.append(tag)
    book.tags.append(tag)
    tag.books.append(book)
    #expect(book.tags.count == 1)
    #expect(tag.books.count == 1)
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-0", "Ada-1", "Ada-2", "n"])
    expectSound(context)
  }

  @Test("Appending another owner's member moves it")
  func moves() throws {
    let (first, second) = (try author("A", books: 3), try author("B", books: 1))
    second.books.append(first.books[1])
    #expect(first.books.map(\.isbn) == ["A-0", "A-2"])
    #expect(second.books.map(\.isbn) == ["B-0", "A-1"])
    try context.save()
    #expect(try isbnsInStore(of: "A") == ["A-0", "A-2"])
    #expect(try isbnsInStore(of: "B") == ["B-0", "A-1"])
    let other = ModelContext(container)
    let unread = try #require(try other.all(Author.self, by: \.name).last)
    let moved = try #require(try other.all(Book.self, by: \.isbn).first)
    #expect(unread.books.count == 2)
    unread.books.append(moved)
    #expect(moved.author === unread)
    try other.save()
    #expect(try isbnsInStore(of: "A") == ["A-2"])
    #expect(try isbnsInStore(of: "B") == ["B-0", "A-1", "A-0"])
  }

  @Test("Appending another context's model appends this context's model of the same row")
  func foreign() throws {
    let author = try author(books: 1)
    let other = ModelContext(container)
    let lonely = Book(isbn: "lonely", title: "t")
    other.insert(lonely)
    try other.save()
    author.books.append(lonely)
    #expect(author.books.count == 2)
    #expect(author.books[1] !== lonely)
    #expect(author.books[1].isbn == "lonely")
    let unsaved = Book(isbn: "unsaved", title: "t")
    other.insert(unsaved)
    author.books.append(unsaved)
    #expect(author.books.count == 2)
  }

  @Test("Appending a deleted model restores it, and a deleted owner gets no members")
  func deleted() throws {
    let author = try author(books: 2)
    let book = author.books[1]
    context.delete(book)
    author.books.append(book)
    #expect(!book.isDeleted)
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1"])
    try context.save()
    context.delete(author)
    let late = Book(isbn: "late", title: "t")
    author.books.append(late)
    #expect(late.author == nil)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test("A statement that throws keeps the changes it made before")
  func throwing() throws {
    struct Stop: Error {}
    let author = try author(books: 2)
    func change(_ books: inout [Book]) throws {
      books.append(Book(isbn: "n", title: "t"))
      throw Stop()
    }
    #expect(throws: Stop.self) { try change(&author.books) }
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1", "n"])
    author.books.append(Book(isbn: "m", title: "t"))
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-0", "Ada-1", "n", "m"])
  }

  @Test("Nested statements each change their own to-many")
  func nested() throws {
    let (first, second) = (try author("A", books: 2), try author("B", books: 2))
    func change(_ books: inout [Book]) {
      books.append(Book(isbn: "n1", title: "t"))
      second.books.append(Book(isbn: "m", title: "t"))
      books.append(Book(isbn: "n2", title: "t"))
    }
    change(&first.books)
    #expect(first.books.map(\.isbn) == ["A-0", "A-1", "n1", "n2"])
    #expect(second.books.map(\.isbn) == ["B-0", "B-1", "m"])
    try context.save()
    #expect(try isbnsInStore(of: "A") == ["A-0", "A-1", "n1", "n2"])
    #expect(try isbnsInStore(of: "B") == ["B-0", "B-1", "m"])
  }

  @Test("When a statement also assigns the property inside, the statement's array replaces the assignment")
  func changedMeanwhile() throws {
    let author = try author(books: 2)
    func change(_ books: inout [Book]) {
      books.append(Book(isbn: "n1", title: "t"))
      author.books = []
      books.append(Book(isbn: "n2", title: "t"))
    }
    change(&author.books)
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1", "n1", "n2"])
    try context.save()
    #expect(try isbnsInStore(of: "Ada") == ["Ada-0", "Ada-1", "n1", "n2"])
    expectSound(context)
  }

  @Test("A rollback removes appended members")
  func rollback() throws {
    let author = try author(books: 2)
    for number in 0..<100 { author.books.append(Book(isbn: "\(number)", title: "t")) }
    context.rollback()
    #expect(author.books.map(\.isbn) == ["Ada-0", "Ada-1"])
    #expect(!context.hasChanges)
  }

  @Test("A statement that suspends may end on another thread")
  func suspended() async throws {
    let author = try author(books: 1)
    func change(_ books: inout [Book]) async {
      for number in 0..<50 {
        books.append(Book(isbn: "\(number)", title: "t"))
        await Task.yield()
      }
    }
    await change(&author.books)
    #expect(author.books.count == 51)
    author.books.append(Book(isbn: "last", title: "t"))
    try context.save()
    #expect(try isbnsInStore(of: "Ada").count == 52)
  }

  @Test("Arrays outside of models are changed as usual")
  func values() throws {
    let everything = Author(name: "x")
    var authors: [Author] = []
    authors.append(everything)
    authors += [everything]
    authors.append(contentsOf: [everything])
    #expect(authors.count == 3)
    func add<Model: PersistentModel>(_ model: Model, to models: inout [Model]) { models.append(model) }
    add(everything, to: &authors)
    #expect(authors.count == 4)
  }

  // MARK: Random changes

  /// A shelf of models, made alike for each of two contexts.
  private struct Shelf {
    let context: ModelContext
    let authors: [Author]
    let books: [Book]
    let tags: [Tag]

    init() throws {
      context = ModelContext(try makeLibrary())
      authors = (0..<3).map { Author(name: "\($0)") }
      books = (0..<10).map { Book(isbn: "\($0)", title: "t") }
      tags = (0..<4).map { Tag("\($0)") }
      for author in authors { context.insert(author) }
      for book in books { context.insert(book) }
      for tag in tags { context.insert(tag) }
      try context.save()
    }

    var description: [String] {
      authors.map { "\($0.name): \($0.books.map(\.isbn))" } + books.map { "\($0.isbn): \($0.tags.map(\.word))" }
        + tags.map { "\($0.word): \($0.books.map(\.isbn))" }
        + books.map { "\($0.isbn) of \($0.author?.name ?? "none")" }
    }
  }

  /// The same random change of any array.
  private static func change<Model>(
    _ members: inout [Model], among all: [Model], _ generator: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let model = all.randomElement(using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where !members.isEmpty: members.removeLast()
      case 1 where !members.isEmpty: members.remove(at: Int.random(in: 0..<members.count, using: &generator))
      case 2 where members.count > 1: members.swapAt(0, members.count - 1)
      case 3: model.map { members.insert($0, at: 0) }
      default: model.map { members.append($0) }
      }
    }
  }

  @Test("A to-many changed in place has the same members as one that was set", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    let (changed, set) = (try Shelf(), try Shelf())
    var generator = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let (author, book) = (Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<10, using: &generator))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        for shelf in [changed, set] { try shelf.context.save() }
      case 1:
        for shelf in [changed, set] { shelf.context.rollback() }
      case 2:
        for shelf in [changed, set] { shelf.books[book].author = shelf.authors[author] }
      case 3..<8:
        var again = generator
        changeInPlace(&changed.authors[author].books, among: changed.books, &generator)
        var copy = set.authors[author].books
        Self.change(&copy, among: set.books, &again)
        set.authors[author].books = copy
      default:
        var again = generator
        changeInPlace(&changed.books[book].tags, among: changed.tags, &generator)
        var copy = set.books[book].tags
        Self.change(&copy, among: set.tags, &again)
        set.books[book].tags = copy
      }
      try #require(changed.description == set.description, "seed \(seed), step \(step)")
    }
    for shelf in [changed, set] { try shelf.context.save() }
    #expect(changed.description == set.description)
    for shelf in [changed, set] {
      let stored = ModelContext(shelf.context.container)
      let books = Dictionary(
        uniqueKeysWithValues: try stored.all(Book.self, by: \.isbn).map { ($0.isbn, $0) })
      for book in shelf.books {
        #expect(books[book.isbn]?.author?.name == book.author?.name)
        #expect(books[book.isbn]?.tags.map(\.word) == book.tags.map(\.word))
      }
      for (author, other) in zip(shelf.authors, try stored.all(Author.self, by: \.name)) {
        #expect(author.books.map(\.isbn) == other.books.map(\.isbn))
      }
      expectSound(shelf.context)
    }
  }

  /// The same as `change`, with the methods that arrays of models have.
  private func changeInPlace<Model: PersistentModel>(
    _ members: inout [Model], among all: [Model], _ generator: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let model = all.randomElement(using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where !members.isEmpty: members.removeLast()
      case 1 where !members.isEmpty: members.remove(at: Int.random(in: 0..<members.count, using: &generator))
      case 2 where members.count > 1: members.swapAt(0, members.count - 1)
      case 3: model.map { members.insert($0, at: 0) }
      default: model.map { members.append($0) }
      }
    }
  }
}
