/// What a store answers to a save.
struct SaveOutcome {
  /// The key of each inserted model, in the order of the plan; zero for one that is saved and whose key nobody knows.
  var keys: [Int64]
  /// The models that a uniqueness constraint made an update of a row that was there already, by their positions in
  /// `keys`, with the entity that the row is of: not always that of the model, where entities inherit from one another.
  var merged: [Int: Int] = [:]
  /// Rows that the store changed beyond the plan.
  var affected: [RowKey] = []
  /// The place of the save in the history of the store, where the store keeps one.
  var historyToken: (any HistoryToken)?
  /// What is wrong with the answer of a store that has saved everything.
  var failure: (any Error)?
}
