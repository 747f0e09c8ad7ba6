/// A deletion of what a predicate selects that the store carries out by itself, without being given the models.
struct BatchDeletion {
  /// The position of the store's session among those of the context.
  let session: Int
  /// What the predicate selected when it was asked for.
  let rows: Set<RowKey>
  let carryOut: Work

  /// Deletes for a context, and tells others as ``StoreSession/save(_:announce:)`` does.
  typealias Work = (_ editingState: EditingState, _ announce: () -> Void) throws -> Void
}
