import Relational

/// Finds the row that already has the unique values of an inserted model, in the store or earlier in the same save.
///
/// Inserted models are handled one after the other, as if each were saved before the next: a row that a model is merged
/// into has the values of that model from then on, and its previous values are free. So two models whose values match one
/// row remain two if the second changes the values that matched the first. Rows are written in the same order.
struct UniqueRows {
  let shapes: StatementShapes
  let layout: StoreLayout
  let plan: SavePlan
  let keys: SaveKeys
  let connection: any Connection

  private struct Combination: Hashable {
    /// The statement of the constraint, which entities that inherit from each other share.
    let constraint: String
    let values: [Value]
  }

  /// A constraint with the key of a row.
  private struct RowConstraint: Hashable {
    let constraint: String
    let key: Int64
  }

  private struct Holder {
    let row: RowKey
    /// The position of the inserted model whose row this is; nil for a row of the store.
    let maker: Int?
  }

  /// The model looked up last, with its values by constraint.
  private struct Candidate {
    let index: Int
    let layout: EntityLayout
    let constraints: [UniqueConstraint]
    let values: [[Value]]
    let holder: Holder?
    /// The constraint that matched the holder.
    let matched: UniqueConstraint?
  }

  /// The unique values that this save writes.
  private var seen: [Combination: Holder] = [:]
  /// The present values of rows that inserted models were merged into, where they may have changed.
  private var current: [RowConstraint: [Value]] = [:]
  private var candidate: Candidate?

  init(
    shapes: StatementShapes, layout: StoreLayout, plan: SavePlan, keys: SaveKeys, connection: any Connection
  ) {
    self.shapes = shapes
    self.layout = layout
    self.plan = plan
    self.keys = keys
    self.connection = connection
  }

  /// The row that has the values of an inserted model in one of its constraints, which may be of another entity of the
  /// same table; the first constraint with a match counts.
  mutating func existingRow(of index: Int, _ layout: EntityLayout) throws -> RowKey? {
    let constraints = shapes.constraints(of: layout)
    let values = try collect(plan.inserts[index], layout, constraints, common: layout.properties.count)
    var holder: Holder?
    var matched: UniqueConstraint?
    for (constraint, values) in zip(constraints, values) where holder == nil {
      holder = try self.holder(of: values, constraint, layout)
      matched = constraint
    }
    candidate = Candidate(
      index: index, layout: layout, constraints: constraints, values: values, holder: holder, matched: matched)
    return holder?.row
  }

  /// Records that the model looked up last gets a row of its own.
  mutating func add(_ row: RowKey) {
    guard let candidate else { return }
    let holder = Holder(row: row, maker: candidate.index)
    for (constraint, values) in zip(candidate.constraints, candidate.values) { record(values, constraint, holder) }
  }

  /// Records that the model looked up last is merged into the found row.
  mutating func merge() throws {
    guard let candidate, let holder = candidate.holder else { return }
    let row = holder.row
    let isOfSameEntity = row.entity == candidate.layout.ordinal
    if isOfSameEntity, candidate.constraints.count == 1 {
      // The only constraint has matched.
      record(candidate.values[0], candidate.constraints[0], holder)
      return
    }
    let model = plan.inserts[candidate.index]
    let rowLayout = layout.layout(at: row.entity)
    let count = layout.commonPropertyCount(candidate.layout, row)
    let constraints = shapes.constraints(of: rowLayout)
    let merged =
      isOfSameEntity ? candidate.values : try collect(model, candidate.layout, constraints, common: count)
    try recordFirstValues(of: holder, rowLayout, constraints)
    for (constraint, taken) in zip(constraints, merged) {
      let isTaken = constraint.columns.map { candidate.layout.isMerged($0.property, of: model, common: count) }
      guard isTaken.contains(true) else { continue }
      let rowConstraint = RowConstraint(constraint: constraint.sql, key: row.key)
      let before = current[rowConstraint]
      var values = taken
      if isTaken.contains(false) {
        let kept = try before ?? storedValues(of: row.key, constraint)
        for index in values.indices where !isTaken[index] { values[index] = kept[index] }
      }
      if let before {
        let combination = Combination(constraint: constraint.sql, values: before)
        if seen[combination]?.row == row { seen[combination] = nil }
      }
      current[rowConstraint] = values
      record(values, constraint, holder)
    }
  }

  /// The error of a save without upserts in which the model looked up last matches a row.
  ///
  /// - Parameters:
  ///   - row: The row that was found.
  ///   - store: The identifier of the store.
  func conflict(with row: RowKey, _ store: InternedString) -> SwiftDataError {
    guard let candidate else { return .insertionConflict }
    let layout = candidate.layout
    var names: [String] = []
    for column in candidate.matched?.columns ?? [] {
      let name = layout.properties[column.property].name
      if !names.contains(name) { names.append(name) }
    }
    let properties = names.joined(separator: ", ")
    let model = plan.inserts[candidate.index].anyIdentifier
    let message: String
    var identifiers = [model]
    if let maker = candidate.holder?.maker {
      message = "Two inserted models have the same \(properties)."
      identifiers.append(plan.inserts[maker].anyIdentifier)
    } else {
      message = "There is another \(layout.entity.name) with the same \(properties) already."
      let entity = self.layout.layout(at: row.entity).runtime.entityName
      identifiers.append(PersistentIdentifier(store: store, entity: entity, key: row.key))
    }
    return SwiftDataError.insertionConflict.with(
      entity: layout.entity.name, property: properties, message: message,
      hint: "Fetch the model that has the values and change it, or set allowsUpserts.", identifiers: identifiers,
      issues: [
        SwiftDataError.Issue(
          persistentIdentifier: model, entity: layout.entity.name, property: properties, message: message)
      ])
  }

  /// The row that has a combination of values now.
  private func holder(of values: [Value], _ constraint: UniqueConstraint, _ layout: EntityLayout) throws -> Holder? {
    // Null values are never equal.
    if values.contains(.null) { return nil }
    if let holder = seen[Combination(constraint: constraint.sql, values: values)] { return holder }
    var found: RowKey?
    try connection.forEachRow(constraint.sql, values) { found = try constraint.row($0, layout) }
    guard let found else { return nil }
    // The present values of the row are in `seen`.
    if !current.isEmpty, current[RowConstraint(constraint: constraint.sql, key: found.key)] != nil { return nil }
    return Holder(row: found, maker: nil)
  }

  private mutating func record(_ values: [Value], _ constraint: UniqueConstraint, _ holder: Holder) {
    if values.contains(.null) { return }
    seen[Combination(constraint: constraint.sql, values: values)] = holder
  }

  /// Records the values of a row that this save inserts, before another model is merged into it.
  private mutating func recordFirstValues(
    of holder: Holder, _ layout: EntityLayout, _ constraints: [UniqueConstraint]
  ) throws {
    guard let maker = holder.maker else { return }
    let rowConstraints = constraints.map { RowConstraint(constraint: $0.sql, key: holder.row.key) }
    if rowConstraints.allSatisfy({ current[$0] != nil }) { return }
    let values = try collect(plan.inserts[maker], layout, constraints, common: layout.properties.count)
    for (constraint, values) in zip(rowConstraints, values) where current[constraint] == nil {
      current[constraint] = values
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
        // Texts are written in this form.
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
  func isMerged(_ index: Int, of model: any PersistentModel, common count: Int) -> Bool {
    guard index < count else { return false }
    guard let property = runtime.properties[index].relationship else { return true }
    return property.loadedTargets(of: model).contains { $0._$withState { $0.isLive } }
  }
}
