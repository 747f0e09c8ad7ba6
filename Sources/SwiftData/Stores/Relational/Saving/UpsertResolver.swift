import Relational

/// Decides for each inserted model of a save whether it gets a row of its own or updates the row that has its unique values
/// (upsert). Call `lookUp` for each model, and then one of the other three.
///
/// Inserted models are handled one after the other, as if each were saved before the next: a row that a model is merged
/// into has the values of that model from then on, and its previous values are free. So when two inserted models match the
/// same row by different constraints, the second gets a row of its own if merging the first has replaced the value that the
/// second would match. Rows are written in the same order.
struct UpsertResolver {
  let shapes: StatementShapes
  let layout: StoreLayout
  let plan: SavePlan
  let keys: SaveKeys
  let connection: any Connection

  private struct UniqueValues: Hashable {
    /// The SQL that looks up the constraint; the entities of an inheritance tree share it.
    let constraintSQL: String
    let values: [Value]
  }

  /// A constraint with the key of a row.
  private struct RowConstraint: Hashable {
    let constraintSQL: String
    let key: Int64
  }

  /// The row that has a combination of unique values.
  private struct Holder {
    let row: RowKey
    /// The index in `plan.inserts` of the model that this save inserts as the row; nil for a row of the store.
    let insertIndex: Int?
  }

  /// The model looked up last, with its values by constraint.
  private struct Lookup {
    let index: Int
    let layout: EntityLayout
    let constraints: [UniqueConstraint]
    let values: [[Value]]
    let holder: Holder?
    /// The constraint that matched the holder.
    let matched: UniqueConstraint?
  }

  /// The rows of the store that have unique values of inserted models, where all were looked up together.
  private var foundRows: [UniqueValues: RowKey] = [:]
  /// The SQL of the constraints that were looked up together.
  private var foundConstraints: Set<String> = []
  /// The rows by the unique values that this save writes.
  private var rowsByWrittenValues: [UniqueValues: Holder] = [:]
  /// The values that rows will have after the save, by row and constraint, for rows that inserted models were merged into.
  private var valuesOfMergedRows: [RowConstraint: [Value]] = [:]
  /// The properties, as bits of `_ModelState.dirty`, that this save will write into rows later.
  private var laterProperties: [RowKey: UInt64] = [:]
  private var lastLookup: Lookup?

  init(
    shapes: StatementShapes, layout: StoreLayout, plan: SavePlan, keys: SaveKeys, connection: any Connection
  ) {
    self.shapes = shapes
    self.layout = layout
    self.plan = plan
    self.keys = keys
    self.connection = connection
  }

  /// Makes lookups ignore the unique values that rows have until these updates are written.
  mutating func ignoreValues(replacedBy updates: [SavePlan.Update]) {
    for update in updates {
      laterProperties[RowKey(key: update.key, entity: update.entity), default: 0] |= update.dirty
    }
  }

  /// Makes lookups see the unique values of the updates.
  mutating func recordWritten(_ updates: [SavePlan.Update]) {
    for update in updates { laterProperties[RowKey(key: update.key, entity: update.entity)]? &= ~update.dirty }
  }

  /// Looks up the rows with the unique values of inserted models by one query for each constraint, if the database can. All
  /// lookups of a save see the same rows, because it writes none between them.
  ///
  /// - Parameter positions: The positions in the plan of models of one entity.
  mutating func lookUp(_ positions: [Int], _ layout: EntityLayout) throws {
    let constraints = shapes.constraints(of: layout)
    guard constraints.contains(where: { $0.batchSQL != nil }) else { return }
    let values = try positions.map {
      try collect(plan.inserts[$0], layout, constraints, common: layout.properties.count)
    }
    for (number, constraint) in constraints.enumerated() {
      guard let sql = constraint.batchSQL else { continue }
      let known = values.lazy.map { $0[number] }.filter { !$0.contains(.null) }
      let wanted = Set(known)
      foundConstraints.insert(constraint.sql)
      if wanted.isEmpty { continue }
      let batch = RowBatch(width: constraint.columns.count, rowCount: wanted.count)
      let ordered = Array(wanted)
      for (index, values) in ordered.enumerated() {
        batch.addRow(Int64(index))
        batch.bind(values)
      }
      let statement = try connection.statement(sql)
      defer { statement.reset() }
      statement.bind(batch)
      while try statement.step() {
        let values = UniqueValues(constraintSQL: constraint.sql, values: ordered[Int(statement.integer(0))])
        let row = try constraint.row(statement, layout, at: 1)
        if hasCurrentValues(row, constraint) { foundRows[values] = row }
      }
    }
  }

