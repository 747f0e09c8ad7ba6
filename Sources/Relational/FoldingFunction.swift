/// A pure function that folds texts, so that a search ignores the differences between texts that fold to the same.
///
/// When a text contains another one, the folded text contains the folded other one. A database calls the function from SQL and
/// stores the results in indexes. Functions with different results must have different names, so that an index is never used
/// with the wrong function.
package struct FoldingFunction: Sendable {
  package var name: String
  /// Calls its second argument once, with the folded form of a text in UTF-8. The bytes are valid only during the calls.
  package var write: @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) -> Void

  package init(
    name: String, write: @escaping @Sendable (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    self.name = name
    self.write = write
  }
}
