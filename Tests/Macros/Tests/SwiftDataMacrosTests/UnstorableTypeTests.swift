import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Properties of types that cannot be stored")
struct UnstorableTypeTests {
  @Test(
    "A type that is not Codable by its syntax is reported at its position",
    arguments: [
      ("() -> Void", 0, "a function"), ("(@Sendable (Int) -> Int)?", 11, "a function"),
      ("[() -> Void]", 1, "a function"), ("(Int, String)", 0, "a tuple"), ("Int.Type", 0, "a metatype"),
      ("any Named", 0, "a value of a type that is known at run time only"),
      ("(any Named)?", 1, "a value of a type that is known at run time only"),
      ("Named & Other", 0, "a value of a type that is known at run time only"), ("Any?", 0, "a value of type 'Any'"),
      ("[String: Any]", 9, "a value of type 'Any'"),
      ("UnsafePointer<Int>", 0, "a value of type 'UnsafePointer<Int>'"),
    ])
  func unstorable(type: String, offset: Int, kind: String) {
    expectDiagnostics(
      in: """
        @Model
        final class Trip {
          var value: \(type)
          init() { fatalError() }
        }
        """,
      [
        DiagnosticSpec(
          message: """
            'value' cannot be persisted: \(kind) is not 'Codable' and no model; choose another type, \
            or add '@Transient'
            """, line: 3, column: 14 + offset,
          fixIts: [FixItSpec(message: "add '@Transient'")])
      ])
  }

  @Test(
    "Other types are not reported",
    arguments: [
      "var value: (Int)?", "var value: [String: [Int]?]", "var value: Set<Int>",
      "@Transient var value: (() -> Void)? = nil",
      "@Attribute(.transformable(by: T.self)) var value: Any?", "static var value: () -> Void = {}",
      "var value: () -> Void { {} }",
    ])
  func storable(property: String) {
    expectDiagnostics(
      in: """
        @Model
        final class Trip {
          \(property)
          init() { fatalError() }
        }
        """, [])
  }
}
