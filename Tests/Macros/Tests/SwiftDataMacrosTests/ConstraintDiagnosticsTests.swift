import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Diagnostics of misplaced `#Index` and `#Unique`.
@Suite("Diagnostics of #Index and #Unique")
struct ConstraintDiagnosticsTests {
  @Test("#Index and #Unique must be in the body of a model", arguments: ["Index", "Unique"])
  func outsideOfModel(name: String) {
    expectDiagnostics(
      in: #"""
        final class Trip {
          #\#(name)<Trip>([\.name])
        }
        extension Trip {
          #\#(name)<Trip>([\.name])
        }
        """#,
      [
        DiagnosticSpec(message: "#\(name) must stand in the body of a class with @Model", line: 2, column: 3),
        DiagnosticSpec(message: "#\(name) must stand in the body of a class with @Model", line: 5, column: 3),
      ])
  }

  @Test("#Index and #Unique must name a property", arguments: [("#Index<Trip>()", 3), ("#Unique<Trip>([])", 17)])
  func empty(expansion: String, column: Int) {
    let name = expansion.prefix { $0 != "<" }
    expectDiagnostics(
      in: """
        @Model final class Trip {
          \(expansion)
        }
        """,
      [DiagnosticSpec(message: "\(name) needs the key paths of at least one property", line: 2, column: column)])
  }

  @Test("Several #Unique are accepted, with a warning that Apple's SwiftData expects one")
  func repeatedUnique() {
    expectDiagnostics(
      in: #"""
        @Model final class Trip {
          #Unique<Trip>([\.name])
          #Unique<Trip>([\.start, \.end])
          #Index<Trip>([\.name])
          #Index<Trip>([\.start])
          var name = ""
          var start = 0
          var end = 0
        }
        """#,
      [
        DiagnosticSpec(
          message: """
            'Trip' has more than one #Unique; Apple's SwiftData expects all constraints in one, as several arrays
            """, line: 3, column: 3, severity: .warning)
      ])
  }

  @Test("An #Index inside #if has no effect, and the compiler warns of it")
  func conditional() {
    expectDiagnostics(
      in: #"""
        @Model final class Trip {
          #if os(Linux)
          #Index<Trip>([\.name])
          #endif
        }
        """#,
      [
        DiagnosticSpec(message: "#Index inside '#if' has no effect", line: 3, column: 3, severity: .warning)
      ])
  }

  @Test("A key path to a property that is not persisted is reported with a suggestion")
  func unknownKeyPath() {
    expectDiagnostics(
      in: #"""
        @Model final class Trip {
          #Unique<Trip>([\.nam], [\Trip.place.city, \Other.nam])
          #Index<Trip>(.binary([\.name]), .binary([\.far]), .rtree([\.title]))
          var name = ""
          var place = Place()
          var title: String { name }
        }
        """#,
      [
        DiagnosticSpec(
          message: "#Unique: 'Trip' declares no persisted property 'nam'; did you mean 'name'?", line: 2, column: 20,
          severity: .warning, fixIts: [FixItSpec(message: "change to 'name'")]),
        DiagnosticSpec(
          message: "#Index: 'Trip' declares no persisted property 'far'", line: 3, column: 46, severity: .warning),
        DiagnosticSpec(
          message: "#Index: 'title' is not a persisted property", line: 3, column: 63, severity: .warning),
      ])
  }

  @Test("A key path to a possibly inherited property is not reported")
  func inheritedKeyPath() {
    expectDiagnostics(
      in: #"""
        @Model final class Trip: Base {
          #Unique<Trip>([\.number], [\.date], [\.code])
          var name = ""
          var data = Data()
          override var code: String { get { "" } set {} }
        }
        """#, [], isSubclass: true)
  }
}
