/// A deletion of what a predicate selects that the store carries out by itself, without being given the models.
struct BatchDeletion {
  /// The position of the store's session among those of the context.
  let session: Int
  /// What the predicate selected when it was asked for.
  let rows: Set<RowKey>
  let execute: (EditingState) throws -> Void
}
