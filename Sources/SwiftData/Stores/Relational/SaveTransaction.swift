import Foundation
import Relational

/// Writes one save plan in one transaction.
///
/// Deletions come first and updates next, so that the unique values they give up are free. Then every inserted model
/// gets its key, a new one or that of the row that has its unique values already, and only then rows are written that
/// may refer to each other. Foreign keys are checked at the commit.
final class SaveTransaction {
  private let store: RelationalStore
  private let plan: SavePlan
  private let connection: any Connection
  private let sequences: KeySequences
  private let writer: StatementRowWriter
  private let keys: SaveKeys

  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// Rows that lost a one-to-one partner to a saved model.
  @exclusivity(unchecked) private var displaced: [RowKey] = []
  @exclusivity(unchecked) private var obsoleteFiles: [String] = []
  /// What is being written, for the error.
  @exclusivity(unchecked) private var subject = Subject.none

  private enum Subject {
    case none
    case model(any PersistentModel)
    /// The position among the plan's insertions.
    case inserted(Int)
  }

  private init(store: RelationalStore, plan: SavePlan, connection: any Connection) {
    self.store = store
    self.plan = plan
    self.connection = connection
    sequences = KeySequences(connection, store.database.dialect, store.shapes, store.lastKeys)
    keys = SaveKeys(plan)
    writer = StatementRowWriter(files: store.files, keys: keys)
  }

  static func run(_ plan: SavePlan, in store: RelationalStore) throws -> SaveOutcome {
    try store.saveGuard.check()
    var transaction: SaveTransaction?
    do {
      try store.database.write { connection in
        let begun = SaveTransaction(store: store, plan: plan, connection: connection)
        transaction = begun
        defer { begun.writer.end() }
        try store.saveGuard.saving(begun.write)
      }
    } catch {
      guard let transaction else { throw SaveTransaction.failure(error, store) }
      store.files?.remove(transaction.writer.writtenFiles)
      throw transaction.described(error)
    }
    guard let transaction else { return SaveOutcome(keys: []) }
    store.files?.retire(transaction.obsoleteFiles, store.database)
    return SaveOutcome(
      keys: transaction.keys.inserted, merged: transaction.keys.merged.mapValues(\.entity),
      affected: transaction.displaced)
  }

  private var layout: StoreLayout { store.layout }
  private var dialect: any Dialect { store.database.dialect }

  private func write() throws {
    try deleteRows()
    let (ready, waiting) = splitUpdates()
    try updateRows(ready)
    try assignKeys()
    let positions = MembershipWriter(
      layout: layout, connection: connection, dialect: dialect, sequences: sequences, keys: keys)
    positions.plan(plan.memberships)
    // Upserts come last: what an inserted model says of a row counts more than a pending change of the row's own model.
    try updateRows(waiting)
    try insertRows(positions)
    displaced = try OneToOneWriter(
      layout: layout, plan: plan, keys: keys, connection: connection, dialect: dialect, store: store.identifier
    ).displace { subject = .model($0) }
    subject = .none
    try positions.write()
    try sequences.finish()
    if !writer.writtenFiles.isEmpty { try synchronizeFiles() }
  }

  private func synchronizeFiles() throws {
    do {
      try store.files?.synchronize()
    } catch {
      throw DatabaseError.file("the folder of the external files", error)
    }
  }

  private func layout(of model: any PersistentModel) -> EntityLayout {
    layout.layout(of: model)
  }

  /// Called after each time that values were asked for what they have in columns.
  private func checkUndisturbed() throws {
    try plan.checkUndisturbed()
    try store.saveGuard.checkUnused()
  }

  // MARK: Deletions

  private func deleteRows() throws {
    var layout: EntityLayout?
    var shape: DeleteShape?
    var statement: Statement?
    var last: Int64 = 0
    defer { statement?.reset() }
    for model in plan.deletes {
      subject = .model(model)
      let (key, ordinal) = model._$withState { ($0.key, $0.binding?.ordinal) }
      if layout == nil || layout?.ordinal != ordinal {
        if let layout { sequences.retire(last, of: layout.table) }
        statement?.reset()
        let next = self.layout(of: model)
        let nextShape = store.shapes.delete(next)
        (layout, shape, last) = (next, nextShape, 0)
        statement = try connection.statement(nextShape.sql)
      }
      if store.files != nil {
        for query in shape?.fileQueries ?? [] {
          try connection.forEachRow(query, [.integer(key)]) { obsoleteFiles.append($0.text(0)) }
        }
      }
      last = max(last, key)
      statement?.reset()
      statement?.bind(key, at: 1)
      _ = try statement?.step()
    }
    if let layout { sequences.retire(last, of: layout.table) }
    subject = .none
    for (ordinal, keys) in plan.deletedRows { try deleteRows(keys, of: self.layout.layout(at: ordinal)) }
  }

