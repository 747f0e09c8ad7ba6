import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Several objects that stood for one deleted row")
struct RevivedCopiesTests {
  private func open() throws -> (ModelContainer, ModelContext, Beast) {
    let container = try makeContainer(Master.self, Beast.self, Medal.self)
    let context = ModelContext(container)
    let beast = Beast("b")
    context.insert(beast)
    try context.save()
    return (container, context, beast)
  }

  @Test("Two contexts' objects of one deleted row can be inserted into one context")
  func copiesOfTwoContexts() throws {
    let (container, context, mine) = try open()
    let other = ModelContext(container)
    let theirs = try other.only(Beast.self)
    let identifier = mine.persistentModelID
    context.delete(mine)
    try context.save()
    other.processPendingChanges()
    #expect(theirs.modelContext == nil)
    context.insert(mine)
    context.insert(theirs)
    #expect(throws: Never.self) { try context.save() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 2)
    #expect(mine.persistentModelID == identifier)
    #expect(theirs.persistentModelID != identifier)
  }

  @Test("The same in one context, whose second object was made by identifier after the deletion")
  func copiesOfOneContext() throws {
    let (container, context, mine) = try open()
    let identifier = mine.persistentModelID
    context.delete(mine)
    try context.save()
    let ghost = try #require(context.model(for: identifier) as? Beast)
    _ = ghost.name
    context.delete(ghost)
    try context.save()
    context.insert(mine)
    // It never had a row that it could bring back, which the save tells once.
    context.insert(ghost)
    #expect(throws: SwiftDataError.self) { try context.save() }
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Beast>()) == 1)
    #expect(mine.persistentModelID == identifier)
    #expect(mine.modelContext === context)
  }

  @Test("Two objects of one row, with a unique value that was changed on one of them")
  func unique() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let mine = Book(isbn: "1", title: "one")
    context.insert(mine)
    try context.save()
    let other = ModelContext(container)
    let theirs = try other.only(Book.self)
    context.delete(mine)
    try context.save()
    other.processPendingChanges()
    context.insert(mine)
    context.insert(theirs)
    theirs.isbn = "2"
    #expect(throws: Never.self) { try context.save() }
    #expect(try ModelContext(container).all(Book.self, by: \.isbn).map(\.isbn) == ["1", "2"])
  }
}
