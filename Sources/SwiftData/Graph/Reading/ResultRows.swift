/// The rows that a fetch with the unsaved changes finds, and the models that have none yet, in the order of the fetch.
struct ResultRows<Model: PersistentModel> {
  var keys: OrderedRows
  /// The models that are not saved, by their temporary keys.
  var unsaved: [Int64: Model]

  init(keys: [RowKey] = [], unsaved: [Int64: Model] = [:]) {
    self.keys = OrderedRows(keys)
    self.unsaved = unsaved
  }

  /// Gives models that were saved since the keys of their rows, and removes models that are gone or whose row is among the
  /// results already.
  ///
  /// - Returns: The temporary keys, with the keys that replace them.
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

extension ObjectGraph {
  /// The rows that a descriptor selects now. What others have saved must have been taken in.
  func resultRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> ResultRows<T> {
    let fetch = try FetchOperation(descriptor, for: .keys, in: self)
    var keys: [RowKey] = []
    if try fetch.keys(receive: { keys.append($0) }) { return ResultRows(keys: keys) }
    keys = []
    var unsaved: [Int64: T] = [:]
    for model in try fetch.models() {
      let row = row(of: model)
      if row.key < 0 { unsaved[row.key] = model }
      keys.append(row)
    }
    return ResultRows(keys: keys, unsaved: unsaved)
  }

  /// The rows that a descriptor selects, where nothing is unsaved.
  func savedRowKeys<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [RowKey] {
    let rows = try resultRows(descriptor).keys
    return rows.rows(at: 0..<rows.count)
  }

  /// The row of a model, with a temporary key where it is not saved.
  func row(of model: any PersistentModel) -> RowKey {
    model._$withState { RowKey(key: $0.key, entity: $0.withBinding { $0.ordinal } ?? -1) }
  }
}

extension ObjectGraph {
  /// The models of the rows that exist and have no pending deletion, by their keys. A model that is not in memory is read.
  func presentModels(of rows: [RowKey]) throws -> [Int64: any PersistentModel] {
    guard let first = rows.first else { return [:] }
    let binding = bindingsByOrdinal[first.entity]
    var models: [Int64: any PersistentModel] = [:]
    var unread: [Int64] = []
    let deleted = journal.deletedRows.rows(of: binding.map)
    for row in rows where deleted[row.key] == nil {
      if let model = binding.map.model(row.key) {
        if model._$withState({ $0.isLive }) { models[row.key] = model }
      } else {
        unread.append(row.key)
      }
    }
    if unread.isEmpty { return models }
    try binding.session.rows(of: binding.rootEntity, keys: unread.sorted()) { row, reader in
      models[row.key] = receive(row, reader, nil)
    }
    return models
  }

  /// The model of a row; nil when the row does not exist or has a pending deletion.
  func presentModel(of row: RowKey) throws -> (any PersistentModel)? {
    let binding = bindingsByOrdinal[row.entity]
    if journal.deletedRows.rows(of: binding.map)[row.key] != nil { return nil }
    if let model = binding.map.model(row.key) { return model._$withState { $0.isLive } ? model : nil }
    var model: (any PersistentModel)?
    try binding.session.row(of: binding.rootEntity, key: row.key) { model = receive($0, $1, nil) }
    return model
  }
}