  /// Deletes rows that nobody has in memory.
  private func deleteRows(_ keys: [Int64], of layout: EntityLayout) throws {
    let key = SQLExpression.column(table: layout.table, name: LayoutNames.primaryKey)
    let condition = dialect.render(.isIn(key, keys.map { .integer($0) }))
    if store.files != nil {
      for column in layout.externalColumns {
        let query = DeleteShape.fileQuery(column, of: layout, where: condition.sql, dialect)
        try connection.forEachRow(query, condition.parameters) { obsoleteFiles.append($0.text(0)) }
      }
    }
    try connection.run("DELETE FROM \(dialect.quoted(layout.table)) WHERE \(condition.sql)", condition.parameters)
    if let last = keys.last { sequences.retire(last, of: layout.table) }
  }

  /// Notes the files that the row names now, because the save is about to make them obsolete.
  private func collectFiles(of layout: EntityLayout, _ key: Int64, properties: Set<Int>) throws {
    guard store.files != nil else { return }
    let condition = "\(dialect.quoted(LayoutNames.primaryKey)) = ?"
    for property in layout.properties where properties.contains(property.index) {
      guard let column = property.externalColumn else { continue }
      let query = DeleteShape.fileQuery(column, of: layout, where: condition, dialect)
      try connection.forEachRow(query, [.integer(key)]) { obsoleteFiles.append($0.text(0)) }
    }
  }

  // MARK: Updates

