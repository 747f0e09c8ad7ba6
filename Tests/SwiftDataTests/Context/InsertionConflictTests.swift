import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Permit {
  #Unique<Permit>([\.number], [\.country, \.serial])

  var number: String
  var country: String
  var serial: Int
  var holder: String

  init(_ number: String, _ country: String, _ serial: Int, holder: String) {
    self.number = number
    self.country = country
    self.serial = serial
    self.holder = holder
  }
}

@Suite("Insertions that must not become updates")
struct InsertionConflictTests {
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Permit.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.insert(Permit("secret-1", "secret-land", 71_717_171, holder: "first"))
    try context.save()
    context.allowsUpserts = false
  }

  private func holders() throws -> [String] {
    try ModelContext(context.container).fetch(FetchDescriptor<Permit>()).map(\.holder).sorted()
  }

  @Test(
    "An insertion conflict names the properties and models, reveals no values and discards nothing",
    arguments: [("secret-1", "x", 1, "number"), ("y", "secret-land", 71_717_171, "country, serial")])
  func refused(number: String, country: String, serial: Int, properties: String) throws {
    let stored = try #require(try context.fetch(FetchDescriptor<Permit>()).first)
    let model = Permit(number, country, serial, holder: "second")
    context.insert(model)
    context.insert(Permit("fine", "fine", 1, holder: "third"))
    stored.holder = "changed"
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .insertionConflict)
    let details = try #require(error?.details)
    #expect(details.entity == "Permit")
    #expect(details.property == properties)
    #expect(details.persistentIdentifiers == [model.persistentModelID, stored.persistentModelID])
    #expect(details.issues.map(\.property) == [properties])
    for text in [error?.description, error?.errorDescription, error?.failureReason, error?.recoverySuggestion] {
      #expect(text?.contains("secret") != true)
      #expect(text?.contains("71717171") != true)
    }
    #expect(try holders() == ["first"])
    #expect(context.insertedModelsArray.count == 2)
    model.number = "other"
    model.serial = 3
    try context.save()
    #expect(try holders() == ["changed", "second", "third"])
  }

  @Test("Two inserted models with equal unique values conflict as well")
  func amongInserted() throws {
    context.insert(Permit("a", "b", 1, holder: "second"))
    context.insert(Permit("a", "c", 1, holder: "third"))
    let error = #expect(throws: SwiftDataError.insertionConflict) { try context.save() }
    #expect(error?.details?.persistentIdentifiers == context.insertedModelsArray.map(\.persistentModelID).reversed())
    context.allowsUpserts = true
    try context.save()
    #expect(try holders() == ["first", "third"])
  }

  @Test("Unique values released by a deletion or change of the same save are free")
  func released() throws {
    let stored = try #require(try context.fetch(FetchDescriptor<Permit>()).first)
    stored.number = "given up"
    context.insert(Permit("secret-1", "x", 1, holder: "second"))
    try context.save()
    context.delete(stored)
    context.insert(Permit("given up", "secret-land", 71_717_171, holder: "third"))
    try context.save()
    #expect(try holders() == ["second", "third"])
  }
}