  /// The row that already has the model's values of one of its constraints; of several constraints, the first that matches.
  /// The row may belong to another entity of the same table.
  mutating func lookUp(insert index: Int, _ layout: EntityLayout) throws -> RowKey? {
    let constraints = shapes.constraints(of: layout)
    let values = try collect(plan.inserts[index], layout, constraints, common: layout.properties.count)
    var holder: Holder?
    var matched: UniqueConstraint?
    for (constraint, values) in zip(constraints, values) where holder == nil {
      holder = try self.holder(of: values, constraint, layout)
      matched = constraint
    }
    lastLookup = Lookup(
      index: index, layout: layout, constraints: constraints, values: values, holder: holder, matched: matched)
    return holder?.row
  }

  /// Records that the model looked up last gets a row of its own.
  mutating func recordNewRow(_ row: RowKey) {
    guard let lastLookup else { return }
    let holder = Holder(row: row, insertIndex: lastLookup.index)
    for (constraint, values) in zip(lastLookup.constraints, lastLookup.values) { record(values, constraint, holder) }
  }

  /// Records that the model looked up last is merged into the found row.
  mutating func recordMergeIntoFoundRow() throws {
    guard let lastLookup, let holder = lastLookup.holder else { return }
    let row = holder.row
    let isOfSameEntity = row.entity == lastLookup.layout.ordinal
    if isOfSameEntity, lastLookup.constraints.count == 1 {
      // The only constraint has matched.
      record(lastLookup.values[0], lastLookup.constraints[0], holder)
      return
    }
    let model = plan.inserts[lastLookup.index]
    let rowLayout = layout.layout(at: row.entity)
    let count = layout.commonPropertyCount(lastLookup.layout, row)
    let constraints = shapes.constraints(of: rowLayout)
    let merged =
      isOfSameEntity ? lastLookup.values : try collect(model, lastLookup.layout, constraints, common: count)
    try recordFirstValues(of: holder, rowLayout, constraints)
    for (constraint, modelValues) in zip(constraints, merged) {
      let isFromModel = constraint.columns.map { column in
        lastLookup.layout.replacesRowValue(column.property, of: model, common: count)
      }
      guard isFromModel.contains(true) else { continue }
      let rowConstraint = RowConstraint(constraintSQL: constraint.sql, key: row.key)
      let before = valuesOfMergedRows[rowConstraint]
      var values = modelValues
      if isFromModel.contains(false) {
        let rowValues = try before ?? storedValues(of: row.key, constraint)
        for index in values.indices where !isFromModel[index] { values[index] = rowValues[index] }
      }
      if let before {
        let combination = UniqueValues(constraintSQL: constraint.sql, values: before)
        if rowsByWrittenValues[combination]?.row == row { rowsByWrittenValues[combination] = nil }
      }
      valuesOfMergedRows[rowConstraint] = values
      record(values, constraint, holder)
    }
  }

  /// The error of a save without upserts in which the model looked up last matches a row.
  ///
  /// - Parameters:
  ///   - row: The row that was found.
  ///   - store: The identifier of the store.
  func conflictError(with row: RowKey, _ store: InternedString) -> SwiftDataError {
    guard let lastLookup else { return .insertionConflict }
    let layout = lastLookup.layout
    var names: [String] = []
    for column in lastLookup.matched?.columns ?? [] {
      let name = layout.properties[column.property].name
      if !names.contains(name) { names.append(name) }
    }
    let properties = names.joined(separator: ", ")
    let model = plan.inserts[lastLookup.index].anyIdentifier
    let message: String
    var identifiers = [model]
    if let insertIndex = lastLookup.holder?.insertIndex {
      message = "Two inserted models have the same \(properties)."
      identifiers.append(plan.inserts[insertIndex].anyIdentifier)
    } else {
      message = "A stored \(layout.entity.name) has the same \(properties) already."
      let entity = self.layout.layout(at: row.entity).runtime.entityName
      identifiers.append(PersistentIdentifier(store: store, entity: entity, key: row.key))
    }
    return SwiftDataError.insertionConflict.with(
      entity: layout.entity.name, property: properties, message: message,
      hint: "Fetch the model that has the values and change it, or set `allowsUpserts` of the context to true.",
      identifiers: identifiers,
      issues: [
        SwiftDataError.Issue(
          persistentIdentifier: model, entity: layout.entity.name, property: properties, message: message)
      ])
  }

