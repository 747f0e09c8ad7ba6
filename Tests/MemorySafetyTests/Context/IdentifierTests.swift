import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Persistent identifiers")
struct IdentifierTests {
  @Test("An identifier is temporary until the first save and permanent afterwards")
  func permanence() throws {
    let context = ModelContext(try makeLibrary())
    let tag = Tag("a")
    let plain = tag.persistentModelID
    #expect(plain.storeIdentifier == nil)
    context.insert(tag)
    #expect(tag.persistentModelID == plain)
    try context.save()
    let permanent = tag.persistentModelID
    #expect(permanent != plain)
    #expect(permanent.storeIdentifier != nil)
    #expect(permanent.entityName == "Tag")
    tag.word = "b"
    try context.save()
    #expect(tag.persistentModelID == permanent)
    #expect(tag.id == permanent)
  }

  @Test("An identifier stays the same when the model is deleted or its context is released")
  func afterwards() throws {
    let container = try makeLibrary()
    var context: ModelContext? = ModelContext(container)
    let deleted = Tag("a")
    let kept = Tag("b")
    context?.insert(deleted)
    context?.insert(kept)
    try context?.save()
    let identifiers = [deleted, kept].map(\.persistentModelID)
    context?.delete(deleted)
    try context?.save()
    context = nil
    #expect(deleted.modelContext == nil)
    #expect(kept.modelContext != nil)
    #expect([deleted, kept].map(\.persistentModelID) == identifiers)
    let other = ModelContext(container)
    #expect(try other.only(Tag.self) == kept)
  }

  @Test("Identifiers are encoded as Apple's are", arguments: [true, false])
  func coding(isSaved: Bool) throws {
    let context = ModelContext(try makeLibrary())
    let tag = Tag("a")
    context.insert(tag)
    if isSaved { try context.save() }
    let identifier = tag.persistentModelID
    let data = try JSONEncoder().encode(identifier)
    #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: data) == identifier)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    let implementation = try #require(object["implementation"])
    #expect(object.count == 1)
    #expect(implementation["entityName"] as? String == "Tag")
    #expect(implementation["isTemporary"] as? Bool == !isSaved)
    #expect((implementation["primaryKey"] as? String)?.first == (isSaved ? "p" : "t"))
    #expect((implementation["uriRepresentation"] as? String)?.hasPrefix("x-coredata://") == true)
    #expect((implementation["storeIdentifier"] as? String != nil) == isSaved)
  }

  @Test("Two containers give one row equal identifiers")
  func twoContainers() throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    }
    let first = try open()
    let second = try open()
    let context = ModelContext(first)
    let tag = Tag("a")
    context.insert(tag)
    try context.save()
    let found = try second.freshContext().only(Tag.self)
    #expect(found.persistentModelID == tag.persistentModelID)
    #expect(found == tag)
    #expect(Set([found.persistentModelID, tag.persistentModelID]).count == 1)
    #expect((second.freshContext().model(for: tag.persistentModelID) as? Tag)?.word == "a")
  }

  @Test("Identifiers are ordered by the insertion of their rows")
  func order() throws {
    let context = ModelContext(try makeLibrary())
    let tags = (0..<12).map { Tag("\($0)") }
    for tag in tags { context.insert(tag) }
    try context.save()
    let identifiers = tags.map(\.persistentModelID)
    #expect(identifiers.shuffled().sorted() == identifiers)
  }

  @Test("Identifiers find registered models, and other models through the store")
  func lookingUp() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let tag = Tag("a")
    context.insert(tag)
    let temporary = tag.persistentModelID
    #expect(context.model(for: temporary) === tag)
    #expect((context.registeredModel(for: temporary) as Tag?) === tag)
    try context.save()
    let identifier = tag.persistentModelID
    #expect(context.model(for: identifier) === tag)
    let other = ModelContext(container)
    #expect((other.registeredModel(for: identifier) as Tag?) == nil)
    let found = try #require(other.model(for: identifier) as? Tag)
    #expect(found.word == "a")
    #expect((other.registeredModel(for: identifier) as Tag?) === found)
    #expect((other.registeredModel(for: identifier) as Book?) == nil)
    #expect(try other.only(Tag.self) === found)
  }

  /// An identifier decoded from another's JSON with the name of another entity in it.
  private func renamed(_ identifier: PersistentIdentifier, _ entity: String) throws -> PersistentIdentifier {
    let text = String(decoding: try JSONEncoder().encode(identifier), as: UTF8.self)
    let changed = text.replacingOccurrences(
      of: #""entityName":"\#(identifier.entityName)""#, with: #""entityName":"\#(entity)""#)
    #expect(changed != text)
    return try JSONDecoder().decode(PersistentIdentifier.self, from: Data(changed.utf8))
  }

  @Test("An unsaved model's identifier finds nothing under another entity's name")
  func otherEntity() throws {
    let context = ModelContext(try makeLibrary())
    let tag = Tag("a")
    context.insert(tag)
    let decoded = try renamed(tag.persistentModelID, "Book")
    #expect(decoded.isTemporary)
    let found = try #require(context.model(for: decoded) as? Book)
    #expect(found.title == "")
    #expect((context.registeredModel(for: decoded) as Tag?) == nil)
    #expect((context.registeredModel(for: tag.persistentModelID) as Tag?) === tag)
  }

  @Test("An unsaved model's identifier also finds it under its superclass's entity name")
  func baseEntity() throws {
    let context = ModelContext(try makeTrips())
    let trip = Trip(destination: "Rome")
    let business = BusinessTrip(destination: "Oslo", purpose: "talks")
    context.insert(trip)
    context.insert(business)
    #expect(try context.model(for: renamed(business.persistentModelID, "Trip")) === business)
    #expect(try context.model(for: renamed(trip.persistentModelID, "BusinessTrip")) !== trip)
    #expect(try context.model(for: renamed(business.persistentModelID, "HolidayTrip")) !== business)
  }

  @Test("The identifier of a missing row gives a model that is safe to read")
  func noRow() throws {
    let container = try makeLibrary()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "One", pages: 3)
    context.insert(book)
    try context.save()
    let identifier = book.persistentModelID
    context.delete(book)
    try context.save()
    let found = try #require(container.freshContext().model(for: identifier) as? Book)
    #expect(found.pages == 0)
    #expect(found.title == "")
    #expect(found.author == nil)
    #expect(found.tags.isEmpty)
  }
}
