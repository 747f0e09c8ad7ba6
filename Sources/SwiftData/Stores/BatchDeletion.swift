/// A deletion by predicate that the store performs itself, without the models.
struct BatchDeletion {
  /// The position of the store's session among those of the context.
  let session: Int
  /// The rows that the predicate selected when the deletion was requested.
  let rows: Set<RowKey>
  let execute: (EditingState) throws -> Void
}
