import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TestedMacros

/// Diagnostics of properties that `@Model` cannot persist.
@Suite("Diagnostics of a model's properties")
struct PropertyDiagnosticsTests {
  @Test(
    "A transient property needs a default value",
    arguments: [
      ("String", "\"\""), ("Int", "0"), ("Double", "0"), ("Bool", "false"), ("[Int]", "[]"), ("Set<Int>", "[]"),
      ("[String: Int]", "[:]"), ("Color", "<#default value#>"),
    ])
  func transientWithoutDefault(type: String, value: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @Transient var mark: \(type) // comment
        }
        """,
      [
        DiagnosticSpec(
          message: "@Transient requires non-optional property 'mark' to have a default value", line: 2, column: 18,
          fixIts: [FixItSpec(message: "add a default value")])
      ],
      fixed: """
        @Model final class Trip {
          @Transient var mark: \(type) = \(value) // comment
        }
        """)
  }

  @Test("An optional transient property needs no default value")
  func optionalTransient() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @Transient var mark: Int?
          @Transient var other: Int!
          @Transient weak var delegate: Delegate?
        }
        """, [])
  }

  @Test("Property observers of a persisted property cause a warning, of a transient one they do not")
  func observers() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          var name: String = "" { didSet { print(name) } }
          @Transient var mark: Int = 0 { didSet { print(mark) } }
        }
        """,
      [
        DiagnosticSpec(
          message:
            "observers of the persisted property 'name' never run; they do run for a '@Transient' property",
          line: 2, column: 25, severity: .warning)
      ])
  }

  @Test("A lazy property can only be transient")
  func lazyProperty() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          lazy var name = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "'lazy' properties cannot be persisted; add '@Transient'", line: 2, column: 3,
          fixIts: [FixItSpec(message: "add '@Transient'")])
      ],
      fixed: """
        @Model final class Trip {
          @Transient lazy var name = ""
        }
        """)
  }

  @Test("The fix-its of a weak property make it strong or transient")
  func weakProperty() {
    let source = """
      @Model final class Stay {
        // The owner.
        public weak var trip: Trip?
      }
      """
    let diagnostic = DiagnosticSpec(
      message: """
        'weak' properties cannot be persisted; make this one a strong optional relationship, or add '@Transient'
        """,
      line: 3, column: 10,
      fixIts: [FixItSpec(message: "remove 'weak'"), FixItSpec(message: "add '@Transient'")])
    expectDiagnostics(
      in: source, [diagnostic], applying: ["remove 'weak'"],
      fixed: """
        @Model final class Stay {
          // The owner.
          public var trip: Trip?
        }
        """)
    expectDiagnostics(
      in: source, [diagnostic], applying: ["add '@Transient'"],
      fixed: """
        @Model final class Stay {
          // The owner.
          @Transient public weak var trip: Trip?
        }
        """)
  }

  @Test("Each persisted property needs its own declaration")
  func severalBindings() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          // Counts.
          public var days = 1, nights: Int, meals, stops: Int? // end
          let one = 1, two = 2

          init() {}
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model needs a declaration of its own for each persisted property", line: 3, column: 3,
          fixIts: [FixItSpec(message: "split the declaration")])
      ],
      fixed: """
        @Model final class Trip {
          // Counts.
          public var days = 1
          public var nights: Int
          public var meals: Int?
          public var stops: Int? // end
          let one = 1, two = 2

          init() {}
        }
        """)
  }

  @Test("A tuple pattern declares no persisted property")
  func tuplePattern() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          var (start, end) = (0, 1)
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model cannot persist what a tuple pattern declares; declare each property by itself",
          line: 2, column: 7)
      ])
  }

  @Test(
    "A name that hides a property of every model causes a warning",
    arguments: ["hasChanges", "isDeleted", "modelContext", "persistentModelID"])
  func hidingName(name: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          var \(name): Bool = false
        }
        """,
      [
        DiagnosticSpec(
          message: "'\(name)' hides the property of that name that every PersistentModel has", line: 2, column: 7,
          severity: .warning)
      ])
  }

  @Test("A name of a generated member is an error, other names are not")
  func reservedName() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          var persistentBackingData: Int = 0
          var description: String = ""
          var id: Int = 0
        }
        """,
      [
        DiagnosticSpec(
          message: "'persistentBackingData' is a member that @Model adds; choose another name", line: 2, column: 7)
      ])
  }

  /// The compiler asks for the attributes of members in active clauses only.
  @Test("A persisted property in an active clause of #if is an error")
  func conditionalProperty() throws {
    let model = try ClassDeclSyntax(
      """
      class Trip {
        #if os(Linux)
        var name = ""
        #endif
        var days = 0
      }
      """)
    let context = BasicMacroExpansionContext()
    let unconditional = try PersistentModelMacro.expansion(
      of: "@Model", attachedTo: model, providingAttributesFor: try VariableDeclSyntax("var days = 0"), in: context)
    #expect(unconditional.count == 1)
    #expect(context.diagnostics.isEmpty)

    let conditional = try PersistentModelMacro.expansion(
      of: "@Model", attachedTo: model, providingAttributesFor: try VariableDeclSyntax("var name = \"\""), in: context)
    #expect(conditional.isEmpty)
    let diagnostic = try #require(context.diagnostics.first)
    #expect(diagnostic.message.hasPrefix("a persisted property inside '#if' is not supported"))
    #expect(diagnostic.fixIts.map(\.message.message) == ["add '@Transient'"])
  }

  @Test(
    "A mistyped option is corrected",
    arguments: [
      ("Attribute(.uniqe)", 15, "option of @Attribute", "uniqe", "unique"),
      ("Attribute(.transformble(by: \"T\"))", 15, "option of @Attribute", "transformble", "transformable"),
      ("Attribute(.unique, .externalStorge)", 24, "option of @Attribute", "externalStorge", "externalStorage"),
      ("Relationship(deleteRule: .cascad)", 30, "delete rule", "cascad", "cascade"),
    ])
  func unknownOption(attribute: String, column: Int, kind: String, name: String, correction: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @\(attribute) var name: Name?
        }
        """,
      [
        DiagnosticSpec(
          message: "unknown \(kind) '\(name)'; did you mean '\(correction)'?", line: 2, column: column,
          severity: .warning, fixIts: [FixItSpec(message: "change to '\(correction)'")])
      ],
      fixed: """
        @Model final class Trip {
          @\(attribute.replacing(name, with: correction)) var name: Name?
        }
        """)
  }

  @Test(
    "Known and undeterminable options are not reported",
    arguments: ["Attribute(.unique, .spotlight, .codable)", "Attribute(.companyDefault)", "Attribute(Options.unqiue)"])
  func knownOption(attribute: String) {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          @\(attribute) var name: String?
        }
        """, [])
  }
}
