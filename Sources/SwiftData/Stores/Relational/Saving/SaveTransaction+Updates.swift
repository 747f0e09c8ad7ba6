import Relational

extension SaveTransaction {
  /// What updates write, by the time when they can.
  struct Updates {
    var ready: [SavePlan.Update]
    /// References to models inserted by this save that are part of unique values.
    var constrained: [SavePlan.Update] = []
    /// Other references to models inserted by this save.
    var waiting: [SavePlan.Update] = []
  }

  /// References to models inserted by this save have to wait for their keys; everything else is written before, so that
  /// the unique values that it gives up are free.
  func splitUpdates() -> Updates {
    guard !plan.inserts.isEmpty else { return Updates(ready: plan.updates) }
    var split = Updates(ready: [])
    for update in plan.updates {
      var late: UInt64 = 0
      let layout = layout(of: update.model)
      if update.dirty & layout.writtenProperties == 0 { continue }
      for property in layout.runtime.relationships where !property.isToMany {
        let bit = update.dirty & _ModelState.bit(property.index)
        if bit != 0, property.loadedTargets(of: update.model).contains(where: { $0._$withState { $0.key } <= 0 }) {
          late |= bit
        }
      }
      split.ready.append(SavePlan.Update(model: update.model, dirty: update.dirty & ~late))
      if late == 0 { continue }
      let constrained = store.shapes.constrainedReferences(of: layout).reduce(0) { $0 | late & _ModelState.bit($1) }
      if constrained != 0 { split.constrained.append(SavePlan.Update(model: update.model, dirty: constrained)) }
      // Those that share the last bit need not all be constrained, and are written again when all keys are known.
      let waiting = late & (~constrained | _ModelState.restBit)
      if waiting != 0 { split.waiting.append(SavePlan.Update(model: update.model, dirty: waiting)) }
    }
    return split
  }

  /// Why a transaction is given up, to be begun anew: an update asks for unique values that another one may be about to
  /// give up. There are databases in which nothing can follow such a failure.
  struct Clash: Error {}

  func updateRows(_ updates: [SavePlan.Update]) throws {
    do {
      try writeRows(updates)
    } catch let error as DatabaseError where error.reason == .uniqueViolation {
      throw isCareful || plan.updates.count < 2 ? error : Clash()
    }
  }

  /// Puts something in place of the unique values of rows that no model can have, and no two rows have alike.
  func park(_ updates: [SavePlan.Update]) throws {
    for update in updates {
      subject = .model(update.model)
      let layout = layout(of: update.model)
      let key = update.model._$withState { $0.key }
      var fileQueries: [String] = []
      let values = Set(layout.entity.allUniquenessConstraints.joined()).sorted().compactMap {
        path -> (column: String, value: Value)? in
        guard let name = path.split(separator: ".").first, let property = layout.property(named: String(name)),
          writes(property.index, update, layout), let column = layout.column(path: path)
        else { return nil }
        if let external = property.externalColumn {
          fileQueries.append(dialect.render(layout.fileNames(in: external, where: .isRow)).sql)
        }
        // A key that no row has; the database looks at the commit, and by then another is there.
        let value = property.isReference ? .integer(-key) : ColumnEncoding.placeholder(forRow: key)
        return (column: column, value: value)
      }
      guard !values.isEmpty else { continue }
      try collectFiles(fileQueries, key)
      let parking = Update(
        layout.table, set: values.map { .init($0.column, .value($0.value)) },
        where: .binary(.equal, .column(LayoutNames.primaryKey), .value(.integer(key))))
      try connection.run(dialect.render(parking))
    }
    subject = .none
  }

  /// Whether an update writes a property: of those that share the last bit some may not be read, and have nothing to
  /// write.
  private func writes(_ index: Int, _ update: SavePlan.Update, _ layout: EntityLayout) -> Bool {
    guard update.dirty & _ModelState.bit(index) != 0 else { return false }
    return index < _ModelState.restIndex || layout.properties.count <= _ModelState.restIndex + 1
      || layout.runtime.properties[index].isLoaded(update.model)
  }

  private func writeRows(_ updates: [SavePlan.Update]) throws {
    var lastKind: (layout: EntityLayout, dirty: UInt64)?
    var shape: UpdateShape?
    for update in updates {
      subject = .model(update.model)
      let layout = layout(of: update.model)
      if update.dirty & layout.writtenProperties == 0 { continue }
      if update.dirty & _ModelState.restBit != 0, layout.properties.count > _ModelState.restIndex + 1 {
        shape = UpdateShape(layout, dialect) { writes($0, update, layout) }
        lastKind = nil
      } else if lastKind?.layout !== layout || lastKind?.dirty != update.dirty {
        shape = store.shapes.update(layout, dirty: update.dirty)
        lastKind = (layout, update.dirty)
      }
      guard let shape, !shape.isEmpty else { continue }
      let key = update.model._$withState { $0.key }
      try self.update(update.model, key, layout, shape)
      if connection.changeCount == 0 {
        throw SwiftDataError.modelValidationFailure.with(
          entity: layout.entity.name,
          message: "A changed model was deleted from the store by somebody else.",
          hint: "Roll back, or insert a new model with the same values.", identifiers: [update.model.anyIdentifier])
      }
    }
  }

  func update(_ model: any PersistentModel, _ key: Int64, _ layout: EntityLayout, _ shape: UpdateShape) throws {
    try collectFiles(shape.fileQueries, key)
    let statement = try writer.begin(shape, layout, on: connection)
    model._$store(writer)
    if let failure = writer.failure { throw failure }
    try checkUndisturbed()
    statement.bind(key, at: shape.keyParameter)
    _ = try statement.step()
  }
}
