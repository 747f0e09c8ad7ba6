import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum Faults {
  enum Other {
    @Model final class Twin {
      init() {}
    }
  }

  @Model final class Twin {
    init() {}
  }

  @Model final class Lettered {
    var website = ""
    var webSite = ""
    init() {}
  }

  /// Cannot be stored.
  struct Opaque {
    var number = 0
  }

  @Model final class Options {
    @Attribute(.externalStorage) var text = ""
    @Attribute(.unique, .externalStorage) var data: Data?
    @Attribute(.unique, .ephemeral) var passing = 0
    @Attribute(.transformable(by: "Faults.NoSuchTransformer")) var opaque: Opaque?
    init() {}
  }

  @Model final class Counts {
    @Relationship(minimumModelCount: 3, maximumModelCount: 2, inverse: nil) var crossed: [Twin] = []
    @Relationship(minimumModelCount: -1, inverse: nil) var negative: [Twin] = []
    @Relationship(.unique, inverse: nil) var unique: [Twin] = []
    init() {}
  }

  @Model final class Constraints {
    #Unique<Constraints>([\.transient], [\.computed], [\.many, \.name], [\.place])
    #Index<Constraints>([\.name, \.passing], [\.many], [\.place.latitude])

    var name = ""
    var place = Household.Place(latitude: 0, longitude: 0)
    @Transient var transient = 0
    @Attribute(.ephemeral) var passing = 0
    @Relationship(inverse: nil) var many: [Twin] = []
    var computed: Int { 1 }
    init() {}
  }

  @Model final class Mislabelled {
    @Relationship var names: [String] = []
    @Attribute(.unique, originalName: "old") var twin: Twin?
    init() {}
  }
}

@Suite("Invalid schemas")
struct SchemaFaultTests {
  private func issues(_ schema: Schema) -> [SwiftDataError.Issue] {
    let error = #expect(throws: SwiftDataError.self) { try schema.validate() }
    #expect(error == .loadIssueModelContainer)
    return error?.details?.issues ?? []
  }

  @Test("Valid schemas pass")
  func validSchemas() throws {
    try Schema([Household.Person.self, Traffic.Taxi.self]).validate()
    try Schema().validate()
  }

  @Test("Two types with the same simple name are refused")
  func sameSimpleName() throws {
    let issue = try #require(issues(Schema([Faults.Twin.self, Faults.Other.Twin.self])).first)
    #expect(issue.entity == "Twin")
    #expect(issue.message.contains("Faults.Twin"))
    #expect(issue.message.contains("Faults.Other.Twin"))
  }

  @Test("A property that repeats an inherited one is refused")
  func repeatedInheritedProperty() {
    let child = Schema.Entity("Child", properties: Schema.Attribute(name: "name", valueType: Int.self))
    let parent = Schema.Entity(
      "Parent", subentities: child, properties: Schema.Attribute(name: "name", valueType: Int.self))
    #expect(issues(Schema(parent)).map(\.entity) == ["Child"])
  }

  @Test("A type that cannot be stored is refused")
  func unstorableType() throws {
    let entity = Schema.Entity("Holder", properties: Schema.Attribute(name: "value", valueType: Faults.Opaque.self))
    entity.modelType = Faults.Twin.self
    let issue = try #require(issues(Schema(entity)).first)
    #expect(issue.property == "value")
    #expect(issue.message.contains("Opaque"))
  }

  @Test("Options that do not fit their property are refused")
  func invalidOptions() {
    let issues = issues(Schema([Faults.Options.self]))
    #expect(issues.map(\.property) == ["data", "opaque", "passing"])
    #expect(issues.contains { $0.message.contains("Faults.NoSuchTransformer") })
  }

  @Test("Contradictory counts and uniqueness of a to-many are refused")
  func contradictoryCounts() {
    #expect(issues(Schema([Faults.Counts.self])).map(\.property) == ["crossed", "negative", "unique"])
  }

  @Test("Constraints and indexes over properties without a column are refused")
  func constraintsAndIndexes() {
    let issues = issues(Schema([Faults.Constraints.self]))
    #expect(issues.filter { $0.property == nil }.count == 2)
    #expect(Set(issues.compactMap(\.property)) == ["many", "place", "passing"])
  }

  @Test("@Relationship on a value is refused; @Attribute on a relationship is applied")
  func otherMacro() throws {
    let schema = Schema([Faults.Mislabelled.self])
    #expect(issues(schema).map(\.property) == ["names"])
    let twin = try #require(schema.entitiesByName["Mislabelled"]?.relationshipsByName["twin"])
    #expect(twin.isUnique)
    #expect(twin.originalName == "old")
  }

  @Test("Relationships of a schema made by hand without a destination entity are refused")
  func missingDestination() {
    let schema = Schema([Household.Pet.self])
    let pet = schema.entitiesByName["Pet"]
    let entity = Schema.Entity("Single")
    entity.storedProperties = pet?.storedProperties ?? []
    #expect(issues(Schema(entity)).map(\.property) == ["owner"])
  }

  @Test("All issues are reported together, and a single one in the error's own details")
  func allIssuesAreReported() throws {
    #expect(issues(Schema([Faults.Options.self, Faults.Counts.self])).count == 6)
    let error = #expect(throws: SwiftDataError.self) { try Schema([Faults.Lettered.self]).validate() }
    #expect(error?.details?.entity == "Lettered")
    #expect(error?.details?.property == "webSite")
  }
}
