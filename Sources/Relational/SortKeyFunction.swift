/// A pure function from texts to keys: bytes that compare as the texts are to be ordered.
///
/// A database calls it from SQL, once for each row, and keeps what it gives in indexes. One that gives other keys has
/// another name, so that nobody takes the index of one for that of another.
package struct SortKeyFunction: Sendable {
  /// Why a text has no key, which ends the statement.
  package enum Failure: Error {
    case tooLong
    case noMemory
  }

  package typealias Write =
    @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) throws(Failure) -> Void

  package var name: String
  /// Calls its second argument once, with the key of a text in UTF-8. Both are lent for their calls.
  package var write: Write

  package init(name: String, write: @escaping Write) {
    self.name = name
    self.write = write
  }
}
