import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Saves of which one store keeps its part and another does not")
struct PartialSaveTests {
  private let folder: TemporaryFolder
  private let faults = CallFailures()
  private let container: ModelContainer

  /// The second store is the one that can fail.
  init() throws {
    folder = try TemporaryFolder()
    let recipes = ModelConfiguration(
      "recipes", schema: Schema([Recipe.self]), url: folder.file("recipes.store"))
    let library = ModelConfiguration("library", url: folder.file("library.store"))
    let (faults, count) = (faults, CallCount())
    let wrap: @Sendable (any Database) -> any Database = { count.next() == 2 ? faults.wrap($0) : $0 }
    container = try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(
        for: Schema([Recipe.self, Author.self, Book.self, Tag.self]), configurations: [recipes, library])
    }
    let context = ModelContext(container)
    for name in ["bread", "soup"] { context.insert(Recipe(name)) }
    let author = Author(name: "Ann")
    author.books = [Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two")]
    context.insert(author)
    try context.save()
  }

  private final class CallCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private static let filled = (recipes: ["bread", "soup"], books: ["1 One Ann", "2 Two Ann"])

  /// What is stored, in words.
  private func stored() throws -> (recipes: [String], books: [String]) {
    let context = ModelContext(container)
    return (
      try context.fetch(FetchDescriptor<Recipe>()).map(\.name).sorted(),
      try context.fetch(FetchDescriptor<Book>())
        .map { "\($0.isbn) \($0.title) \($0.author?.name ?? "-")" }.sorted()
    )
  }

  /// Changes, insertions and deletions in both stores.
  private struct Work {
    let context: ModelContext
    let recipes: [Recipe]
    let books: [Book]
    let newRecipe = Recipe("cake")
    let newBook = Book(isbn: "3", title: "Three")

