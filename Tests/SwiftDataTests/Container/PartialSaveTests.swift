import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Saves that succeed in one store and fail in another")
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

  /// All stored rows as texts.
  private func stored() throws -> (recipes: [String], books: [String]) {
    let context = ModelContext(container)
    return (
      try context.fetch(FetchDescriptor<Recipe>()).map(\.name).sorted(),
      try context.fetch(FetchDescriptor<Book>())
        .map { "\($0.isbn) \($0.title) \($0.author?.name ?? "-")" }.sorted()
    )
  }

  /// Changes, insertions and deletions in both stores.
  private struct Changes {
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
    (error as? SwiftDataError)?.details?.savedStores
  }

  /// Saves with an error that names the first store as saved.
  private func saveInPart(_ context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try context.save() }
    #expect(try Self.savedStores(#require(error)) == ["recipes"], "\(error as Any)", sourceLocation: sourceLocation)
  }

  /// Expects that the part for the first store is saved, and that the part for the second one is pending.
  private func expectHalf(_ changes: Changes) throws {
    let context = changes.context
    #expect(changes.recipes[0].hasChanges == false)
    #expect(changes.recipes[1].modelContext == nil)
    #expect(!changes.newRecipe.persistentModelID.isTemporary)
    #expect(context.registeredModel(for: changes.newRecipe.persistentModelID) as Recipe? === changes.newRecipe)
    #expect(context.hasChanges)
    #expect(context.insertedModelsArray.map { $0 as AnyObject === changes.newBook } == [true])
    #expect(changes.newBook.persistentModelID.isTemporary)
    #expect(context.changedModelsArray.allSatisfy { $0 is Book || $0 is Author })
    #expect(context.changedModelsArray.contains { $0 as AnyObject === changes.books[0] })
    #expect(context.deletedModelsArray.map { $0 as AnyObject === changes.books[1] } == [true])
    #expect(changes.books[0].title == "1st")
    let (recipes, books) = try stored()
    #expect(recipes == Changes.done.recipes)
    #expect(books == Self.filled.books)
  }

  @Test("A failure in the second store leaves its part pending, and the next save writes it")
  func everyCall() throws {
    var call = 0
    while true {
      let suite = try Self()
      let changes = try Changes(suite.container)
      suite.faults.fail(call...call, with: .diskFull)
      var error: (any Error)?
      do { try changes.context.save() } catch let failure { error = failure }
      guard suite.faults.stop() > 0 else {
        #expect(error == nil)
        break
      }
      #expect(try Self.savedStores(#require(error)) == ["recipes"], "call \(call)")
      #expect((error as? SwiftDataError)?.details?.store == "library")
      #expect((error as? SwiftDataError)?.details?.storeFailureReason == .diskFull)
      try suite.expectHalf(changes)
      try changes.context.save()
      #expect(!changes.context.hasChanges)
      try changes.context.save()
      let (recipes, books) = try suite.stored()
      #expect(recipes == Changes.done.recipes, "call \(call)")
      #expect(books == Changes.done.books, "call \(call)")
      call += 1
    }
    #expect(call > 3)
  }

  @Test("Repeated failures of the second store write the first store's part once")
  func repeatedFailure() throws {
    let changes = try Changes(container)
    faults.failAll(with: .busy)
    try saveInPart(changes.context)
    for _ in 0..<3 {
      let error = #expect(throws: SwiftDataError.storeFailure) { try changes.context.save() }
      #expect(error?.details?.savedStores == [])
    }
    // A new change for the first store is saved, though the second store still fails.
    changes.recipes[0].name = "white bread"
    try saveInPart(changes.context)
    faults.stop()
    let (recipes, books) = try stored()
    #expect(recipes == ["cake", "white bread"])
    #expect(books == Self.filled.books)
    try changes.context.save()
    #expect(try stored().recipes == ["cake", "white bread"])
    #expect(try stored().books == Changes.done.books)
  }

  @Test("Rollback after a partial save restores what is stored")
  func rollback() throws {
    let changes = try Changes(container)
    faults.failAll()
    try saveInPart(changes.context)
    faults.stop()
    changes.context.rollback()
    #expect(!changes.context.hasChanges)
    #expect(changes.recipes[0].name == "rye bread")
    #expect(changes.recipes[1].modelContext == nil)
    #expect(changes.newRecipe.modelContext === changes.context)
    #expect(changes.books.map(\.title) == ["One", "Two"])
    #expect(changes.books[1].modelContext === changes.context)
    #expect(changes.books[0].author?.books.map(\.isbn) == ["1", "2"])
    #expect(changes.newBook.modelContext == nil)
    try changes.context.save()
    #expect(try stored().recipes == Changes.done.recipes)
    #expect(try stored().books == Self.filled.books)
    changes.books[0].title = "1st"
    changes.newRecipe.name = "cakes"
    try changes.context.save()
    #expect(try stored().recipes == ["cakes", "rye bread"])
    #expect(try stored().books.first == "1 1st Ann")
  }

  @Test("Inserting a model again whose deletion the second store failed to save keeps links of other contexts")
  func undeletion() throws {
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

  @Test("A repeated unique value fails in the second store, and the next save succeeds once it is free")
  func uniqueValue() throws {
    let changes = try Changes(container)
    // A model gets the unique value of another row.
    changes.context.rollback()
    changes.recipes[0].name = "rye bread"
    changes.books[1].isbn = "1"
    try saveInPart(changes.context)
    #expect(try stored().recipes == ["rye bread", "soup"])
    #expect(try stored().books == Self.filled.books)
    #expect(changes.books[1].hasChanges)
    #expect(!changes.recipes[0].hasChanges)
    changes.books[1].isbn = "9"
    try changes.context.save()
    #expect(try stored().books == ["1 One Ann", "9 Two Ann"])
    #expect(try stored().recipes == ["rye bread", "soup"])
  }

  @Test("Other contexts get change notifications only of the saved part")
  func otherContexts() throws {
    let watching = ModelContext(container)
    let recipes = try watching.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.name)]))
    let books = try watching.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    let changes = try Changes(container)
    faults.failAll()
    try saveInPart(changes.context)
    faults.stop()
    watching.processPendingChanges()
    #expect(recipes[0].name == "rye bread")
    #expect(recipes[1].modelContext == nil)
    #expect(books.map(\.title) == ["One", "Two"])
    try changes.context.save()
    watching.processPendingChanges()
    #expect(books[0].title == "1st")
    #expect(books[1].modelContext == nil)
  }

  @Test("A failure of the first store saves nothing, and the error names no saved store")
  func firstStore() throws {
    let changes = try Changes(container)
    try StoreFiles.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON Recipe BEGIN SELECT RAISE(ABORT, 'refused'); END
      """, at: folder.file("recipes.store"))
    let error = #expect(throws: (any Error).self) { try changes.context.save() }
    #expect(try Self.savedStores(#require(error)) == [])
    #expect(changes.recipes[0].hasChanges)
    #expect(changes.newRecipe.persistentModelID.isTemporary)
    let (recipes, books) = try stored()
    #expect(recipes == Self.filled.recipes)
    #expect(books == Self.filled.books)
    try StoreFiles.execute("DROP TRIGGER refuse", at: folder.file("recipes.store"))
    try changes.context.save()
    #expect(try stored().recipes == Changes.done.recipes)
    #expect(try stored().books == Changes.done.books)
  }

  // MARK: With a custom store

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

  @Test("An error of a custom store that comes second is the underlying error of one that names the saved stores")
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

  @Test("A custom store that comes first and returns an invalid result has saved its part")
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
    let failure = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(failure?.details?.savedStores == [])
    faults.stop()
    try context.save()
    #expect(custom.ledger.written.inserted == 1)
    #expect(try ModelContext(container).only(Book.self).title == "One")
    #expect(try ModelContext(container).only(Recipe.self).name == "soup")
  }
}
