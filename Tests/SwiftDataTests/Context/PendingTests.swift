import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Pending changes and saving")
struct PendingTests {
  @Test("The three arrays list what a save will write, and a save empties them")
  func arrays() throws {
    let context = ModelContext(try makeLibrary())
    let kept = Tag("kept")
    let removed = Tag("removed")
    context.insert(kept)
    context.insert(removed)
    #expect(context.insertedModelsArray.map(\.persistentModelID) == [kept, removed].map(\.persistentModelID))
    #expect(context.changedModelsArray.isEmpty)
    kept.word = "changed before the save"
    #expect(context.changedModelsArray.isEmpty)
    try context.save()
    #expect(!context.hasChanges)
    #expect(!kept.hasChanges)
    let added = Tag("added")
    context.insert(added)
    kept.word = "changed"
    context.delete(removed)
    #expect(context.hasChanges)
    #expect(context.insertedModelsArray.count == 1)
    #expect(context.changedModelsArray.count == 1)
    #expect(context.deletedModelsArray.count == 1)
    #expect(kept.hasChanges && added.hasChanges && removed.hasChanges)
    try context.save()
    #expect(!context.hasChanges)
    #expect(context.insertedModelsArray.isEmpty)
    #expect(context.changedModelsArray.isEmpty)
    #expect(context.deletedModelsArray.isEmpty)
  }

  @Test("An inserted model that is deleted before the save is never written")
  func insertedAndDeleted() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let tag = Tag("a")
    context.insert(tag)
    context.delete(tag)
    #expect(!context.hasChanges)
    #expect(tag.modelContext == nil)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test("Deleting a model twice, or one without a context, changes nothing")
  func deletingTwice() throws {
    let context = ModelContext(try makeLibrary())
    let tag = Tag("a")
    context.delete(Tag("plain"))
    #expect(!context.hasChanges)
    context.insert(tag)
    try context.save()
    context.delete(tag)
    context.delete(tag)
    #expect(context.deletedModelsArray.count == 1)
    try context.save()
    context.delete(tag)
    #expect(!context.hasChanges)
  }

  @Test("A deleted model that is inserted before the save is kept")
  func deletedAndInserted() throws {
    let context = ModelContext(try makeLibrary())
    let tag = Tag("a")
    context.insert(tag)
    try context.save()
    context.delete(tag)
    context.insert(tag)
    #expect(!tag.isDeleted)
    try context.save()
    #expect(try context.only(Tag.self) === tag)
  }

  @Test("A fetch includes pending changes unless includePendingChanges is false", arguments: [true, false])
  func overlay(_ includesPending: Bool) throws {
    let context = ModelContext(try makeLibrary())
    for word in ["a", "b", "c"] { context.insert(Tag(word)) }
    try context.save()
    let tags = try context.all(Tag.self, by: \.word)
    tags[0].word = "z"
    context.delete(tags[1])
    context.insert(Tag("d"))
    var descriptor = FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)])
    descriptor.includePendingChanges = includesPending
    #expect(try context.fetchCount(descriptor) == 3)
    let found = try context.fetch(descriptor)
    #expect(found.contains { $0 === tags[1] } == !includesPending)
    #expect(found.contains { $0.word == "d" } == includesPending)
    #expect(try context.fetchIdentifiers(descriptor) == found.map(\.persistentModelID))
    if includesPending { #expect(found.map(\.word) == ["c", "d", "z"]) }
  }

  @Test("A transaction saves the changes of its block")
  func transaction() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    try context.transaction { context.insert(Tag("a")) }
    #expect(!context.hasChanges)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test("A transaction whose block throws saves nothing, and leaves the changes pending")
  func transactionThrows() throws {
    struct Stop: Error {}
    let container = try makeLibrary()
    let context = ModelContext(container)
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Tag("a"))
        throw Stop()
      }
    }
    #expect(context.insertedModelsArray.count == 1)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 0)
    context.rollback()
    #expect(!context.hasChanges)
  }

  @Test("A failed save changes neither context nor store, and a corrected one succeeds")
  func failedSave() throws {
    let container = try makeRules()
    let context = ModelContext(container)
    let team = Team("t")
    let order = Purchase(1)
    context.insert(order)
    try context.save()
    order.number = 2
    context.insert(team)
    let temporary = team.persistentModelID
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(team.persistentModelID == temporary)
    #expect(context.insertedModelsArray.count == 1)
    #expect(context.changedModelsArray.count == 1)
    #expect(try container.freshContext().only(Purchase.self).number == 1)
    team.players = [Player("p")]
    try context.save()
    #expect(try container.freshContext().only(Purchase.self).number == 2)
    #expect(try container.freshContext().only(Team.self).players.count == 1)
  }

  @Test("A save that the store refuses leaves everything pending")
  func refusedByStore() throws {
    let folder = try TemporaryFolder()
    let writable = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    let readOnly = try ModelContainer(
      for: Tag.self, configurations: ModelConfiguration(url: folder.file(), allowsSave: false))
    let context = ModelContext(readOnly)
    context.insert(Tag("a"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.insertedModelsArray.count == 1)
    #expect(try writable.freshContext().fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test("A save reports a model whose type is not in the schema")
  func unknownType() throws {
    let context = ModelContext(try makeLibrary())
    context.insert(Track("t"))
    #expect(context.hasChanges)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.issues.map(\.entity) == ["Track"])
    #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Track>()) }
  }

  @Test("Deleting by type deletes all rows or the matching ones, but no unsaved models")
  func deletingByType() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    for number in 0..<6 { context.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try context.save()
    context.insert(Book(isbn: "new", title: "t", pages: 0))
    try context.delete(model: Book.self, where: #Predicate { $0.pages < 3 })
    #expect(context.deletedModelsArray.count == 3)
    context.rollback()
    try context.delete(model: Book.self, where: #Predicate { $0.pages < 3 })
    try context.save()
    #expect(try container.freshContext().all(Book.self, by: \.pages).map(\.pages) == [3, 4, 5])
    try context.delete(model: Book.self)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 0)
  }
}