    init(_ container: ModelContainer) throws {
      context = ModelContext(container)
      recipes = try context.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.name)]))
      books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
      recipes[0].name = "rye bread"
      context.delete(recipes[1])
      context.insert(newRecipe)
      books[0].title = "1st"
      newBook.author = books[0].author
      context.delete(books[1])
    }

    static let done = (recipes: ["cake", "rye bread"], books: ["1 1st Ann", "3 Three Ann"])
  }

  private static func savedStores(_ error: any Error) -> [String]? {
    (error as? StoreFailure)?.savedStores ?? (error as? SwiftDataError)?.details?.savedStores
  }

  /// Saves what cannot be saved as a whole.
  private func saveInPart(_ context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try context.save() }
    #expect(try Self.savedStores(#require(error)) == ["recipes"], "\(error as Any)", sourceLocation: sourceLocation)
  }

  /// Expects that the part for the first store is done, and that for the second still to be done.
  private func expectHalf(_ work: Work) throws {
    let context = work.context
    #expect(work.recipes[0].hasChanges == false)
    #expect(work.recipes[1].modelContext == nil)
    #expect(!work.newRecipe.persistentModelID.isTemporary)
    #expect(context.registeredModel(for: work.newRecipe.persistentModelID) as Recipe? === work.newRecipe)
    #expect(context.hasChanges)
    #expect(context.insertedModelsArray.map { $0 as AnyObject === work.newBook } == [true])
    #expect(work.newBook.persistentModelID.isTemporary)
    #expect(context.changedModelsArray.allSatisfy { $0 is Book || $0 is Author })
    #expect(context.changedModelsArray.contains { $0 as AnyObject === work.books[0] })
    #expect(context.deletedModelsArray.map { $0 as AnyObject === work.books[1] } == [true])
    #expect(work.books[0].title == "1st")
    let (recipes, books) = try stored()
    #expect(recipes == Work.done.recipes)
    #expect(books == Self.filled.books)
  }

  @Test("Whatever fails in the second store, the first part is done, the rest waits, and the next save does the rest")
  func everyCall() throws {
    var call = 0
    while true {
      let suite = try Self()
      let work = try Work(suite.container)
      suite.faults.fail(call...call, with: .diskFull)
      var error: (any Error)?
      do { try work.context.save() } catch let failure { error = failure }
      guard suite.faults.stop() > 0 else {
        #expect(error == nil)
        break
      }
      #expect(try Self.savedStores(#require(error)) == ["recipes"], "call \(call)")
      #expect((error as? StoreFailure)?.store == "library")
      #expect((error as? StoreFailure)?.reason == .diskFull)
      try suite.expectHalf(work)
      try work.context.save()
      #expect(!work.context.hasChanges)
      try work.context.save()
      let (recipes, books) = try suite.stored()
      #expect(recipes == Work.done.recipes, "call \(call)")
      #expect(books == Work.done.books, "call \(call)")
      call += 1
    }
    #expect(call > 3)
  }

  @Test("A save that goes on failing writes the first part once")
  func repeatedFailure() throws {
    let work = try Work(container)
    faults.failAll(with: .busy)
    try saveInPart(work.context)
    for _ in 0..<3 {
      let error = #expect(throws: StoreFailure.self) { try work.context.save() }
      #expect(error?.savedStores == [])
    }
    // What is new for the first store is done, though the second still fails.
    work.recipes[0].name = "white bread"
    try saveInPart(work.context)
    faults.stop()
    let (recipes, books) = try stored()
    #expect(recipes == ["cake", "white bread"])
    #expect(books == Self.filled.books)
    try work.context.save()
    #expect(try stored().recipes == ["cake", "white bread"])
    #expect(try stored().books == Work.done.books)
  }

  @Test("A rollback afterwards gives what is stored")
  func rollback() throws {
    let work = try Work(container)
    faults.failAll()
    try saveInPart(work.context)
    faults.stop()
    work.context.rollback()
    #expect(!work.context.hasChanges)
    #expect(work.recipes[0].name == "rye bread")
    #expect(work.recipes[1].modelContext == nil)
    #expect(work.newRecipe.modelContext === work.context)
    #expect(work.books.map(\.title) == ["One", "Two"])
    #expect(work.books[1].modelContext === work.context)
    #expect(work.books[0].author?.books.map(\.isbn) == ["1", "2"])
    #expect(work.newBook.modelContext == nil)
    try work.context.save()
    #expect(try stored().recipes == Work.done.recipes)
    #expect(try stored().books == Self.filled.books)
    work.books[0].title = "1st"
    work.newRecipe.name = "cakes"
    try work.context.save()
    #expect(try stored().recipes == ["cakes", "rye bread"])
    #expect(try stored().books.first == "1 1st Ann")
  }

  @Test("A deletion that waits for the second store, and is taken back, keeps what others have linked meanwhile")
  func reinstatement() throws {
    let theirs = ModelContext(container)
    let tags = ["a", "b"].map(Tag.init)
    for tag in tags { theirs.insert(tag) }
    let other = try theirs.all(Book.self, by: \.isbn)[1]
    other.tags = [tags[0]]
    try theirs.save()
    let context = ModelContext(container)
    let book = try context.all(Book.self, by: \.isbn)[1]
    book.tags = []
    context.delete(book)
    try context.all(Recipe.self, by: \.name)[0].name = "rye bread"
    tags[1].books.append(other)
    try theirs.save()
    context.processPendingChanges()
    faults.failAll()
    try saveInPart(context)
    faults.stop()
    context.insert(book)
    #expect(book.tags.map(\.word) == ["b"])
    try context.save()
    #expect(book.tags.map(\.word) == ["b"])
    #expect(try container.freshContext().all(Book.self, by: \.isbn).map { $0.tags.map(\.word) } == [[], ["b"]])
  }

  @Test("A unique value that is taken stops the second part, and the next save does it when it is free")
  func uniqueValue() throws {
    let work = try Work(container)
    // Another one wants the value of a row that stays.
    work.context.rollback()
    work.recipes[0].name = "rye bread"
    work.books[1].isbn = "1"
    try saveInPart(work.context)
    #expect(try stored().recipes == ["rye bread", "soup"])
    #expect(try stored().books == Self.filled.books)
    #expect(work.books[1].hasChanges)
    #expect(!work.recipes[0].hasChanges)
    work.books[1].isbn = "9"
    try work.context.save()
    #expect(try stored().books == ["1 One Ann", "9 Two Ann"])
    #expect(try stored().recipes == ["rye bread", "soup"])
  }

  @Test("Other contexts are told of what was saved, and of nothing else")
  func otherContexts() throws {
    let watching = ModelContext(container)
    let recipes = try watching.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.name)]))
    let books = try watching.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    let work = try Work(container)
    faults.failAll()
    try saveInPart(work.context)
    faults.stop()
    watching.processPendingChanges()
    #expect(recipes[0].name == "rye bread")
    #expect(recipes[1].modelContext == nil)
    #expect(books.map(\.title) == ["One", "Two"])
    try work.context.save()
    watching.processPendingChanges()
    #expect(books[0].title == "1st")
    #expect(books[1].modelContext == nil)
  }

  @Test("When the first store fails nothing is saved, and the error names none")
  func firstStore() throws {
    let work = try Work(container)
    try StoreFiles.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON Recipe BEGIN SELECT RAISE(ABORT, 'refused'); END
      """, at: folder.file("recipes.store"))
    let error = #expect(throws: (any Error).self) { try work.context.save() }
    #expect(try Self.savedStores(#require(error)) == [])
    #expect(work.recipes[0].hasChanges)
    #expect(work.newRecipe.persistentModelID.isTemporary)
    let (recipes, books) = try stored()
    #expect(recipes == Self.filled.recipes)
    #expect(books == Self.filled.books)
    try StoreFiles.execute("DROP TRIGGER refuse", at: folder.file("recipes.store"))
    try work.context.save()
    #expect(try stored().recipes == Work.done.recipes)
    #expect(try stored().books == Work.done.books)
  }

  // MARK: Beside a custom store

  private func mixed(_ custom: UnreliableConfiguration, isFirst: Bool) throws -> ModelContainer {
    var custom = custom
    custom.schema = Schema([Recipe.self])
    let library = ModelConfiguration("library", url: folder.file("mixed.store"))
    return try DatabaseInterception.$wrap.withValue(faults.wrap) {
      try ModelContainer(
        for: Schema([Recipe.self, Author.self, Book.self, Tag.self]),
        configurations: isFirst ? [custom, library] : [library, custom])
    }
  }

  @Test("The error of a custom store that comes second is the underlying one of an error that tells what was saved")
  func customStoreSecond() throws {
    let custom = UnreliableConfiguration()
    let container = try mixed(custom, isFirst: false)
    let context = ModelContext(container)
    let (recipe, book) = (Recipe("soup"), Book(isbn: "1", title: "One"))
    context.insert(recipe)
    context.insert(book)
    custom.ledger.edit { $0.failsToWrite = true }
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.savedStores == ["library"])
    #expect(error?.details?.underlyingError is UnreliableError)
    #expect(!book.persistentModelID.isTemporary)
    #expect(recipe.persistentModelID.isTemporary)
    #expect(throws: UnreliableError.writing) { try context.save() }
    custom.ledger.edit { $0.failsToWrite = false }
    try context.save()
    try context.save()
    #expect(custom.ledger.written.inserted == 1)
    #expect(try ModelContext(container).only(Book.self).title == "One")
    #expect(try ModelContext(container).only(Recipe.self).name == "soup")
  }

  @Test("A custom store that comes first and answers nonsense has saved its part")
  func customStoreFirst() throws {
    let custom = UnreliableConfiguration()
    let container = try mixed(custom, isFirst: true)
    let context = ModelContext(container)
    let (recipe, book) = (Recipe("soup"), Book(isbn: "1", title: "One"))
    context.insert(recipe)
    context.insert(book)
    custom.ledger.edit { $0.answer = .noIdentifier }
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.savedStores == ["unreliable"])
    #expect(recipe.modelContext == nil)
    #expect(context.insertedModelsArray.map { $0 as AnyObject === book } == [true])
    custom.ledger.edit { $0.answer = .sound }
    faults.failAll()
    let failure = #expect(throws: StoreFailure.self) { try context.save() }
    #expect(failure?.savedStores == [])
    faults.stop()
    try context.save()
    #expect(custom.ledger.written.inserted == 1)
    #expect(try ModelContext(container).only(Book.self).title == "One")
    #expect(try ModelContext(container).only(Recipe.self).name == "soup")
  }
}
