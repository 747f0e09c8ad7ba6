import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import TestedMacros

/// Effects of a class's modifiers, name and conformances on single members that `@Model` generates.
@Suite("Members that @Model generates")
struct ModelMembersTests {
  private func members(of source: String) throws -> [String] {
    let model = ModelDeclaration(try ClassDeclSyntax("\(raw: source)"))
    return ModelMembers(model: model, superclass: nil).declarations.map(\.trimmedDescription)
  }

  private func member(_ name: String, of source: String) throws -> String {
    try #require(try members(of: source).first { $0.contains(name) })
  }

  private func conformances(of source: String, missing: [TypeSyntax]) throws -> [String] {
    let extensions = try PersistentModelMacro.expansion(
      of: "@Model", attachedTo: try ClassDeclSyntax("\(raw: source)"), providingExtensionsOf: TypeSyntax("Outer.Trip"),
      conformingTo: missing, in: BasicMacroExpansionContext())
    return extensions.map(\.trimmedDescription)
  }

  @Test(
    "Members have the visibility of the class",
    arguments: [
      ("final class Trip {}", "nonisolated static var"),
      ("class Trip {}", "nonisolated class var"),
      ("private class Trip {}", "nonisolated class var"),
      ("package class Trip {}", "package nonisolated class var"),
      ("public class Trip {}", "public nonisolated class var"),
      ("public final class Trip {}", "public nonisolated static var"),
      ("open class Trip {}", "open nonisolated class var"),
    ])
  func visibility(source: String, modifiers: String) throws {
    #expect(try member("schemaMetadata", of: source).hasPrefix(modifiers + " schemaMetadata"))
  }

  @Test(
    "The state's declaration does not depend on a Sendable conformance",
    arguments: ["class Trip: @unchecked Sendable {}", "final class Trip: Named, Sendable {}", "class Trip: Named {}"])
  func sendableState(source: String) throws {
    let text = "@exclusivity(unchecked) nonisolated(unsafe) final var _$state"
    #expect(try member("_$state = ", of: source).hasPrefix(text))
  }

  @Test("No generated type parameter hides a model's name")
  func typeParameters() throws {
    let names = try members(of: "final class Member {}").joined().matches(of: /func \w+<([^>]*)>/)
      .flatMap { $0.output.1.split(separator: ", ") }
    #expect(!names.isEmpty)
    #expect(names.allSatisfy { $0.hasPrefix("_$") })
  }

  @Test(
    "A class whose properties all have values gets an initializer without arguments",
    arguments: [
      ("class Trip { var name = \"\"; var note: String? }", true),
      ("class Trip { var name: String }", false),
      ("class Trip { init(name: String) {} }", false),
      ("class Trip { convenience init() { self.init(name: \"\") } }", false),
      ("class Trip: Base { var name = \"\" }", false),
    ])
  func plainInitializer(source: String, isGenerated: Bool) throws {
    #expect(try members(of: source).contains("init() {}") == isGenerated)
  }

  @Test("Deprecated properties do not warn in generated members")
  func deprecatedProperty() throws {
    let source = "class Trip { @available(*, deprecated, message: \"no\") var old = 0 }"
    #expect(try member("schemaMetadata:", of: source).hasPrefix("@available(*, deprecated)\n"))
  }

  @Test("Only missing conformances are added")
  func missingConformances() throws {
    #expect(try conformances(of: "class Trip {}", missing: []).isEmpty)
    #expect(
      try conformances(of: "class Trip: @unchecked Sendable {}", missing: ["PersistentModel", "Observable"]) == [
        "extension Outer.Trip: nonisolated SwiftData.PersistentModel {}",
        "extension Outer.Trip: nonisolated Observation.Observable {}",
      ])
    #expect(
      try conformances(of: "class Trip: PersistentModel {}", missing: ["Swift.Sendable"]) == [
        """
        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use \
        Outer.Trip's persistentModelID instead.")
        extension Outer.Trip: @unchecked Sendable {}
        """
      ])
  }

  @Test("Conformances have the availability of the class")
  func availability() throws {
    #expect(
      try conformances(of: "@available(*, deprecated) @Model class Trip {}", missing: ["PersistentModel"]) == [
        """
        @available(*, deprecated)
        extension Outer.Trip: nonisolated SwiftData.PersistentModel {}
        """
      ])
  }

  @Test("A class that restates PersistentModel is not treated as a subclass of a model")
  func restatedConformance() throws {
    let declaration = try ClassDeclSyntax("class Trip: SwiftData.PersistentModel, Codable {}")
    let members = try PersistentModelMacro.expansion(
      of: "@Model", providingMembersOf: declaration, conformingTo: ["Sendable"], in: BasicMacroExpansionContext())
    #expect(!members.contains { $0.description.contains("override") })
  }
}
