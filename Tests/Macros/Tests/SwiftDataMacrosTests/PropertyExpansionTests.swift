import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import TestedMacros

/// How `@Model` parses the declaration of a property.
@Suite("Parsing stored properties")
struct PropertyExpansionTests {
  private func property(_ source: String) throws -> StoredProperty {
    let declaration = try VariableDeclSyntax("\(raw: source)")
    return try #require(StoredProperty.properties(in: declaration).first)
  }

  @Test(
    "A default value in the metadata has the declared type if it needs one",
    arguments: [
      ("var kind: Kind = .car", ".car as Kind"),
      ("var tags: [String: [Int]] = [:]", "[:] as [String: [Int]]"),
      ("var price: Double = 1", "1 as Double"),
      ("var note: String? = nil", "nil as String?"),
      ("var note: String! = nil", "nil as String?"),
      ("var total: Double = 1 + 2", "(1 + 2) as Double"),
      ("var side: Side = isLeft ? .left : .right", "(isLeft ? .left : .right) as Side"),
      ("var start: Date = .init() // today", ".init() as Date"),
      ("var count: Int = { 3 }()", "{ 3 }() as Int"),
      ("var date = Date.now", "Date.now"),
    ])
  func defaultValue(source: String, text: String) throws {
    #expect(try property(source).typedInitialValue == text)
  }

  @Test("A property without a default value has none in the metadata")
  func noDefaultValue() throws {
    #expect(try property("var name: String").typedInitialValue == nil)
  }

  @Test(
    "A name in backticks has none in the schema",
    arguments: [
      ("var `default`: Int", "default", "_default"), ("var `my name`: Int", "my name", "`_my name`"),
      ("var name: Int", "name", "_name"),
    ])
  func escapedName(source: String, name: String, storage: String) throws {
    let property = try property(source)
    #expect(property.name == name)
    #expect(property.storageName == storage)
  }

  @Test(
    "Computed, static, lazy and overridden properties are not stored properties",
    arguments: [
      "var name: String { first + last }", "var name: String { get { first } set {} }", "static var count = 0",
      "class var count: Int { 0 }", "lazy var cache = 0", "override var name: String { didSet {} }",
    ])
  func notStored(source: String) throws {
    #expect(StoredProperty.properties(in: try VariableDeclSyntax("\(raw: source)")).isEmpty)
  }

  @Test(
    "An initializer is required for each property without an initial value",
    arguments: [
      ("var name: String", true), ("let name: String", true), ("let name: String?", true),
      ("var name: String?", false), ("var name: String!", false), ("var name = \"\"", false),
      ("@Transient var name: String", false),
    ])
  func needsInitializer(source: String, isNeeded: Bool) throws {
    #expect(try property(source).needsInitializer == isNeeded)
  }
}