  /// The row that has a combination of values after what the save has written so far.
  private func holder(of values: [Value], _ constraint: UniqueConstraint, _ layout: EntityLayout) throws -> Holder? {
    // Null values are never equal.
    if values.contains(.null) { return nil }
    if let holder = rowsByWrittenValues[UniqueValues(constraintSQL: constraint.sql, values: values)] { return holder }
    var found: RowKey?
    if foundConstraints.contains(constraint.sql) {
      found = foundRows[UniqueValues(constraintSQL: constraint.sql, values: values)]
    } else {
      try connection.forEachRow(constraint.sql, values) {
        let row = try constraint.row($0, layout)
        if hasCurrentValues(row, constraint) { found = row }
      }
    }
    guard let found else { return nil }
    // This save replaces the row's values, so the match in the store is outdated; the new values are in
    // `rowsByWrittenValues`.
    let rowConstraint = RowConstraint(constraintSQL: constraint.sql, key: found.key)
    if !valuesOfMergedRows.isEmpty, valuesOfMergedRows[rowConstraint] != nil { return nil }
    return Holder(row: found, insertIndex: nil)
  }

  /// Whether this save replaces no value of the row's constraint later.
  private func hasCurrentValues(_ row: RowKey, _ constraint: UniqueConstraint) -> Bool {
    guard let later = laterProperties[row] else { return true }
    return !constraint.columns.contains { later & _ModelState.bit($0.property) != 0 }
  }

  private mutating func record(_ values: [Value], _ constraint: UniqueConstraint, _ holder: Holder) {
    if values.contains(.null) { return }
    rowsByWrittenValues[UniqueValues(constraintSQL: constraint.sql, values: values)] = holder
  }

  /// Records the values of a row that this save inserts, before another model is merged into it.
  private mutating func recordFirstValues(
    of holder: Holder, _ layout: EntityLayout, _ constraints: [UniqueConstraint]
  ) throws {
    guard let insertIndex = holder.insertIndex else { return }
    let rowConstraints = constraints.map { RowConstraint(constraintSQL: $0.sql, key: holder.row.key) }
    if rowConstraints.allSatisfy({ valuesOfMergedRows[$0] != nil }) { return }
    let values = try collect(plan.inserts[insertIndex], layout, constraints, common: layout.properties.count)
    for (constraint, values) in zip(rowConstraints, values) where valuesOfMergedRows[constraint] == nil {
      valuesOfMergedRows[constraint] = values
    }
  }

  /// The values of a model by constraint; null for missing values, and for targets without a key.
  ///
  /// - Parameter count: How many of the model's properties the constraints may use.
  private func collect(
    _ model: any PersistentModel, _ layout: EntityLayout, _ constraints: [UniqueConstraint], common count: Int
  ) throws -> [[Value]] {
    var properties = Set<Int>()
    for constraint in constraints {
      for column in constraint.columns where column.property < count { properties.insert(column.property) }
    }
    let collector = ValueCollector(
      layout, properties: properties, keys: { [keys] in keys.key(of: $0).flatMap { $0 > 0 ? $0 : nil } })
    model._$store(collector)
    if let failure = collector.failure { throw failure }
    return constraints.map { constraint in
      constraint.columns.map { column in
        let value = collector.values[ValueCollector.column(column.property) + column.offset] ?? .null
        // The store has texts in Unicode's normal form C.
        return if case .text(let text) = value { .text(CanonicalText.normalized(text)) } else { value }
      }
    }
  }

  private func storedValues(of key: Int64, _ constraint: UniqueConstraint) throws -> [Value] {
    var values = [Value](repeating: .null, count: constraint.columns.count)
    try connection.forEachRow(constraint.valuesSQL, [.integer(key)]) { row in
      for index in values.indices { values[index] = row.value(Int32(index)) }
    }
    return values
  }
}

extension EntityLayout {
  /// Whether an existing row gets the value of an inserted model's property: a to-one that the model leaves empty keeps the
  /// value of the row.
  ///
  /// - Parameter count: How many properties the row's entity has in common with the model's.
  func replacesRowValue(_ index: Int, of model: any PersistentModel, common count: Int) -> Bool {
    guard index < count else { return false }
    guard let property = runtime.properties[index].relationship else { return true }
    return property.loadedTargets(of: model).contains { $0._$withState { $0.isLive } }
  }
}
