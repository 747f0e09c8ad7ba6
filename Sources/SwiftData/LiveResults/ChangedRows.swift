/// The rows that have changed, with what stands for them now.
struct ChangedRows {
  struct Row {
    /// The key, and the one that the model had before it was saved.
    let key: Int64
    let formerKey: Int64
    let properties: LiveChanges.Properties
    /// Nil when the row is gone.
    let model: (any PersistentModel)?
  }

  /// By the position of the entity in the schema.
  private(set) var rows: [Int: [Row]] = [:]
  /// The entities of which other rows may have changed as well.
  private(set) var incomplete: Set<Int> = []

  /// - Throws: Why rows could not be read that are not in memory.
  init(_ changes: LiveChanges, _ graph: ObjectGraph) throws {
    for (entity, changed) in changes.entities {
      if changed.isBeyondCount {
        incomplete.insert(entity)
        continue
      }
      let models = try graph.presentModels(of: changed.rows.keys.map { RowKey(key: $0, entity: entity) })
      rows[entity] = changed.rows.map { key, properties in
        Row(key: key, formerKey: key, properties: properties, model: models[key])
      }
    }
    for changed in changes.models.values {
      guard let model = changed.model else {
        // It was released after it was saved, by a key that is not known where it was new.
        incomplete.insert(changed.entity)
        continue
      }
      let (key, isLive) = model._$withState { ($0.key, $0.isLive) }
      rows[changed.entity]?.append(
        Row(key: key, formerKey: changed.key, properties: changed.properties, model: isLive ? model : nil))
    }
  }
}
