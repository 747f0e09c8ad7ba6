import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Models that are deleted, rolled back, missing or detached are safe to use")
struct AbsentModelTests {
  enum Way: CaseIterable {
    case deletedPending, deletedUnread, deletedSaved, rolledBack, deletedByOther, deletedByOtherUnread
    case deletedByOtherContainer, contextGone, contextGoneUnread, neverThere
  }

  /// A model without a row or context in the given way, and the objects that the test has to retain for that.
  private func model(_ way: Way) throws -> (model: Everything, kept: [AnyObject]) {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(for: Everything.self, Group.self, configurations: ModelConfiguration(url: folder.file()))
    }
    let container = try open()
    let first = ModelContext(container)
    let made = Everything("a", group: Group("g"))
    made.friends = [Everything("b", group: made.group)]
    first.insert(made)
    if way == .rolledBack {
      first.rollback()
      return (made, [first, folder])
    }
    try first.save()
    let identifier = made.persistentModelID
    let context = ModelContext(container)
    let found = try #require(context.model(for: identifier) as? Everything)
    switch way {
    case .deletedPending, .deletedUnread, .deletedSaved:
      if way != .deletedUnread { #expect(found.readAll() > 0) }
      context.delete(found)
      if way != .deletedPending { try context.save() }
    case .deletedByOther, .deletedByOtherUnread:
      if way == .deletedByOther { #expect(found.readAll() > 0) }
      first.delete(made)
      try first.save()
      context.processPendingChanges()
    case .deletedByOtherContainer:
      let other = ModelContext(try open())
      other.delete(other.model(for: identifier))
      try other.save()
    case .contextGone:
      #expect(found.readAll() > 0)
      return (found, [first, folder])
    case .contextGoneUnread:
      return (found, [first, folder])
    case .neverThere:
      first.delete(made)
      try first.save()
      let other = ModelContext(container)
      return (try #require(other.model(for: identifier) as? Everything), [other, folder])
    case .rolledBack:
      break
    }
    return (found, [first, context, folder])
  }

  @Test("Reading any property of such a model gives a value", arguments: Way.allCases)
  func reading(_ way: Way) throws {
    let (model, kept) = try model(way)
    #expect(model.readAll() > 0)
    withExtendedLifetime(kept) {}
  }

  @Test(
    "Setting properties of a deleted model changes nothing",
    arguments: [
      Way.deletedPending, .deletedUnread, .deletedSaved, .deletedByOther,
    ])
  func writing(_ way: Way) throws {
    let (model, kept) = try model(way)
    let text = model.text
    let list = model.list
    model.writeAll()
    #expect(model.text == text)
    #expect(model.list == list)
    #expect(model.text == "a")
    withExtendedLifetime(kept) {}
  }

  @Test(
    "Setting properties of a detached or rolled back model works as for a plain object",
    arguments: [
      Way.rolledBack, .contextGone,
    ])
  func writingPlain(_ way: Way) throws {
    let (model, kept) = try model(way)
    model.writeAll()
    #expect(model.text == "x")
    #expect(model.list.isEmpty)
    withExtendedLifetime(kept) {}
  }

  @Test("A deleted model keeps its last values")
  func lastValues() throws {
    let (model, kept) = try model(.deletedSaved)
    #expect(model.text == "a")
    #expect(model.shape == .circle(radius: 1))
    #expect(model.address == Place(street: "s", zip: 1))
    #expect(model.modelContext == nil)
    #expect(!model.isDeleted)
    withExtendedLifetime(kept) {}
  }
}
