import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Diagnostics of unsupported declarations with `@ModelActor`.
@Suite("Diagnostics of @ModelActor")
struct ModelActorDiagnosticsTests {
  @Test("A class or a struct with @ModelActor can become an actor", arguments: ["class", "struct"])
  func noActor(keyword: String) {
    expectDiagnostics(
      in: """
        @ModelActor
        public \(keyword) Importer {
        }
        """,
      [
        DiagnosticSpec(
          message: "@ModelActor can be attached to an actor only, not to a \(keyword)", line: 2, column: 8,
          fixIts: [FixItSpec(message: "change '\(keyword)' to 'actor'")])
      ],
      fixed: """
        @ModelActor
        public actor Importer {
        }
        """)
  }

  @Test("An enum with @ModelActor cannot become an actor")
  func neverActor() {
    expectDiagnostics(
      in: """
        @ModelActor
        enum Importer {
        }
        """,
      [
        DiagnosticSpec(
          message: "@ModelActor can be attached to an actor only, not to an enum", line: 2, column: 1)
      ])
  }
}
