import Foundation
import SwiftData
import Testing

/// A function that the macro cannot tell from one that never returns, so that it does not report the initializers.
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

@Suite("Properties that no initializer has set")
struct UnsetPropertyTests {
  private func makeContext() throws -> ModelContext {
    try ModelContext(
      ModelContainer(
        for: Unfinished.self, UnfinishedPart.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test("A save refuses a model with an attribute that was never set", arguments: [true, false])
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

  @Test("A save refuses a model with a required relationship that was never set", arguments: [true, false])
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
