/// The rows and unsaved models that a fetch with unsaved changes selects, in the order of the fetch.
struct ResultRows<Model: PersistentModel> {
  var keys: OrderedRows
  /// The unsaved models, by their temporary keys.
  var unsaved: [Int64: Model]

  init(keys: [RowKey] = [], unsaved: [Int64: Model] = [:]) {
    self.keys = OrderedRows(keys)
    self.unsaved = unsaved
  }

  /// Replaces the keys of models that were saved since, and removes models that are gone or whose row is in the results
  /// already.
  ///
  /// - Returns: The replacing keys by the temporary keys.
  mutating func renumber() -> [Int64: Int64] {
    var renumbered: [Int64: Int64] = [:]
    var gone: Set<Int64> = []
    for (key, model) in unsaved {
      let (present, isLive) = model._$withState { ($0.key, $0.isLive) }
      if !isLive { gone.insert(key) } else if present != key { renumbered[key] = present }
    }
    let merged = Set(keys.positions(of: Set(renumbered.values)).map { keys[$0].key })
    for (key, present) in renumbered where merged.contains(present) {
      renumbered[key] = nil
      gone.insert(key)
    }
    for key in gone.union(renumbered.keys) { unsaved[key] = nil }
    keys.remove(at: keys.positions(of: gone))
    keys.replaceKeys(renumbered)
    return renumbered
  }
}
