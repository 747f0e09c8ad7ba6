/// An order of texts that a database calls from SQL.
package struct Collation: Sendable {
  package var name: String
  /// Negative when the left text comes first, positive when the right one does.
  package var compare: @Sendable (String, String) -> Int

  package init(name: String, compare: @escaping @Sendable (String, String) -> Int) {
    self.name = name
    self.compare = compare
  }
}
