import Relational

extension SaveTransaction {
  /// The updates of a plan, split by when they can be written.
  struct Updates {
    var ready: [SavePlan.Update]
    /// References to models inserted by this save that are part of unique values.
    var constrained: [SavePlan.Update] = []
    /// Other references to models inserted by this save.
    var waiting: [SavePlan.Update] = []
  }

  /// References to models inserted by this save have to wait for their keys; everything else is written first, so that the
  /// previous unique values become free.
  func splitUpdates() -> Updates {
    guard !plan.inserts.isEmpty else { return Updates(ready: plan.updates) }
    var split = Updates(ready: [])
    for update in plan.updates {
      var late: UInt64 = 0
      let layout = layout(of: update.model)
      if update.dirty & layout.writtenProperties == 0 { continue }
      for property in layout.runtime.toOnes {
        let bit = update.dirty & _ModelState.bit(property.index)
        if bit != 0, property.loadedTargets(of: update.model).contains(where: { $0._$withState { $0.key } <= 0 }) {
          late |= bit
        }
      }
      split.ready.append(update.with(dirty: update.dirty & ~late))
      if late == 0 { continue }
      let constrained = store.shapes.constrainedReferences(of: layout).reduce(0) { $0 | late & _ModelState.bit($1) }
      if constrained != 0 { split.constrained.append(update.with(dirty: constrained)) }
      // Properties that share the last bit need not all be constrained, and are written again when all keys are known.
      let waiting = late & (~constrained | _ModelState.restBit)
      if waiting != 0 { split.waiting.append(update.with(dirty: waiting)) }
    }
    return split
  }

  /// The transaction has to be rolled back and run again, with careful updates and a statement for each row: a unique value is
  /// still in a row that another update changes, or one of many rows cannot be written. In some databases no statement can
  /// follow such a failure.
  struct NeedsRestart: Error {}

  func updateRows(_ updates: [SavePlan.Update]) throws {
    do {
      try writeRows(updates)
    } catch let error as DatabaseError where error.reason == .uniqueViolation {
      throw isCareful || plan.updates.count < 2 ? error : NeedsRestart()
    }
  }

  /// Replaces the unique values of rows by temporary values that no model can have, different for each row.
  func writeTemporaryValues(_ updates: [SavePlan.Update]) throws {
    for update in updates {
      subject = .model(update.model)
      let layout = layout(of: update.model)
      let key = update.model._$withState { $0.key }
      var fileQueries: [String] = []
      let values = Set(layout.entity.allUniquenessConstraints.joined()).sorted().compactMap {
        path -> (column: String, value: Value)? in
        guard let name = path.split(separator: ".").first, let property = layout.property(named: String(name)),
          update.changes(property.index), let column = layout.column(path: path)
        else { return nil }
        if let external = property.externalColumn {
          fileQueries.append(dialect.render(layout.fileNames(in: external, where: .isRow)).sql)
        }
        // A negative key refers to no row; the database checks foreign keys at the commit, when the reference is replaced.
        let value = property.isReference ? .integer(-key) : ColumnEncoding.temporaryValue(forRow: key)
        return (column: column, value: value)
      }
      guard !values.isEmpty else { continue }
      try collectFiles(fileQueries, key)
      let temporaryUpdate = Update(
        layout.table, set: values.map { .init($0.column, .value($0.value)) },
        where: .binary(.equal, .column(LayoutNames.primaryKey), .value(.integer(key))))
      try connection.send(dialect.render(temporaryUpdate))
    }
    subject = .none
  }

  private func writeRows(_ updates: [SavePlan.Update]) throws {
    let updates = Self.inOrder(updates)
    // By position, because iteration would retain each model once more.
    var start = 0
    while start < updates.count {
      let (entity, dirty) = (updates[start].entity, updates[start].dirty)
      var end = start + 1
      while end < updates.count, updates[end].entity == entity, updates[end].dirty == dirty { end += 1 }
      try write(updates[start..<end], layout.layout(at: entity), dirty: dirty)
      start = end
    }
  }

  /// Sorts many updates by entity, changed properties and key, so that one statement can write many rows.
  private static func inOrder(_ updates: [SavePlan.Update]) -> [SavePlan.Update] {
    func sortKey(_ index: Int) -> (Int, UInt64, Int64) {
      (updates[index].entity, updates[index].dirty, updates[index].key)
    }
    if updates.count < leastBatch || updates.indices.dropFirst().allSatisfy({ sortKey($0 - 1) < sortKey($0) }) {
      return updates
    }
    return updates.indices.sorted { sortKey($0) < sortKey($1) }.map { updates[$0] }
  }

