/// The rows that a fetch with the unsaved changes finds, and the models that have none yet, in the order of the fetch.
struct ResultRows<Model: PersistentModel> {
  private(set) var keys: [RowKey] = []
  /// The models that are not saved, by their temporary keys.
  private(set) var unsaved: [Int64: Model] = [:]

  mutating func append(_ row: RowKey) {
    keys.append(row)
  }

  mutating func append(_ model: Model) {
    let row = model._$withState { RowKey(key: $0.key, entity: $0.withBinding { $0.ordinal } ?? -1) }
    if row.key < 0 { unsaved[row.key] = model }
    keys.append(row)
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
