/// A pure function from texts to what all of them have in common that a search takes for alike.
///
/// A text that has another one in it also has it in it when both are folded. A database calls it from SQL and keeps what
/// it gives in indexes. One that gives something else has another name, so that nobody takes the index of one for that
/// of another.
package struct FoldingFunction: Sendable {
  package var name: String
  /// Calls its second argument once, with what a text in UTF-8 folds to. Both are lent for their calls.
  package var write: @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) -> Void

  package init(
    name: String, write: @escaping @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    self.name = name
    self.write = write
  }
}
