import Foundation
import Relational

/// Writes one save plan in one transaction.
///
/// Deletions come first and updates next, so that the unique values they release are free. Then every inserted model gets
/// its key, a new one or the key of the row that has its unique values already. After that, rows are written that may
/// refer to each other. An update that refers to an inserted model is written when that one has its key; if the reference
/// is part of unique values, before models of the same table are looked up. Foreign keys are checked at the commit.
///
/// Few updates are written in the order of the plan, and many sorted by changed properties and keys. If one needs a unique
/// value that a row still has, the transaction is rolled back and run again, and all updates write temporary values
/// first.
final class SaveTransaction {
  let store: RelationalStore
  let plan: SavePlan
  let connection: any Connection
  let sequences: any KeySource
  let writer: StatementRowWriter
  let keys: SaveKeys
  /// Whether updates write temporary unique values first.
  let isCareful: Bool

  /// Rows whose one-to-one target a saved model has taken.
  private var displaced: [OneToOneWriter.Displaced] = []
  /// Rows whose attributes got permanent identifiers where the models in memory have temporary ones.
  private var rowsWithSavedIdentifiers: Set<RowKey> = []
  /// The number of the last transaction that the context was notified of.
  private let seenNumber: Int64
  /// Nil without a history, like the next property.
  private var consequences: SaveConsequences?
  private var historyNumbers: KeySequence?
  /// Rows of the plan that another context or process has deleted, as far as the history records them.
  private var missing: Set<RowKey> = []
  /// The rows of the models to delete.
  private let deleted: [DeletionRun]
  /// The number of the save in the history.
  private var historyNumber: Int64?
  private var obsoleteFiles: [String] = []
  /// The model being written, for errors.
  var subject = Subject.none

  enum Subject {
    case none
    case model(any PersistentModel)
    /// The position among the plan's insertions.
    case inserted(Int)
  }

  private init(
    store: RelationalStore, plan: SavePlan, seen: Int64, connection: any Connection, isCareful: Bool
  ) {
    self.store = store
    self.plan = plan
    self.connection = connection
    self.isCareful = isCareful
    sequences = store.keys(on: connection)
    keys = SaveKeys(plan)
    writer = StatementRowWriter(files: store.files, keys: keys)
    writer.savedIdentifiers = SavedIdentifiers { [keys, store] temporary in
      guard let found = keys.insertion(withTemporaryKey: temporary.id.key) else { return nil }
      let entity = keys.mergedRow(of: found.model).map { store.layout.layout(at: $0.entity).runtime.entityName }
      return PersistentIdentifier(store: store.identifier, entity: entity ?? temporary.id.entity, key: found.key)
    }
    seenNumber = seen
    deleted = DeletionRun.runs(of: plan.deletes, store.layout)
  }

