import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Diagnostics of unsupported declarations with `@Model`.
@Suite("Diagnostics of @Model")
struct ModelDiagnosticsTests {
  @Test("A struct or an actor with @Model can become a final class", arguments: ["struct", "actor"])
  func noClass(keyword: String) {
    let article = keyword == "actor" ? "an" : "a"
    expectDiagnostics(
      in: """
        @Model
        public \(keyword) Trip {
          var name = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model can be attached to a class only, not to \(article) \(keyword)", line: 2, column: 8,
          fixIts: [FixItSpec(message: "change '\(keyword)' to 'final class'")])
      ],
      fixed: """
        @Model
        public final class Trip {
          var name = ""
        }
        """)
  }

  @Test("An enum or a protocol with @Model cannot become a class", arguments: ["enum", "protocol"])
  func neverClass(keyword: String) {
    let article = keyword == "enum" ? "an" : "a"
    expectDiagnostics(
      in: """
        @Model
        \(keyword) Trip {
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model can be attached to a class only, not to \(article) \(keyword)", line: 2, column: 1)
      ])
  }

  @Test("A generic class cannot be a model")
  func genericClass() {
    expectDiagnostics(
      in: """
        @Model
        final class Box<Value: Codable> {
          var value: Value?
        }
        """,
      [
        DiagnosticSpec(
          message:
            "@Model cannot be attached to the generic class 'Box': a schema names each model by one concrete type",
          line: 2, column: 16)
      ])
  }

  @Test("A class inside a generic type cannot be a model")
  func classInsideGenericType() {
    expectDiagnostics(
      in: """
        enum Models<Value> {
          @Model
          final class Box {
            var value = 0
          }
        }
        """,
      [
        DiagnosticSpec(
          message:
            "@Model cannot be attached to the generic class 'Box': a schema names each model by one concrete type",
          line: 2, column: 3)
      ])
  }

  @Test("A model cannot be isolated to a global actor")
  func globalActor() {
    expectDiagnostics(
      in: """
        @MainActor @Model
        final class Trip {
          init() {}
        }
        """,
      [
        DiagnosticSpec(
          message: """
            a model is isolated with the context that it belongs to, not to 'MainActor'; the Swift 6 language mode \
            rejects key paths to its properties
            """, line: 1, column: 1, severity: .warning, fixIts: [FixItSpec(message: "remove '@MainActor'")])
      ],
      fixed: """
        @Model
        final class Trip {
          init() {}
        }
        """)
  }

  @Test("A property without a default value needs an initializer")
  func missingInitializer() {
    expectDiagnostics(
      in: """
        @Model
        public final class Trip {
          var name: String
          var days: Int = 1
          var note: String?
          var start = Date.now
          let `class`: Kind
          @Transient var isSelected: Bool = false

          func go() {}
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model requires an initializer be provided for 'Trip'", line: 2, column: 20,
          fixIts: [FixItSpec(message: "insert an initializer")])
      ],
      fixed: """
        @Model
        public final class Trip {
          var name: String
          var days: Int = 1
          var note: String?
          var start = Date.now
          let `class`: Kind
          @Transient var isSelected: Bool = false

          public init(name: String, days: Int = 1, note: String? = nil, `class`: Kind) {
            self.name = name
            self.days = days
            self.note = note
            self.`class` = `class`
          }

          func go() {}
        }
        """)
  }

  @Test("The initializer of a subclass calls that of its superclass")
  func missingInitializerOfSubclass() {
    expectDiagnostics(
      in: """
        enum Models {
            @Model class Truck: Vehicle {
                var load: Double
            }
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model requires an initializer be provided for 'Truck'", line: 2, column: 18,
          fixIts: [FixItSpec(message: "insert an initializer")])
      ],
      fixed: """
        enum Models {
            @Model class Truck: Vehicle {
                var load: Double

                init(load: Double) {
                    self.load = load
                    super.init(<#arguments#>)
                }
            }
        }
        """, isSubclass: true)
  }

  @Test("A convenience initializer is not sufficient, any other one is")
  func convenienceInitializer() {
    expectDiagnostics(
      in: """
        @Model final class Trip {
          var name: String
          convenience init() { self.init(name: "") }
        }
        @Model final class Stay {
          var name: String
          private init(name: String) { self.name = name }
        }
        """,
      [
        DiagnosticSpec(
          message: "@Model requires an initializer be provided for 'Trip'", line: 1, column: 20,
          fixIts: [FixItSpec(message: "insert an initializer")])
      ])
  }
}
