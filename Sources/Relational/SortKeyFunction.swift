/// A pure function from texts to sort keys: bytes whose order is the order of the texts.
///
/// A database calls it from SQL, once for each row, and stores the keys in indexes. Functions with different keys must have
/// different names, so that an index is never used with the wrong function.
package struct SortKeyFunction: Sendable {
  /// The reason why a text has no key, which ends the statement.
  package enum Failure: Error {
    case tooLong
    case noMemory
  }

  package typealias Write =
    @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Void

  package var name: String
  /// Calls its second argument once, with the key of a text in UTF-8. The bytes are valid only during the calls.
  package var write: Write

  package init(name: String, write: @escaping Write) {
    self.name = name
    self.write = write
  }
}
