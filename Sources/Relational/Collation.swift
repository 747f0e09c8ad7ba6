/// An order of texts that a database calls from SQL.
package struct Collation: Sendable {
  package var name: String
  /// Negative when the left text comes first, positive when the right one does. Texts are in UTF-8, as the database has
  /// them, and are lent for the call.
  package var compare: @Sendable (_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int

  package init(
    name: String,
    compare: @escaping @Sendable (_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int
  ) {
    self.name = name
    self.compare = compare
  }
}