  /// - Parameters:
  ///   - seen: The number of the last transaction that the context was notified of before the plan was made.
  ///   - announce: See ``RelationalStore/commit(_:announce:)``.
  static func run(
    _ plan: SavePlan, in store: RelationalStore, seen: Int64, _ announce: (SaveOutcome) -> Void
  ) throws {
    try store.saveGuard.check()
    try store.lockHolder.check(plan.graph)
    var isCareful = false
    var conflicts = 0
    while true {
      do {
        return try run(plan, in: store, seen, isCareful: isCareful, announce)
      } catch is NeedsRestart {
        isCareful = true
      } catch let error as DatabaseError where error.reason == .conflict {
        // The server has undone everything, and a plan can be written twice.
        conflicts += 1
        guard conflicts < Self.greatestConflictCount else { throw StoreErrors.writing(store.configuration, error) }
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.005) * Double(conflicts))
      }
    }
  }

  /// How often a save is written before a conflict with a concurrent transaction is its error.
  private static let greatestConflictCount = 10

  private static func run(
    _ plan: SavePlan, in store: RelationalStore, _ seen: Int64, isCareful: Bool, _ announce: (SaveOutcome) -> Void
  ) throws {
    var transaction: SaveTransaction?
    do {
      try store.commit { connection in
        let begun = SaveTransaction(
          store: store, plan: plan, seen: seen, connection: connection, isCareful: isCareful)
        transaction = begun
        defer { begun.writer.end() }
        try store.saveGuard.saving(begun.write)
        return begun.historyNumber
      } announce: {
        if let transaction { announce(transaction.outcome) }
      }
    } catch {
      let databaseError = error as? DatabaseError
      if databaseError?.reason == .conflict, store.lockHolder.connection == nil { throw error }
      guard let transaction else { throw SaveTransaction.failure(error, store) }
      store.files?.remove(transaction.writer.writtenFiles)
      if let databaseError, databaseError.reason.isOfRows, !isCareful, transaction.connection.runsLater {
        throw NeedsRestart()
      }
      if let error = error as? DatabaseError { try store.layoutGuard?.explain(error, store.database, isWriting: true) }
      throw transaction.described(error)
    }
    if let transaction { store.files?.retire(transaction.obsoleteFiles, store.database) }
  }

  /// What was written.
  private var outcome: SaveOutcome {
    SaveOutcome(
      keys: keys.inserted, merged: keys.merged.mapValues(\.entity),
      affected: displaced.map(\.row) + rowsWithSavedIdentifiers,
      historyToken: historyNumber.map { DefaultHistoryToken(store: store.identifier.string, number: $0) })
  }

  var layout: StoreLayout { store.layout }
  var dialect: any Dialect { store.database.dialect }

  private func write() throws {
    if connection.runsLater { try expectKeys() }
    try store.layoutGuard?.checkForWriting(connection)
    try recordDeletions()
    try deleteRows()
    let updates = splitUpdates()
    // Waiting updates can have unique values too, which share the last bit with a waiting reference.
    let later = updates.constrained + (isCareful ? updates.waiting : [])
    let mayRepeatValues = isCareful || !later.isEmpty
    if mayRepeatValues, try !connection.deferUniqueness() {
      if isCareful { try writeTemporaryValues(updates.ready) }
      try writeTemporaryValues(later)
    }
    try updateRows(updates.ready)
    try assignKeys(updates.constrained, later: later)
    try recordMerges()
    let positions = MembershipWriter(
      layout: layout, connection: connection, shapes: store.shapes, sequences: sequences, keys: keys)
    positions.plan(plan.memberships)
    // Upserts come last: the values of an inserted model override a pending change of the row's own model. Attributes with
    // identifiers of inserted models are written again with their permanent keys.
    try updateRows(keys.wasReadTooEarly ? updates.ready + updates.waiting : updates.waiting)
    try insertRows(positions)
    displaced = try OneToOneWriter(
      layout: layout, plan: plan, keys: keys, connection: connection, dialect: dialect, store: store.identifier
    ).displace { subject = .model($0) }
    subject = .none
    try positions.write()
    try recordHistory()
    try sequences.finish()
    if !writer.writtenFiles.isEmpty { try synchronizeFiles() }
  }

  private func expectKeys() throws {
    var counts: [String: Int] = [:]
    for run in plan.insertRuns { counts[layout.layout(at: run.entity).table, default: 0] += run.positions.count }
    for (table, count) in counts { try sequences.expect(count, of: table) }
  }

  // MARK: History

  private func recordDeletions() throws {
    guard store.keepsHistory else { return }
    let numbers = try sequences.sequence(of: HistoryTable.name)
    let isContextAware = numbers.last <= seenNumber
    historyNumbers = numbers
    let consequences = SaveConsequences(store, connection, isContextAware: isContextAware)
    self.consequences = consequences
    if !isContextAware {
      for (entity, keys) in plan.deletedRows { try recordMissing(keys, of: layout.layout(at: entity)) }
      try recordGoneOwners()
    }
    if plan.updates.isEmpty, plan.deletes.isEmpty, plan.deletedRows.isEmpty { return }
    try consequences.recordPreviousTargets(of: plan, deleted)
    for run in deleted {
      try consequences.record(deleting: run.keys, of: layout.layout(at: run.entity), areInMemory: true)
    }
    for (entity, keys) in plan.deletedRows {
      try consequences.record(deleting: keys, of: layout.layout(at: entity), areInMemory: false)
    }
  }

  /// Finds missing rows of updates that write nothing to the row itself: only other rows refer to it.
  private func recordGoneOwners() throws {
    var keys: [Int: [Int64]] = [:]
    for update in plan.updates {
      let layout = layout(of: update.model)
      guard !writesRow(update, layout) else { continue }
      keys[layout.ordinal, default: []].append(update.model._$withState { $0.key })
    }
    for (entity, keys) in keys { try recordMissing(keys, of: layout.layout(at: entity)) }
  }

  private func writesRow(_ update: SavePlan.Update, _ layout: EntityLayout) -> Bool {
    let written = update.dirty & layout.writtenProperties
    if written != _ModelState.restBit { return written != 0 }
    // The changed one of the properties that share the last bit may be a to-many.
    return layout.properties.contains { !$0.writtenColumns.isEmpty && update.changes($0.index) }
  }

  private func recordMissing(_ keys: [Int64], of layout: EntityLayout) throws {
    var missing = Set(keys)
    let areRows = SQLExpression.isIn(.column(LayoutNames.primaryKey), keys.map { .integer($0) })
    let select = Select(columns: [LayoutNames.primaryKey], from: layout.table, condition: areRows)
    try connection.forEachRow(dialect.render(select)) { missing.remove($0.integer(0)) }
    for key in missing { self.missing.insert(RowKey(key: key, entity: layout.ordinal)) }
  }

  private func recordMerges() throws {
    guard let consequences, !keys.merged.isEmpty else { return }
    let rows = Dictionary(grouping: keys.merged.values, by: \.entity)
    for (entity, rows) in rows {
      try consequences.record(merging: rows.map(\.key), of: layout.layout(at: entity))
    }
  }

  private func recordHistory() throws {
    guard let consequences, let historyNumbers else { return }
    var record = HistoryRecordWriter(origin: store.origin)
    HistoryRecorder(
      layout: layout, plan: plan, keys: keys, deleted: deleted, consequences: consequences, displaced: displaced,
      missing: missing
    ).write(to: &record)
    historyNumber = try store.record(record, author: plan.editingState.author, historyNumbers, connection)
  }

  private func synchronizeFiles() throws {
    do {
      try store.files?.synchronize()
    } catch {
      throw DatabaseError.file("the folder of the external files", error)
    }
  }

  func layout(of model: any PersistentModel) -> EntityLayout {
    layout.layout(of: model)
  }

  /// Called after each call of application code that encodes values.
  func checkUndisturbed() throws {
    try plan.checkUndisturbed()
    try store.saveGuard.checkUnused()
  }

  // MARK: Deletions

  private func deleteRows() throws {
    if connection.runsLater {
      try deleteTogether()
      for (ordinal, keys) in plan.deletedRows { try deleteRows(keys, of: layout.layout(at: ordinal)) }
      return
    }
    for run in deleted {
      let layout = layout.layout(at: run.entity)
      let shape = store.shapes.delete(layout)
      let statement = try connection.statement(shape.sql)
      defer { statement.reset() }
      for (position, key) in zip(run.positions, run.keys) {
        subject = .model(plan.deletes[position])
        try collectFiles(shape.fileQueries, key)
        statement.reset()
        statement.bind(key, at: 1)
        _ = try statement.step()
        if consequences != nil, connection.changeCount == 0 { missing.insert(RowKey(key: key, entity: run.entity)) }
      }
      if let last = run.keys.max() { sequences.retire(last, of: layout.table) }
    }
    subject = .none
    for (ordinal, keys) in plan.deletedRows { try deleteRows(keys, of: layout.layout(at: ordinal)) }
  }

  /// Deletes the rows of models by one statement for each entity. Rows can only be missing if others have saved changes of which
  /// the context was not notified.
  private func deleteTogether() throws {
    var keys: [Int: [Int64]] = [:]
    for run in deleted { keys[run.entity, default: []] += run.keys }
    for (entity, keys) in keys.sorted(by: { $0.key < $1.key }) {
      let layout = layout.layout(at: entity)
      if consequences?.isContextAware == false { try recordMissing(keys, of: layout) }
      try deleteRows(keys, of: layout)
    }
  }

  /// Deletes rows that have no models in memory.
  private func deleteRows(_ keys: [Int64], of layout: EntityLayout) throws {
    let areRows = SQLExpression.isIn(.column(LayoutNames.primaryKey), keys.map { .integer($0) })
    if store.files != nil {
      for column in layout.externalColumns {
        let query = dialect.render(layout.fileNames(in: column, where: areRows))
        try connection.forEachRow(query) { obsoleteFiles.append($0.text(0)) }
      }
    }
    try connection.send(dialect.render(Delete(from: layout.table, where: areRows)))
    if let last = keys.last { sequences.retire(last, of: layout.table) }
  }

  /// Collects the files that the row names now, because the save is about to make them obsolete.
  func collectFiles(_ queries: [String], _ key: Int64) throws {
    guard !queries.isEmpty, store.files != nil else { return }
    for query in queries { try connection.forEachRow(query, [.integer(key)]) { obsoleteFiles.append($0.text(0)) } }
  }

  // MARK: Insertions

  private func insertRows(_ positions: MembershipWriter) throws {
    if !isCareful, keys.merged.isEmpty, connection.runsLater { return try insertTogether(positions) }
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
      try checkValues(of: model, layout, shape)
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
      try write(model, key, layout)
      if isCareful { _ = try statement.step() } else { try statement.send() }
    }
  }

  /// Inserts the rows of each entity by statements for many rows.
  private func insertTogether(_ positions: MembershipWriter) throws {
    var runs: [Int: [SavePlan.Run]] = [:]
    for run in plan.insertRuns { runs[run.entity, default: []].append(run) }
    for (entity, runs) in runs.sorted(by: { $0.key < $1.key }) {
      let layout = layout.layout(at: entity)
      let shape = store.shapes.insert(layout)
      let count = runs.reduce(0) { $0 + $1.positions.count }
      guard let sql = shape.batchSQL, count > 2 else {
        for run in runs { try insertRows(run.positions, layout, shape, positions) }
        continue
      }
      let batch = RowBatch(width: shape.width, rowCount: count, firstParameter: 2)
      for run in runs {
        for index in run.positions {
          subject = .inserted(index)
          if batch.count == 0 { writer.begin(shape, layout, in: batch) }
          try add(index, to: batch, layout, shape, positions)
          if batch.isFull { try insert(batch, sql) }
        }
      }
      if batch.count > 0 { try insert(batch, sql) }
    }
  }

  private func insert(_ batch: RowBatch, _ sql: String) throws {
    writer.end()
    try write(batch, sql)
    batch.removeAll()
  }

  private func add(
    _ index: Int, to batch: RowBatch, _ layout: EntityLayout, _ shape: InsertShape, _ positions: MembershipWriter
  ) throws {
    let model = plan.inserts[index]
    try checkValues(of: model, layout, shape)
    let key = keys.inserted[index]
    batch.addRow(key)
    if shape.typeParameter > 0 { batch.bind(layout.entity.name, at: shape.typeParameter) }
    for (property, parameter) in shape.positionParameters {
      batch.bind(positions.position(of: model, key, under: property), at: parameter)
    }
    try write(model, key, layout)
  }

  private func checkValues(of model: any PersistentModel, _ layout: EntityLayout, _ shape: InsertShape) throws {
    if let property = shape.unguarded.first(where: { $0.isUnset(in: model) }) {
      throw Self.missingValue(of: property.name, model, layout)
    }
  }

  /// Writes the values of a model to the statement or the batch that the writer is ready for.
  func write(_ model: any PersistentModel, _ key: Int64, _ layout: EntityLayout) throws {
    model._$store(writer)
    if let failure = writer.failure { throw failure }
    try checkUndisturbed()
    if let identifiers = writer.savedIdentifiers, identifiers.wereUsed {
      identifiers.wereUsed = false
      rowsWithSavedIdentifiers.insert(RowKey(key: key, entity: layout.ordinal))
    }
  }

  /// Writes the values of an inserted model to an existing row. A to-one that the model leaves empty keeps the value of
  /// the row, and properties that the row's entity lacks are left out.
  private func mergeRow(of model: any PersistentModel, _ row: RowKey, _ layout: EntityLayout) throws {
    let count = self.layout.commonPropertyCount(layout, row)
    if count < layout.properties.count {
      Log.store.warning(
        """
        A new \(layout.entity.name) has the unique values of a saved \(self.layout.layout(at: row.entity).entity.name), \
        which keeps its class and gets no values of properties that it lacks.
        """)
    }
    let shape = UpdateShape(layout, dialect) { layout.replacesRowValue($0, of: model, common: count) }
    guard !shape.isEmpty else { return }
    try send(updateOf: model, row.key, layout, shape)
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
    guard let message = StoreErrors.brokenRule(error) else {
      return SwiftDataError.storeFailure(
        .writing, store: store.configuration.name, isOnServer: store.configuration.server != nil, error: error,
        identifiers: current.map { [$0.anyIdentifier] } ?? [])
    }
    let model = error.reason == .foreignKeyViolation ? nil : current
    if error.reason == .notNullViolation, let model,
      let unset = ModelRuntime.of(model).properties.first(where: { $0.isUnset(in: model) })
    {
      return Self.missingValue(of: unset.name, model, layout(of: model), error)
    }
    return SwiftDataError.modelValidationFailure.with(
      entity: model.map { layout(of: $0).entity.name }, message: message, sql: error.sql, underlying: error,
      identifiers: model.map { [$0.anyIdentifier] } ?? involved)
  }

  /// The error for a property that an initializer left without a value.
  private static func missingValue(
    of property: String, _ model: any PersistentModel, _ layout: EntityLayout, _ error: DatabaseError? = nil
  ) -> SwiftDataError {
    .modelValidationFailure.with(
      entity: layout.entity.name, property: property, message: "A value is required, and there is none.",
      hint: "Set \(property) in every initializer, or give it a default value.", sql: error?.sql, underlying: error,
      identifiers: [model.anyIdentifier])
  }

  /// The error of a transaction that did not begin.
  private static func failure(_ error: any Error, _ store: RelationalStore) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return StoreErrors.writing(store.configuration, error)
  }

  /// The models and rows that may have caused a dangling reference.
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
