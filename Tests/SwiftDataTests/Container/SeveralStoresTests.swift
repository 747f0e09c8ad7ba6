import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Several configurations")
struct SeveralStoresTests {
  private let folder: TemporaryFolder
  private let recipes: ModelConfiguration
  private let rest: ModelConfiguration

  init() throws {
    folder = try TemporaryFolder()
    recipes = ModelConfiguration(schema: Schema([Recipe.self]), url: folder.file("recipes.store"))
    rest = ModelConfiguration(url: folder.file("rest.store"))
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: Schema([Recipe.self, Author.self]), configurations: [rest, recipes])
  }

  @Test("Each model is saved in the store whose configuration lists it, others in the store without a list")
  func modelsByConfiguration() throws {
    let context = ModelContext(try open())
    context.insert(Recipe("soup"))
    context.insert(Author(name: "Ursula"))
    try context.save()
    #expect(try StoreFiles.texts("SELECT name FROM Recipe", at: folder.file("recipes.store")) == ["soup"])
    #expect(try StoreFiles.texts("SELECT name FROM Author", at: folder.file("rest.store")) == ["Ursula"])
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'swiftdata%' ORDER BY name"
    #expect(try StoreFiles.texts(tables, at: folder.file("recipes.store")) == ["Recipe"])
    #expect(try StoreFiles.texts(tables, at: folder.file("rest.store")) == ["Author", "Book", "Book_tags", "Tag"])

    let again = ModelContext(try open())
    #expect(try again.fetch(FetchDescriptor<Recipe>()).map(\.name) == ["soup"])
    #expect(try again.fetch(FetchDescriptor<Author>()).map(\.name) == ["Ursula"])
  }

  @Test("When one store cannot be opened the others keep their schemas")
  func unopenableStore() throws {
    let first = ModelConfiguration(schema: Schema([First.Item.self]), url: folder.file("items.store"))
    let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: first))
    context.insert(First.Item(title: "a"))
    try context.save()
    try Data("This is a letter.".utf8).write(to: folder.file("rest.store"))
    let second = ModelConfiguration(schema: Schema([Shrunk.Item.self]), url: folder.file("items.store"))
    try expectRefusal(in: folder) {
      try ModelContainer(for: Schema([Shrunk.Item.self, Recipe.self]), configurations: [second, rest])
    }
    #expect(try StoreFiles.texts("SELECT count FROM Item", at: folder.file("items.store")) == ["0"])
  }

  @Test("Identifiers identify their store")
  func identifiersNameStores() throws {
    let container = try open()
    let context = ModelContext(container)
    let models: (Recipe, Author) = (Recipe("soup"), Author(name: "Ursula"))
    context.insert(models.0)
    context.insert(models.1)
    try context.save()
    #expect(
      models.0.persistentModelID.storeIdentifier == container.storeIdentifier(forConfigurationNamed: "recipes"))
    #expect(models.1.persistentModelID.storeIdentifier == container.storeIdentifier(forConfigurationNamed: "rest"))
    #expect(models.0.persistentModelID.storeIdentifier != models.1.persistentModelID.storeIdentifier)
  }

  @Test("A relationship between models of different stores is refused")
  func relationshipBetweenStores() throws {
    let authors = ModelConfiguration("a", schema: Schema([Author.self]), url: folder.file("a.store"))
    let crossing = Schema([Borrower.self, Recipe.self])
    let borrowers = ModelConfiguration("b", schema: crossing, url: folder.file("b.store"))
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Schema([Recipe.self, Author.self, Borrower.self]), configurations: [authors, recipes, borrowers])
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.details?.issues.map(\.property) == ["recipe"])
    #expect(try StoreFiles.contents(of: folder.url).isEmpty)
  }

  @Test("Erasing empties every store, and they can be used afterwards")
  func erasingEmptiesEvery() throws {
    let container = try open()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "t", author: Author(name: "a"))
    book.tags = [Tag("x")]
    context.insert(book)
    context.insert(Recipe("soup"))
    try context.save()
    let identifier = book.persistentModelID
    try container.erase()
    let after = ModelContext(container)
    #expect(try after.fetchCount(FetchDescriptor<Book>()) == 0)
    #expect(try after.fetchCount(FetchDescriptor<Recipe>()) == 0)
    let new = Book(isbn: "1", title: "new")
    after.insert(new)
    try after.save()
    #expect(new.persistentModelID != identifier, "an identifier from before the erasure must not name another row")
  }

  @Test("Contexts detach their persistent models when the container is erased")
  func erasingDetachesModels() throws {
    let container = try open()
    let context = ModelContext(container)
    let author = Author(name: "a")
    context.insert(Book(isbn: "1", title: "t", author: author))
    let soup = Recipe("soup")
    context.insert(soup)
    try context.save()
    let pending = Author(name: "pending")
    context.insert(pending)
    author.name = "changed"
    try container.erase()
    #expect(try context.fetchCount(FetchDescriptor<Recipe>()) == 0)
    #expect(soup.modelContext == nil)
    #expect(author.modelContext == nil)
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Author>()).map(\.name) == ["pending"])
  }

  @Test("`deleteAllData()` empties the stores")
  func deleteAllDataEmptiesStores() throws {
    let container = try open()
    let context = ModelContext(container)
    context.insert(Recipe("soup"))
    try context.save()
    container.deleteAllData()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Recipe>()) == 0)
  }
}

@Model
final class Borrower {
  @Relationship(inverse: nil) var recipe: Recipe?

  init() {}
}
