import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Expansions of `@Query` as source text.
@Suite("Expansions of @Query")
struct QueryExpansionTests {
  @Test("The query has the macro's arguments and the element type of the property")
  func property() {
    expectExpansion(
      of: """
        final class Shelf {
          @Query(sort: \\Book.title, order: .reverse) var books: [Book]
        }
        """,
      is: """
        final class Shelf {
          var books: [Book] {
          get {
            _books._result(in: #isolation)
          }
          }

          private(set) var _books: SwiftData.Query<[Book].Element, [Book]> = .init(sort: \\Book.title, order: .reverse)
        }
        """)
  }

  @Test(
    "A query with sections has the first type of SectionedResults",
    arguments: ["SectionedResults", "SwiftData.SectionedResults"])
  func sections(name: String) {
    expectExpansion(
      of: """
        struct Shelf {
          @Query(sectionBy: \\Book.title) var books: \(name)<Book, String>
        }
        """,
      is: """
        struct Shelf {
          var books: \(name)<Book, String> {
          get {
            _books._result(in: #isolation)
          }
          }

          private(set) var _books: SwiftData.Query<Book, \(name)<Book, String>> = .init(sectionBy: \\Book.title)
        }
        """)
  }

  @Test(
    "A property that cannot have a query is refused",
    arguments: ["let books: [Book]", "var books", "var books: [Book] = []"])
  func refused(declaration: String) {
    expectDiagnostics(
      in: """
        struct Shelf {
          @Query \(declaration)
        }
        """,
      [
        DiagnosticSpec(
          message: "@Query needs a variable with a written type and no value, such as `var items: [Item]`", line: 2,
          column: 3)
      ])
  }
}
