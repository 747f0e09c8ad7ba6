import SwiftData
import Testing

@testable import TestSupport

@Suite("Linking and inserting")
struct LinkingTests {
  enum Step: CaseIterable {
    case insertAuthor, insertBook, linkFromBook
  }

  static let orders: [[Step]] = [
    [.insertAuthor, .insertBook, .linkFromBook], [.insertAuthor, .linkFromBook, .insertBook],
    [.insertBook, .insertAuthor, .linkFromBook], [.insertBook, .linkFromBook, .insertAuthor],
    [.linkFromBook, .insertAuthor, .insertBook], [.linkFromBook, .insertBook, .insertAuthor],
  ]

  @Test("The order of linking and inserting does not matter", arguments: orders, [true, false])
  func everyOrder(_ steps: [Step], fromTheBook: Bool) throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let author = Author(name: "A")
    let book = Book(isbn: "1", title: "One")
    for step in steps {
      switch step {
      case .insertAuthor: context.insert(author)
      case .insertBook: context.insert(book)
      case .linkFromBook: if fromTheBook { book.author = author } else { author.books.append(book) }
      }
    }
    #expect(context.insertedModelsArray.count == 2)
    #expect(book.author === author)
    #expect(author.books.map(\.isbn) == ["1"])
    try context.save()
    let stored = try container.freshContext().only(Author.self)
    #expect(stored.books.map(\.isbn) == ["1"])
  }

  @Test("Inserting a root registers everything it reaches")
  func root() throws {
    let context = ModelContext(try makeLibrary())
    let author = Author(name: "A")
    let book = Book(isbn: "1", title: "One", author: author)
    let tag = Tag("red")
    book.tags = [tag]
    let other = Book(isbn: "2", title: "Two")
    tag.books.append(other)
    context.insert(author)
    #expect(context.insertedModelsArray.count == 4)
    #expect(author.books.count == 1)
    for model: any PersistentModel in [author, book, tag, other] { #expect(model.modelContext === context) }
  }

  @Test("A link made in an initializer is visible from the other side once the model is inserted")
  func initializerLinks() throws {
    let context = ModelContext(try makeRelations())
    let root = Node("root")
    let child = Node("child", parent: root, children: [Node("a"), Node("b")])
    context.insert(child)
    #expect(root.modelContext === context)
    #expect(root.children.map(\.name) == ["child"])
    #expect(child.children.map(\.name) == ["a", "b"])
    #expect(child.children.allSatisfy { $0.parent === child })
  }

  @Test("Members set in an initializer and members appended later are linked alike")
  func initializerThenSetter() throws {
    let context = ModelContext(try makeRelations())
    let first = Node("first")
    let second = Node("second")
    let root = Node("root", children: [first])
    root.children.append(second)
    context.insert(root)
    #expect(first.parent === root)
    #expect(second.parent === root)
    #expect(root.children.map(\.name) == ["first", "second"])
  }

  @Test("Setting a relationship to the value from the initializer links both sides")
  func initializerThenSame() throws {
    let context = ModelContext(try makeRelations())
    let root = Node("root")
    let child = Node("child", parent: root)
    child.parent = root
    #expect(root.children.map(\.name) == ["child"])
    context.insert(root)
    #expect(root.children.map(\.name) == ["child"])
    #expect(child.modelContext === context)
  }

  @Test("A link made in an initializer and again from the other side counts once")
  func initializerAndOtherSide() throws {
    let context = ModelContext(try makeRelations())
    let first = Node("first")
    let root = Node("root", children: [first])
    first.parent = root
    context.insert(root)
    #expect(root.children.map(\.name) == ["first"])
    try context.save()
    #expect(root.children.map(\.name) == ["first"])
  }

  @Test("Linking a new model to a registered one registers it", arguments: [true, false])
  func linkingRegisters(fromTheBook: Bool) throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    context.insert(Author(name: "A"))
    try context.save()
    let author = try context.only(Author.self)
    let book = Book(isbn: "1", title: "One")
    book.tags = [Tag("red")]
    if fromTheBook { book.author = author } else { author.books.append(book) }
    #expect(book.modelContext === context)
    #expect(context.insertedModelsArray.count == 2)
    try context.save()
    #expect(try container.freshContext().only(Tag.self).books.first?.author?.name == "A")
  }

  @Test("Linking a saved model of another context links this context's object of the same row")
  func otherContext() throws {
    let container = try makeLibrary()
    let first = ModelContext(container)
    let author = Author(name: "A")
    first.insert(author)
    try first.save()
    let second = ModelContext(container)
    let book = Book(isbn: "1", title: "One")
    second.insert(book)
    book.author = author
    #expect(book.author !== author)
    #expect(book.author == author)
    let other = Book(isbn: "2", title: "Two")
    second.insert(other)
    book.author?.books.append(other)
    #expect(author.books.isEmpty)
    try second.save()
    #expect(try container.freshContext().only(Author.self).books.map(\.isbn) == ["1", "2"])
    #expect(!first.hasChanges)
  }

  @Test("An unsaved model of another context is not linked, and the next save reports it once")
  func unsavedOtherContext() throws {
    let container = try makeLibrary()
    let first = ModelContext(container)
    let author = Author(name: "A")
    first.insert(author)
    let second = ModelContext(container)
    let book = Book(isbn: "1", title: "One")
    second.insert(book)
    book.author = author
    #expect(book.author == nil)
    #expect(author.books.isEmpty)
    #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
    try second.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("A saved model of another store is not linked, and the next save reports it")
  func otherStore() throws {
    let other = ModelContext(try makeLibrary())
    let author = Author(name: "A")
    other.insert(author)
    try other.save()
    let context = ModelContext(try makeLibrary())
    let book = Book(isbn: "1", title: "One")
    context.insert(book)
    book.author = author
    #expect(book.author == nil)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.message?.contains("another store") == true)
    #expect(author.books.isEmpty)
  }
}
