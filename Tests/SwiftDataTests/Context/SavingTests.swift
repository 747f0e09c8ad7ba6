import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Saving and fetching")
struct SavingTests {
  @Test("Another context fetches a saved model with its values")
  func roundTrip() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let author = Author(name: "Ursula", born: 1929)
    context.insert(author)
    let book = Book(isbn: "1", title: "The Dispossessed", pages: 341, author: author)
    context.insert(book)
    try context.save()

    let other = ModelContext(container)
    let books = try other.fetch(FetchDescriptor<Book>())
    let found = try #require(books.first)
    #expect(books.count == 1)
    #expect(found.title == "The Dispossessed")
    #expect(found.pages == 341)
    #expect(found.author?.name == "Ursula")
    #expect(found.author?.books.map(\.isbn) == ["1"])
    #expect(found.persistentModelID == book.persistentModelID)
  }
}
