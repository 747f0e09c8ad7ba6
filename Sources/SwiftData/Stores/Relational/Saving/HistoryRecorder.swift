import Relational

/// Works out what a save has changed, once all of it is written.
struct HistoryRecorder {
  let layout: StoreLayout
  let plan: SavePlan
  let keys: SaveKeys
  /// What the database told of other rows.
  let consequences: SaveConsequences
  /// Rows that lost a target to others.
  let displaced: [OneToOneWriter.Displaced]

  /// Rows of one entity in which the same properties changed.
  private struct Kind: Hashable {
    let entity: Int
    /// As `_ModelState.dirty` has them.
    let properties: UInt64
    /// The indices of those that share a bit there.
    var rest: [Int] = []
  }

  func groups() -> [HistoryRecord.Group] {
    var groups = insertions()
    if !plan.updates.isEmpty || !keys.merged.isEmpty || !displaced.isEmpty || !consequences.changed.isEmpty {
      groups += updates()
    }
    if !plan.deletes.isEmpty || !plan.deletedRows.isEmpty { groups += deletions() }
    return groups
  }

  private func name(_ entity: Int) -> String {
    layout.layout(at: entity).entity.name
  }

  private func insertions() -> [HistoryRecord.Group] {
    if plan.insertRuns.count < 2, self.keys.merged.isEmpty {
      return plan.insertRuns.flatMap { groups(name($0.entity), Self.ascending(self.keys.inserted)) }
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
    return keys.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.flatMap { entity, rows in
      groups(name(entity), Self.ascending(rows))
    }
  }

  /// The insertions of one entity, with those apart that brought a row back.
  private func groups(_ entity: String, _ keys: [Int64]) -> [HistoryRecord.Group] {
    if plan.revivedKeys.isEmpty { return [HistoryRecord.Group(kind: .insert, entity: entity, keys: keys)] }
    let revived = Set(plan.revivedKeys.values)
    return [
      HistoryRecord.Group(kind: .insert, entity: entity, keys: keys.filter { !revived.contains($0) }),
      HistoryRecord.Group(kind: .revival, entity: entity, keys: keys.filter(revived.contains)),
    ].filter { !$0.keys.isEmpty }
  }

  // MARK: Updates

  private func updates() -> [HistoryRecord.Group] {
    var others = otherRows()
    // Mostly many of one kind come one after the other.
    var runs: [(kind: Kind, keys: [Int64])] = []
    for update in plan.updates {
      let (key, entity) = update.model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      guard let entity else { continue }
      if !others.isEmpty, others[RowKey(key: key, entity: entity)] != nil {
        others[RowKey(key: key, entity: entity)]?.formUnion(indices(update, entity))
        continue
      }
      let kind = kind(update, entity)
      if runs.last?.kind != kind { runs.append((kind, [])) }
      runs[runs.count - 1].keys.append(key)
    }
    if !others.isEmpty {
      let gone = deletedRows
      for (row, properties) in others where !gone.contains(row) {
        runs.append((kind(properties, row.entity), [row.key]))
      }
    }
    if runs.count > 1 {
      var keys: [Kind: [Int64]] = [:]
      for run in runs { keys[run.kind, default: []] += run.keys }
      runs = keys.map { ($0.key, $0.value) }
    }
    let groups = runs.map { kind, keys in
      HistoryRecord.Group(
        kind: .update, entity: name(kind.entity), properties: names(of: kind), keys: Self.ascending(keys))
    }
    return groups.count < 2 ? groups : groups.sorted { ($0.entity, $0.order) < ($1.entity, $1.order) }
  }

  private static let firstOfRest = (0..<64).first { _ModelState.bit($0) == _ModelState.bit($0 + 1) } ?? 63

  private func kind(_ update: SavePlan.Update, _ entity: Int) -> Kind {
    let rest = _ModelState.bit(Self.firstOfRest)
    // Only a class with as many properties has that bit.
    if update.dirty & rest == 0 { return Kind(entity: entity, properties: update.dirty) }
    return kind(Set(indices(update, entity)), entity)
  }

  private func kind(_ indices: Set<Int>, _ entity: Int) -> Kind {
    let rest = indices.filter { $0 >= Self.firstOfRest }.sorted()
    let properties = indices.reduce(UInt64(0)) { $1 < Self.firstOfRest ? $0 | _ModelState.bit($1) : $0 }
    return Kind(entity: entity, properties: properties, rest: rest)
  }

  /// The properties that an update writes.
  private func indices(_ update: SavePlan.Update, _ entity: Int) -> [Int] {
    let changes = update.model._$withState { $0.changes }
    return layout.layout(at: entity).properties.map(\.index).filter { index in
      guard update.dirty & _ModelState.bit(index) != 0 else { return false }
      return index < Self.firstOfRest || changes?.entry(index) != nil
    }
  }

  private func names(of kind: Kind) -> [String] {
    layout.layout(at: kind.entity).properties.filter {
      $0.index < Self.firstOfRest
        ? kind.properties & _ModelState.bit($0.index) != 0 : kind.rest.contains($0.index)
    }.map(\.name)
  }

  // MARK: Other rows

  /// Rows that change because of what the plan says of others, with the properties that do.
  private func otherRows() -> [RowKey: Set<Int>] {
    var rows = consequences.changed
    for displaced in displaced { rows[displaced.row, default: []].insert(displaced.property) }
    let made = keys.merged.isEmpty ? [] : insertedRows
    for (index, row) in keys.merged where !made.contains(row) {
      let model = plan.inserts[index]
      let layout = layout.layout(of: model)
      let count = self.layout.commonPropertyCount(layout, row)
      let merged = layout.properties.map(\.index).filter { layout.isMerged($0, of: model, common: count) }
      rows[row, default: []].formUnion(merged)
    }
    return rows
  }

  /// Rows that the save adds.
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

  private var deletedRows: Set<RowKey> {
    var rows = Set<RowKey>()
    for model in plan.deletes {
      let (key, entity) = model._$withState { ($0.key, $0.binding?.ordinal) }
      if let entity { rows.insert(RowKey(key: key, entity: entity)) }
    }
    for (entity, keys) in plan.deletedRows { rows.formUnion(keys.map { RowKey(key: $0, entity: entity) }) }
    return rows
  }

  private func deletions() -> [HistoryRecord.Group] {
    var keys: [Int: [Int64]] = [:]
    var last: (entity: Int, keys: [Int64])?
    for model in plan.deletes {
      let (key, entity) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      guard let entity else { continue }
      if last?.entity != entity {
        if let last { keys[last.entity] = last.keys }
        last = (entity, keys.removeValue(forKey: entity) ?? [])
      }
      last?.keys.append(key)
    }
    if let last { keys[last.entity] = last.keys }
    for (entity, rows) in plan.deletedRows { keys[entity, default: []] += rows }
    let tombstones = consequences.tombstones
    return keys.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { entity, keys in
      let keys = Self.ascending(keys)
      var group = HistoryRecord.Group(kind: .delete, entity: name(entity), keys: keys)
      if !tombstones.isEmpty {
        for (index, key) in keys.enumerated() {
          group.tombstones[index] = tombstones[RowKey(key: key, entity: entity)]
        }
      }
      return group
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

extension HistoryRecord.Group {
  /// Something that groups of one entity are in order of.
  fileprivate var order: String { properties.joined(separator: ",") }
}
