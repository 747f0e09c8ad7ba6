/// The result of a save.
struct SaveOutcome {
  /// The key of each inserted model, in the order of the plan; zero if the store has saved it without a known key.
  var keys: [Int64]
  /// The inserted models that an upsert merged into existing rows, by their positions in `keys`, with the entity of the
  /// row, which may be another one of the inheritance.
  var merged: [Int: Int] = [:]
  /// Rows that the store changed beyond the plan.
  var affected: [RowKey] = []
  /// The token of the save in the history of the store, if the store has one.
  var historyToken: (any HistoryToken)?
  /// The error in the result of a store that has saved everything.
  var failure: (any Error)?
}
