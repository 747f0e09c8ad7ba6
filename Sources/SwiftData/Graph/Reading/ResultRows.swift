/// The rows that a fetch with the unsaved changes finds, and the models that have none yet, in the order of the fetch.
struct ResultRows<Model: PersistentModel> {
  private(set) var keys: [RowKey] = []
  /// The models that are not saved, by their temporary keys.
  private(set) var unsaved: [Int64: Model] = [:]
  /// The keys, made when they are asked for.
  private var known: Set<Int64>?

  /// Whether a row is among them, of whatever entity.
  mutating func contains(_ key: Int64) -> Bool {
    let known = self.known ?? Set(keys.lazy.map(\.key))
    self.known = known
    return known.contains(key)
  }

  mutating func append(_ row: RowKey) {
    keys.append(row)
    known = nil
  }

  mutating func append(_ model: Model) {
    let row = model._$withState { RowKey(key: $0.key, entity: $0.withBinding { $0.ordinal } ?? -1) }
    if row.key < 0 { unsaved[row.key] = model }
    append(row)
  }

  /// The position of a model; nil when it is none of them. Takes time in proportion to their number.
  func position(of model: Model) -> Int? {
    let (key, entity) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
    return entity.flatMap { entity in keys.firstIndex(of: RowKey(key: key, entity: entity)) }
  }

  /// Gives models that were saved since the keys of their rows.
  mutating func renumber() {
    if unsaved.isEmpty { return }
    var renumbered: [Int64: Int64] = [:]
    for (key, model) in unsaved {
      let present = model._$withState { $0.status == .registered ? $0.key : key }
      if present != key { renumbered[key] = present }
    }
    if renumbered.isEmpty { return }
    for place in keys.indices {
      if let key = renumbered[keys[place].key] { keys[place].key = key }
    }
    for key in renumbered.keys { unsaved[key] = nil }
    known = nil
  }
}

extension ObjectGraph {
  /// The rows that a descriptor selects now. What others have saved must have been taken in.
  func resultRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> ResultRows<T> {
    let binding = try requireBinding(for: T.self)
    let plan = try fetchPlan(descriptor, for: .keys, binding)
    let overlay = try PendingOverlay(self, binding, descriptor, residue: plan.residue)
    var rows = ResultRows<T>()
    if overlay == nil, try plan.keys(receive: { rows.append($0) }) { return rows }
    for model in try completed(overlay, descriptor, plan, binding) { rows.append(model) }
    return rows
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
}