  /// Writes the same properties of models of one entity.
  private func write(_ run: ArraySlice<SavePlan.Update>, _ layout: EntityLayout, dirty: UInt64) throws {
    if dirty & layout.writtenProperties == 0 { return }
    if dirty & _ModelState.restBit != 0, layout.properties.count > _ModelState.restIndex + 1 {
      for update in run { try write(update, layout, UpdateShape(layout, dialect, includes: update.changes)) }
      return
    }
    let shape = store.shapes.update(layout, dirty: dirty)
    if shape.isEmpty { return }
    // A failed batch does not say which row could not be written.
    let allowsBatch = !isCareful && (shape.fileQueries.isEmpty || store.files == nil)
    if let sql = shape.batchSQL, allowsBatch, run.count >= (connection.runsLater ? 1 : Self.leastBatch) {
      try writeBatches(of: run, layout, shape, sql)
    } else {
      for update in run { try write(update, layout, shape) }
    }
  }

  /// The least number of rows for a batch.
  private static var leastBatch: Int { 8 }

  private func write(_ update: SavePlan.Update, _ layout: EntityLayout, _ shape: UpdateShape) throws {
    if shape.isEmpty { return }
    subject = .model(update.model)
    try self.update(update.model, update.key, layout, shape)
    if connection.changeCount == 0 { throw Self.missingRow(of: update.model, layout) }
  }

  private static func missingRow(of model: any PersistentModel, _ layout: EntityLayout) -> SwiftDataError {
    SwiftDataError.modelValidationFailure.with(
      entity: layout.entity.name,
      message: "Another context or process deleted a changed model from the store.",
      hint: "Roll back, or insert a new model with the same values.", identifiers: [model.anyIdentifier])
  }

  /// Writes many rows in batches, by one statement each.
  private func writeBatches(
    of run: ArraySlice<SavePlan.Update>, _ layout: EntityLayout, _ shape: UpdateShape, _ sql: String
  ) throws {
    var updates = run
    let batch = RowBatch(width: Int(shape.keyParameter) - 1, rowCount: run.count)
    while !updates.isEmpty {
      try fill(batch, with: updates, layout, shape)
      try write(batch, sql)
      updates.removeFirst(batch.count)
    }
  }

  /// Adds updates to a batch, from the first one on until the batch is full.
  private func fill(
    _ batch: RowBatch, with updates: ArraySlice<SavePlan.Update>, _ layout: EntityLayout, _ shape: UpdateShape
  ) throws {
    batch.removeAll()
    writer.begin(shape, layout, in: batch)
    defer { writer.end() }
    for index in updates.indices where !batch.isFull {
      batch.addRow(updates[index].key)
      do {
        try write(updates[index].model, updates[index].key, layout)
      } catch {
        subject = .model(updates[index].model)
        throw error
      }
    }
  }

  /// - Throws: `NeedsRestart` when a row cannot be written or is missing: writing the rows one by one shows which.
  func write(_ batch: RowBatch, _ sql: String) throws {
    subject = .none
    do {
      try connection.statement(sql).run(batch)
    } catch let error as DatabaseError where error.reason.isOfRows {
      throw NeedsRestart()
    }
  }

  func update(_ model: any PersistentModel, _ key: Int64, _ layout: EntityLayout, _ shape: UpdateShape) throws {
    try collectFiles(shape.fileQueries, key)
    let statement = try writer.begin(shape, layout, on: connection)
    try write(model, key, layout)
    statement.bind(key, at: shape.keyParameter)
    _ = try statement.step()
  }

  /// Updates a row that exists, as an upsert has found it.
  func send(updateOf model: any PersistentModel, _ key: Int64, _ layout: EntityLayout, _ shape: UpdateShape) throws {
    if isCareful { return try update(model, key, layout, shape) }
    try collectFiles(shape.fileQueries, key)
    let statement = try writer.begin(shape, layout, on: connection)
    try write(model, key, layout)
    statement.bind(key, at: shape.keyParameter)
    try statement.send()
  }
}

extension DatabaseError.Reason {
  /// Whether the statement failed because of the rows that it was to write.
  var isOfRows: Bool {
    switch self {
    case .missingRows, .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation, .refusedByTrigger,
      .tooComplex:
      true
    default: false
    }
  }
}
