import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TestedMacros

@Suite("Properties that an initializer leaves without a value")
struct MissingValueTests {
  @Test("An initializer that leaves properties without a value is reported with their names")
  func reported() {
    expectDiagnostics(
      in: """
        @Model
        final class Trip {
          var name: String
          var date: Date
          var `case`: Kind
          var owner: Owner
          var note: String?
          var days = 3
          @Transient var cache = 0
          let code: Int

          init(name: String) {
            self.name = name
          }
          public init(date: Date) {
            (name, self.date, self.case) = ("", date, .first)
            owner = Owner()
          }
          init(owner: Owner) {
            self.name = ""
            self.date = .now
            `case` = .first
            if name.isEmpty { self.owner = owner }
          }
          convenience init() {
            self.init(name: "")
          }
        }
        """,
      [
        DiagnosticSpec(
          message: """
            the initializer may leave 'date', 'case' and 'owner' without a value; set them on every way through it, \
            or give a default value where the property is declared
            """, line: 12, column: 3),
        DiagnosticSpec(
          message: """
            the initializer may leave 'owner' without a value; set it on every way through it, \
            or give a default value where the property is declared
            """, line: 19, column: 3),
      ])
  }

  @Test(
    "A path through an initializer that leaves a property without a value is found",
    arguments: [
      "", "print(1)", "setUp()", "self.setUp()", "super.init()", "self.b = 1", "a += 1", "a.count = 1", "self.b.a = 1",
      "if x { a = 1 }", "if x { a = 1 } else if y { a = 2 }", "if x { a = 1 } else { b = 2 }", "if x { return }; a = 1",
      "guard x else { return }; a = 1", "for _ in 0..<3 { a = 1 }", "while x { a = 1 }",
      "while true { if x { break } }",
      "switch x { case 1: a = 1; default: break }", "switch x { case 1: a = 1; case 2: print(); default: a = 2 }",
      "do { a = try f() } catch { b = 2 }", "do { try f(); a = 1 } catch { print(error) }", "func set() { a = 1 }",
      "do { b = 1 }", "let c = { self.a = 1 }", "try f()\nself.b = 2",
      "if x { a = 1 } else { while true { break } }", "switch x { case 1: fatalError(); default: break }",
      "var a = 1; a = 2", "let a: Int; a = 2", "do { do { try f() } catch E.one { b = 1 }; a = 1 } catch { b = 2 }",
      "do { for try await x in y {}; a = 1 } catch { b = 2 }",
    ])
  func found(body: String) throws {
    #expect(try missing(in: body) == ["a"])
  }

  @Test(
    "A path that ends early, or that syntax cannot determine, is not reported",
    arguments: [
      "a = 1", "self.a = 1", "self.`a` = 1", "(a, b) = (1, 2)", "((self.a), b) = (1, 2)", "_ = (a = 1)",
      "fatalError()", "preconditionFailure(\"no\")", "Log.giveUp()", "giveUp()", "throw E()", "return nil",
      "self.a = try f()",
      "if x { a = 1 } else { a = 2 }", "if x { a = 1 } else { fatalError() }", "if x { a = 1 } else { throw E() }",
      "if x { a = 1 } else if y { a = 2 } else { a = 3 }", "if x { a = 1; return }; a = 2",
      "if x { return nil }; a = 2", "{ a = 1 }()",
      "guard x else { throw E() }; a = 1", "guard let y else { a = 2; return }; a = 1", "while true { a = 1; break }",
      "while true { }", "switch x { case 1: a = 1; default: a = 2 }",
      "switch x { case 1: a = 1; break; default: a = 2 }",
      "switch x { case 1: fallthrough; default: a = 2 }", "switch x { case 1: a = 1; default: throw E() }",
      "do { a = try f() } catch { a = 2 }", "do { a = 1; try f() } catch { print(error) }", "do { a = 1 }",
      "do { if y { a = 1; try f() } else { a = 2 } } catch { b = 1 }", "do { a = try f() } catch { throw error }",
      "do { let x = try? f(); a = 1 } catch { print(error) }", "repeat { a = 1 } while x", "defer { a = 1 }",
      "#if DEBUG\na = 1\n#else\na = 2\n#endif", "outer: while true { a = 1; break outer }",
      "outer: for x in y { a = 1; continue outer }; a = 2", "for x in y { if x { break } }; a = 1",
      "x ? (a = 1) : (a = 2)", "if x { a = 1 } else { giveUp() }", "try! giveUp()", "await giveUp()",
      "try self.a = f()", "try (a, b) = f()", "try await self.a = f()", "unsafe a = f()", "var a = 1; self.a = a",
      "do { let load = { try f() }; a = 1; b = try load() } catch { b = 2 }",
      "do { func g() throws { throw E() }; a = 1; try g() } catch { b = 2 }",
      "do { do { try f() } catch { b = 1 }; a = 1; b = try f() } catch { b = 2 }",
      "do { b = try! f(); a = 1 } catch { b = 2 }",
    ])
  func notFound(body: String) throws {
    #expect(try missing(in: body).isEmpty)
  }

  private func missing(in body: String) throws -> Set<String> {
    let initializer = try InitializerDeclSyntax("init() { \(raw: body) }")
    let items = try #require(initializer.body).statements
    return InitializerFlow.missing(of: ["a"], in: items, members: ["a", "b", "setUp"])
  }

  @Test("An initializer inside #if is not checked")
  func conditional() {
    expectDiagnostics(
      in: """
        @Model
        final class Trip {
          var name: String
          init() {
            self.name = ""
          }
          #if os(macOS)
            init(other: Int) {}
          #endif
        }
        """, [])
  }
}
