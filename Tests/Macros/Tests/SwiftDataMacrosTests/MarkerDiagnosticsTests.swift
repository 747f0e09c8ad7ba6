import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Diagnostics of misplaced `@Attribute`, `@Relationship` and `@Transient`.
@Suite("Diagnostics of @Attribute, @Relationship and @Transient")
struct MarkerDiagnosticsTests {
  @Test("Only properties can be marked", arguments: ["Attribute", "Relationship", "Transient"])
  func method(name: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @\(name)
          func go() {}
        }
        """,
      [
        DiagnosticSpec(
          message: "@\(name) can be attached to a stored property only", line: 2, column: 3,
          fixIts: [FixItSpec(message: "remove '@\(name)'")])
      ],
      fixed: """
        @Model final class Trip {
          func go() {}
        }
        """)
  }

  @Test(
    "A marker has no effect on a property without storage",
    arguments: [("var title: String { name }", "computed"), ("static let title = \"Trip\"", "static")])
  func withoutStorage(declaration: String, kind: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @Attribute(.unique) \(declaration)
        }
        """,
      [
        DiagnosticSpec(
          message: "@Attribute has no effect on a \(kind) property", line: 2, column: 3, severity: .warning,
          fixIts: [FixItSpec(message: "remove '@Attribute'")])
      ],
      fixed: """
        @Model final class Trip {
          \(declaration)
        }
        """)
  }

  @Test("A marker has no effect on a property of a struct")
  func outsideOfModel() {
    expectDiagnostics(
      in: """
        struct Address {
          @Transient var street = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "@Transient has no effect outside of a class with @Model", line: 2, column: 3,
          severity: .warning, fixIts: [FixItSpec(message: "remove '@Transient'")])
      ])
  }

  @Test("A class that conforms without @Model may use the markers")
  func handwrittenModel() {
    expectDiagnostics(
      in: """
        final class Trip: PersistentModel {
          @Transient private var _name: _SwiftDataNoType = .init()
        }
        """, [])
  }

  @Test("A relationship must be a variable")
  func constantRelationship() {
    expectDiagnostics(
      in: """
        @Model final class Stay {
          @Relationship let trip: Trip?
          init() {}
        }
        """,
      [
        DiagnosticSpec(
          message: "a relationship is changed from its other side too, so it must be a 'var'", line: 2, column: 17,
          fixIts: [FixItSpec(message: "change 'let' to 'var'")])
      ],
      fixed: """
        @Model final class Stay {
          @Relationship var trip: Trip?
          init() {}
        }
        """)
  }

  @Test("A property cannot be both an attribute and a relationship")
  func attributeAndRelationship() {
    expectDiagnostics(
      in: """
        @Model final class Stay {
          @Attribute(.unique) @Relationship(deleteRule: .deny) var trip: Trip?
        }
        """,
      [
        DiagnosticSpec(
          message: "a property is an attribute or a relationship, never both", line: 2, column: 23,
          fixIts: [FixItSpec(message: "remove '@Attribute'"), FixItSpec(message: "remove '@Relationship'")])
      ],
      applying: ["remove '@Attribute'"],
      fixed: """
        @Model final class Stay {
          @Relationship(deleteRule: .deny) var trip: Trip?
        }
        """)
  }

  @Test("@Attribute has no effect on a transient property")
  func attributeOnTransient() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @Transient @Attribute(.ephemeral) var mark: Int = 0
        }
        """,
      [
        DiagnosticSpec(
          message: "@Attribute has no effect on a '@Transient' property, which is not persisted", line: 2,
          column: 14, severity: .warning, fixIts: [FixItSpec(message: "remove '@Attribute'")])
      ],
      fixed: """
        @Model final class Trip {
          @Transient var mark: Int = 0
        }
        """)
  }

  @Test(
    "@Relationship on a property with values is reported",
    arguments: [("String", "String"), ("[Int]?", "Int"), ("Date?", "Date")])
  func relationshipToValue(type: String, name: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @Relationship var mark: \(type) = made()
        }
        """,
      [
        DiagnosticSpec(
          message: "a relationship leads to models, and '\(name)' is none; use '@Attribute'", line: 2, column: 3,
          severity: .warning)
      ])
  }
}
