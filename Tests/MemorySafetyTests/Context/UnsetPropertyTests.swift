import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// The macro cannot see that this function returns, and so it does not report the initializers.
private func finish() {}

@Model
private final class Unfinished {
  var name: String
  var date: Date
  var tags: [String]

  init(name: String) {
    self.name = name
    finish()
  }
}

@Model
private final class UnfinishedPart {
  var number: Int
  var whole: Unfinished

  init(number: Int) {
    self.number = number
    finish()
  }
}

@Model
private class UnfinishedBase {
  var number: Int

  init(number: Int) {
    self.number = number
  }
}

/// Its table's columns may be null.
@Model
private final class UnfinishedSubclass: UnfinishedBase {
  var name: String

  override init(number: Int) {
    super.init(number: number)
    finish()
  }
}

private struct Marks: Codable, Hashable {
  var first: String?
  var second: Int?
}

/// Has columns for the fields of a structure, all of which may be null.
@Model
private final class UnfinishedSheet {
  var marks: Marks

  init() {
    finish()
  }
}

@Suite("Properties that an initializer leaves unset")
struct UnsetPropertyTests {
  private func makeContext() throws -> ModelContext {
    try ModelContext(
      ModelContainer(
        for: Unfinished.self, UnfinishedPart.self, UnfinishedSubclass.self, UnfinishedSheet.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test("A save refuses a model with an unset attribute", arguments: [true, false])
  func attribute(isRead: Bool) throws {
    let context = try makeContext()
    let model = Unfinished(name: "a")
    if isRead { #expect(model.tags.isEmpty && model.date == Date(timeIntervalSinceReferenceDate: 0)) }
    context.insert(model)
    if isRead { #expect(model.tags.isEmpty && model.date == Date(timeIntervalSinceReferenceDate: 0)) }
    let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
    #expect(error == .modelValidationFailure)
    #expect(error.details?.property == "date")
    #expect(error.details?.persistentIdentifiers == [model.persistentModelID])
    model.date = .distantPast
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    model.tags.append("x")
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Unfinished>()).map(\.tags) == [["x"]])
  }

  @Test("A save refuses a model with an unset attribute whose columns may be null")
  func nullableColumns() throws {
    let context = try makeContext()
    let (derived, sheet) = (UnfinishedSubclass(number: 1), UnfinishedSheet())
    for (model, property) in [(derived as any PersistentModel, "name"), (sheet, "marks")] {
      context.insert(model)
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .modelValidationFailure)
      #expect(error?.details?.property == property)
      context.delete(model)
    }
    context.insert(derived)
    context.insert(sheet)
    derived.name = "set"
    sheet.marks = Marks()
    try context.save()
    let fresh = ModelContext(context.container)
    #expect(try fresh.fetch(FetchDescriptor<UnfinishedBase>()).map { ($0 as? UnfinishedSubclass)?.name } == ["set"])
    #expect(try fresh.fetch(FetchDescriptor<UnfinishedSheet>()).map(\.marks) == [Marks()])
  }

  @Test("A save refuses a model with an unset required relationship", arguments: [true, false])
  func relationship(isRead: Bool) throws {
    let context = try makeContext()
    let model = UnfinishedPart(number: 1)
    if isRead { #expect(model.whole.name.isEmpty) }
    context.insert(model)
    if isRead { #expect(model.whole.name.isEmpty) }
    let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
    #expect(error == .modelValidationFailure)
    #expect(error.details?.issues.map(\.property) == ["whole"])
    #expect(try context.fetchCount(FetchDescriptor<Unfinished>()) == 0)
  }
}
