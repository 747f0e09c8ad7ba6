import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A container refuses an invalid schema")
struct SchemaValidationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let types: [any PersistentModel.Type]
    let entity: String
    let property: String?
    let words: String
  }

  static let cases = [
    Case(
      testDescription: "two types of one name", types: [Shop.Order.self, ShopV2.Order.self], entity: "Order",
      property: nil, words: "Two types are called Order"),
    Case(
      testDescription: "an ambiguous inverse", types: [Faulty.Person.self], entity: "Place", property: "people",
      words: "Person.home and Person.work"),
    Case(
      testDescription: "uniqueness of a to-many", types: [Faulty.Team.self], entity: "Team", property: "members",
      words: "to-many"),
    Case(
      testDescription: "a minimum above the maximum", types: [Faulty.Limits.self], entity: "Limits",
      property: "items", words: "above the maximum"),
    Case(
      testDescription: "uniqueness in external storage", types: [Faulty.Stored.self], entity: "Stored",
      property: "image", words: "cannot be unique"),
    Case(
      testDescription: "names that differ in capitals", types: [Faulty.Cased.self], entity: "Cased",
      property: "webSite", words: "differ in case only"),
    Case(
      testDescription: "an unknown transformer", types: [Faulty.Transformed.self], entity: "Transformed",
      property: "value", words: "NobodyRegisteredThis"),
  ]

  @Test("The error for an invalid schema names entity, property and remedy", arguments: cases)
  func refused(_ example: Case) throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Schema(example.types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error == .loadIssueModelContainer)
    let issues = try #require(error?.details?.issues)
    let issue = try #require(
      issues.first { $0.entity == example.entity && (example.property == nil || $0.property == example.property) })
    #expect(issue.message.contains(example.words))
    #expect(error.map { "\($0)".contains(example.words) } == true)
  }

  @Test("A schema with declared inverses is accepted")
  func accepted() throws {
    _ = try ModelContainer(
      for: Schema([Shop.Customer.self, Shop.Book.self]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }
}