  /// References to models inserted by this save have to wait for their keys; everything else is written before, so that
  /// the unique values that it gives up are free.
  private func splitUpdates() -> (ready: [SavePlan.Update], waiting: [SavePlan.Update]) {
    guard !plan.inserts.isEmpty else { return (plan.updates, []) }
    var ready: [SavePlan.Update] = []
    var waiting: [SavePlan.Update] = []
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
      ready.append(SavePlan.Update(model: update.model, dirty: update.dirty & ~late))
      if late != 0 { waiting.append(SavePlan.Update(model: update.model, dirty: late)) }
    }
    return (ready, waiting)
  }

  /// Writes updates. One that asks for a unique value which another is about to give up is tried again after it; those
  /// that wait for each other give up their values first.
  private func updateRows(_ updates: [SavePlan.Update]) throws {
    var remaining = updates
    var isParked = false
    while !remaining.isEmpty {
      var refused: [SavePlan.Update] = []
      var failure: (model: any PersistentModel, error: DatabaseError)?
      try updateRows(remaining) { update, error in
        refused.append(update)
        if failure == nil { failure = (update.model, error) }
      }
      if let failure, refused.count == remaining.count {
        guard !isParked, refused.count > 1 else {
          subject = .model(failure.model)
          throw failure.error
        }
        try park(refused)
        isParked = true
      }
      remaining = refused
    }
  }

  /// Puts something in place of the unique values of rows that no model can have, and no two rows have alike.
  private func park(_ updates: [SavePlan.Update]) throws {
    for update in updates {
      let layout = layout(of: update.model)
      let key = update.model._$withState { $0.key }
      let columns = Set(layout.entity.allUniquenessConstraints.joined()).filter { path in
        path.split(separator: ".").first.flatMap { layout.property(named: String($0)) }.map {
          update.dirty & _ModelState.bit($0.index) != 0 && !$0.isReference
        } ?? false
      }.compactMap { layout.column(path: $0) }.sorted()
      guard !columns.isEmpty else { continue }
      let assignments = columns.map { "\(dialect.quoted($0)) = ?" }.joined(separator: ", ")
      let mark = Value.blob(Data("swiftdata_parked_\(key)".utf8))
      try connection.run(
        """
        UPDATE \(dialect.quoted(layout.table)) SET \(assignments) \
        WHERE \(dialect.quoted(LayoutNames.primaryKey)) = ?
        """, columns.map { _ in mark } + [.integer(key)])
    }
  }

  private func updateRows(
    _ updates: [SavePlan.Update], refuse: (SavePlan.Update, DatabaseError) -> Void
  ) throws {
    var lastKind: (layout: EntityLayout, dirty: UInt64)?
    var shape: UpdateShape?
    for update in updates {
      subject = .model(update.model)
      let layout = layout(of: update.model)
      if update.dirty & layout.writtenProperties == 0 { continue }
      if update.dirty & _ModelState.restBit != 0, layout.properties.count > _ModelState.restIndex + 1 {
        // Of those that share the last bit some may not be read, and have nothing to write.
        let properties = layout.runtime.properties
        shape = UpdateShape(layout, store.database.dialect) { index in
          update.dirty & _ModelState.bit(index) != 0
            && (index < _ModelState.restIndex || properties[index].isLoaded(update.model))
        }
        lastKind = nil
      } else if lastKind?.layout !== layout || lastKind?.dirty != update.dirty {
        shape = store.shapes.update(layout, dirty: update.dirty)
        lastKind = (layout, update.dirty)
      }
      guard let shape, !shape.isEmpty else { continue }
      let key = update.model._$withState { $0.key }
      do {
        try self.update(update.model, key, layout, shape)
      } catch let error as DatabaseError where error.reason == .uniqueViolation {
        refuse(update, error)
        continue
      }
      if connection.changeCount == 0 {
        throw SwiftDataError.modelValidationFailure.with(
          entity: layout.entity.name,
          message: "A changed model was deleted from the store by somebody else.",
          hint: "Roll back, or insert a new model with the same values.", identifiers: [update.model.anyIdentifier])
      }
    }
  }

  private func update(_ model: any PersistentModel, _ key: Int64, _ layout: EntityLayout, _ shape: UpdateShape) throws {
    if shape.hasExternal { try collectFiles(of: layout, key, properties: shape.properties) }
    let statement = try writer.begin(shape, layout, on: connection)
    model._$store(writer)
    if let failure = writer.failure { throw failure }
    try checkUndisturbed()
    statement.bind(key, at: shape.keyParameter)
    _ = try statement.step()
  }

  // MARK: Insertions

  private func assignKeys() throws {
    var resolver = UniqueRows(shapes: store.shapes, connection: connection)
    for run in plan.insertRuns {
      subject = .inserted(run.start)
      let layout = layout.layout(at: run.entity)
      if store.shapes.constraints(of: layout).isEmpty {
        let sequence = try sequences.sequence(of: layout.table)
        for index in run.positions where keys.inserted[index] == 0 { keys.assign(try sequence.next(), to: index) }
      } else {
        for index in run.positions where keys.inserted[index] == 0 { try assignKey(index, &resolver, depth: 0) }
      }
    }
    try refuseNarrowReferences()
  }

  private func assignKey(_ index: Int, _ resolver: inout UniqueRows, depth: Int) throws {
    let model = plan.inserts[index]
    subject = .inserted(index)
    let layout = layout(of: model)
    let constraints = store.shapes.constraints(of: layout)
    if constraints.isEmpty {
      keys.assign(try sequences.next(of: layout.table), to: index)
      return
    }
    // A constraint over a to-one needs the key of the target first. A cycle of such constraints ends at its start.
    for property in layout.runtime.relationships where resolver.isConstrained(property.index, in: layout) {
      for target in property.loadedTargets(of: model) where depth < 16 {
        guard let other = plan.index(ofInserted: target), keys.inserted[other] == 0 else { continue }
        try assignKey(other, &resolver, depth: depth + 1)
      }
    }
    if keys.inserted[index] != 0 { return }
    let existing = try resolver.existingRow(of: model, layout, keys: keys)
    try checkUndisturbed()
    if let existing {
      keys.merge(index, into: existing)
      resolver.remember(existing)
    } else {
      let key = try sequences.next(of: layout.table)
      keys.assign(key, to: index)
      resolver.remember(RowKey(key: key, entity: layout.ordinal))
    }
  }

  /// Refuses relationships to an inserted model that became a row of an entity which they cannot lead to: one that the
  /// model's own inherits from, or another that does.
  private func refuseNarrowReferences() throws {
    var narrowed: [ObjectIdentifier: EntityLayout] = [:]
    for (index, row) in keys.merged {
      let layout = self.layout.layout(at: row.entity)
      let model = plan.inserts[index]
      if !layout.entity.isKind(of: self.layout(of: model).entity) { narrowed[ObjectIdentifier(model)] = layout }
    }
    guard !narrowed.isEmpty else { return }
    for model in plan.inserts + plan.updates.map(\.model) {
      for property in layout(of: model).runtime.relationships {
        for target in property.loadedTargets(of: model) {
          guard let row = narrowed[ObjectIdentifier(target)], !property.accepts(row.runtime.type) else { continue }
          throw SwiftDataError.modelValidationFailure.with(
            entity: layout(of: model).entity.name, property: property.name,
            message: """
              It leads to a new \(layout(of: target).entity.name) whose unique values a saved \(row.entity.name) has, \
              which it cannot lead to.
              """,
            hint: "Fetch the model that has the values, or give the new one others.",
            identifiers: [model.anyIdentifier, target.anyIdentifier])
        }
      }
    }
  }

  private func insertRows(_ positions: MembershipWriter) throws {
    for run in plan.insertRuns {
      let layout = layout.layout(at: run.entity)
      try insertRows(run.positions, layout, store.shapes.insert(layout), positions)
    }
  }

  private func insertRows(
    _ run: Range<Int>, _ layout: EntityLayout, _ shape: InsertShape, _ positions: MembershipWriter
  ) throws {
    for index in run {
      subject = .inserted(index)
      let model = plan.inserts[index]
      let key = keys.inserted[index]
      if let row = keys.mergedRow(index) {
        try mergeRow(of: model, row, layout)
        continue
      }
      let statement = try writer.begin(shape, layout, on: connection)
      statement.bind(key, at: 1)
      if shape.typeParameter > 0 { statement.bind(layout.entity.name, at: shape.typeParameter) }
      for (property, parameter) in shape.positionParameters {
        statement.bind(positions.position(of: model, key, under: property), at: parameter)
      }
      model._$store(writer)
      if let failure = writer.failure { throw failure }
      try checkUndisturbed()
      _ = try statement.step()
    }
  }

  /// Gives a row that is there already the values of an inserted model. A to-one that the model leaves empty stays as it
  /// is in the row, and what the row's entity lacks is left out.
  private func mergeRow(of model: any PersistentModel, _ row: RowKey, _ layout: EntityLayout) throws {
    let count = self.layout.commonPropertyCount(layout, row)
    if count < layout.properties.count {
      Log.store.warning(
        """
        A new \(layout.entity.name) has the unique values of a saved \(self.layout.layout(at: row.entity).entity.name), \
        which stays what it is and takes no values of properties that it lacks.
        """)
    }
    let shape = UpdateShape(layout, dialect) { index in
      guard index < count else { return false }
      guard let property = layout.runtime.properties[index].relationship else { return true }
      return !property.loadedTargets(of: model).isEmpty
    }
    guard !shape.isEmpty else { return }
    try update(model, row.key, layout, shape)
  }

  // MARK: Errors

  private var current: (any PersistentModel)? {
    switch subject {
    case .none: nil
    case .model(let model): model
    case .inserted(let index): plan.inserts[index]
    }
  }

  private func described(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    switch error.reason {
    case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation:
      let messages: [DatabaseError.Reason: String] = [
        .uniqueViolation: "Another model has the same unique values already.",
        .foreignKeyViolation: "A model that is still referred to was deleted, or a reference leads nowhere.",
        .notNullViolation: "A value is required, and there is none.",
      ]
      let model = error.reason == .foreignKeyViolation ? nil : current
      return SwiftDataError.modelValidationFailure.with(
        entity: model.map { layout(of: $0).entity.name },
        message: messages[error.reason] ?? "A rule of the store is broken.", sql: error.sql, underlying: error,
        identifiers: model.map { [$0.anyIdentifier] } ?? involved)
    default:
      var failure = StoreFailure(operation: .writing, store: store.configuration.name, error: error)
      failure.persistentIdentifiers = current.map { [$0.anyIdentifier] } ?? []
      return failure
    }
  }

  /// The error of a transaction that did not begin.
  private static func failure(_ error: any Error, _ store: RelationalStore) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return StoreErrors.writing(store.configuration, error)
  }

  /// Those that can be to blame for a reference that leads nowhere.
  private var involved: [PersistentIdentifier] {
    let rows = plan.deletedRows.flatMap { entity, keys in
      keys.prefix(20).map { key in
        PersistentIdentifier(store: store.identifier, entity: layout.layout(at: entity).runtime.entityName, key: key)
      }
    }
    let models = (plan.deletes + plan.updates.map(\.model) + plan.inserts).prefix(20)
    return Array((models.map(\.anyIdentifier) + rows).prefix(20))
  }
}
