import Relational

/// Finds the changes of a save for the history, after the save has written all rows.
struct HistoryRecorder {
  let layout: StoreLayout
  let plan: SavePlan
  let keys: SaveKeys
  /// The rows of models that the plan deletes.
  let deleted: [DeletionRun]
  /// The changes of other rows that the database has made.
  let consequences: SaveConsequences
  /// Rows whose one-to-one target another row has taken.
  let displaced: [OneToOneWriter.Displaced]
  /// Rows of the plan that another context or process has deleted.
  let missing: Set<RowKey>

  /// Rows of one entity in which the same properties changed.
  private struct Kind: Hashable, Comparable {
    let entity: Int
    let properties: ChangedProperties

    static func < (lhs: Kind, rhs: Kind) -> Bool {
      lhs.entity == rhs.entity ? lhs.properties < rhs.properties : lhs.entity < rhs.entity
    }
  }

  func write(to record: inout HistoryRecordWriter) {
    addInsertions(to: &record)
    if !plan.updates.isEmpty || !keys.merged.isEmpty || !displaced.isEmpty || !consequences.changed.isEmpty {
      addUpdates(to: &record)
    }
    if !deleted.isEmpty || !plan.deletedRows.isEmpty { addDeletions(to: &record) }
  }

  private func addInsertions(to record: inout HistoryRecordWriter) {
    if plan.insertRuns.count < 2, self.keys.merged.isEmpty {
      if let run = plan.insertRuns.first { add(insertionsOf: run.entity, keys.inserted, to: &record) }
      return
    }
    var keys: [Int: [Int64]] = [:]
    for run in plan.insertRuns {
      var rows = keys.removeValue(forKey: run.entity) ?? []
      if self.keys.merged.isEmpty {
        rows += self.keys.inserted[run.positions]
      } else {
        for index in run.positions where self.keys.merged[index] == nil { rows.append(self.keys.inserted[index]) }
      }
      keys[run.entity] = rows
    }
    for (entity, rows) in keys.sorted(by: { $0.key < $1.key }) where !rows.isEmpty {
      add(insertionsOf: entity, rows, to: &record)
    }
  }

  private func add(insertionsOf entity: Int, _ keys: [Int64], to record: inout HistoryRecordWriter) {
    record.add(insertionsInto: layout.layout(at: entity), Self.ascending(keys))
  }

  // MARK: Updates

  private func addUpdates(to record: inout HistoryRecordWriter) {
    var others = otherRows()
    // Usually all rows are of one kind, or many successive ones are.
    var runs: [(kind: Kind, keys: [Int64])] = []
    var run: (kind: Kind, keys: [Int64])?
    func add(_ key: Int64, _ kind: Kind) {
      if run?.kind == kind {
        run?.keys.append(key)
      } else {
        if let run { runs.append(run) }
        run = (kind, [key])
      }
    }
    for update in plan.updates {
      let (key, entity) = update.model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      guard let entity, missing.isEmpty || !missing.contains(RowKey(key: key, entity: entity)) else { continue }
      let properties = properties(update, entity)
      if !others.isEmpty, others[RowKey(key: key, entity: entity)] != nil {
        others[RowKey(key: key, entity: entity)]?.formUnion(properties)
      } else {
        add(key, Kind(entity: entity, properties: properties))
      }
    }
    if !others.isEmpty {
      let missing = missing.union(deletedRows(of: Set(others.keys.map(\.entity))))
      for (row, properties) in others where !missing.contains(row) {
        add(row.key, Kind(entity: row.entity, properties: properties))
      }
    }
    guard let run else { return }
    func write(_ kind: Kind, _ keys: [Int64]) {
      record.add(updatesOf: layout.layout(at: kind.entity), kind.properties, Self.ascending(keys))
    }
    if runs.isEmpty { return write(run.kind, run.keys) }
    var keys: [Kind: [Int64]] = [:]
    for run in runs + [run] { keys[run.kind, default: []] += run.keys }
    for (kind, keys) in keys.sorted(by: { $0.key < $1.key }) { write(kind, keys) }
  }

  /// The properties that an update writes.
  private func properties(_ update: SavePlan.Update, _ entity: Int) -> ChangedProperties {
    // Only a class with so many properties has that bit.
    if update.dirty & _ModelState.restBit == 0 { return ChangedProperties(bits: update.dirty) }
    let changes = update.model._$withState { $0.changes }
    return ChangedProperties(
      layout.layout(at: entity).properties.map(\.index).filter { index in
        guard update.dirty & _ModelState.bit(index) != 0 else { return false }
        return index < _ModelState.restIndex || changes?.entry(index) != nil
      })
  }

  // MARK: Other rows

  /// Rows that change because the plan changes others, with the changed properties.
  private func otherRows() -> [RowKey: ChangedProperties] {
    var rows = consequences.changed
    let made = keys.merged.isEmpty && displaced.isEmpty ? [] : insertedRows
    for displaced in displaced where !made.contains(displaced.row) {
      rows[displaced.row, default: .init()].insert(displaced.property)
    }
    for (index, row) in keys.merged where !made.contains(row) {
      let model = plan.inserts[index]
      let layout = layout.layout(of: model)
      let count = self.layout.commonPropertyCount(layout, row)
      for index in layout.properties.map(\.index) where layout.replacesRowValue(index, of: model, common: count) {
        rows[row, default: .init()].insert(index)
      }
    }
    return rows
  }

  /// The rows that the save adds.
  private var insertedRows: Set<RowKey> {
    var rows = Set<RowKey>()
    for run in plan.insertRuns {
      for index in run.positions where keys.merged[index] == nil {
        rows.insert(RowKey(key: keys.inserted[index], entity: run.entity))
      }
    }
    return rows
  }

  // MARK: Deletions

  /// The rows of some entities that the save deletes.
  private func deletedRows(of entities: Set<Int>) -> Set<RowKey> {
    var rows = Set<RowKey>()
    for run in deleted where entities.contains(run.entity) {
      for key in run.keys { rows.insert(RowKey(key: key, entity: run.entity)) }
    }
    for (entity, keys) in plan.deletedRows where entities.contains(entity) {
      for key in keys { rows.insert(RowKey(key: key, entity: entity)) }
    }
    return rows
  }

  private func addDeletions(to record: inout HistoryRecordWriter) {
    var keys: [Int: [Int64]] = [:]
    for run in deleted { keys[run.entity, default: []] += run.keys }
    for (entity, rows) in plan.deletedRows { keys[entity, default: []] += rows }
    for entity in Set(missing.map(\.entity)) {
      keys[entity]?.removeAll { missing.contains(RowKey(key: $0, entity: entity)) }
    }
    let tombstones = consequences.tombstones
    for (entity, keys) in keys.sorted(by: { $0.key < $1.key }) where !keys.isEmpty {
      let keys = Self.ascending(keys)
      var left: [Int: [UInt8]] = [:]
      if !tombstones.isEmpty {
        for (index, key) in keys.enumerated() { left[index] = tombstones[RowKey(key: key, entity: entity)] }
      }
      record.add(deletionsFrom: layout.layout(at: entity), keys, left)
    }
  }

  /// Each key once, in ascending order.
  private static func ascending(_ keys: [Int64]) -> [Int64] {
    if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return keys }
    var last: Int64?
    return keys.sorted().filter { key in
      defer { last = key }
      return key != last
    }
  }
}
