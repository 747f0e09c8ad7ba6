import Relational

/// Ensures that no two rows refer to the same target of a one-to-one after a save: rows that another context has made
/// refer to it lose the target.
struct OneToOneWriter {
  let layout: StoreLayout
  let plan: SavePlan
  let keys: SaveKeys
  let connection: any Connection
  let dialect: any Dialect
  let store: InternedString

  /// One side of a one-to-one: the column that refers to targets, and the entity of its rows.
  private struct Side: Hashable {
    let table: String
    let column: String
    let ordinal: Int
    /// The property of the column.
    let property: Int
    /// Whether the property is not optional.
    let isRequired: Bool
  }

  /// A row that lost its target.
  struct Displaced {
    var row: RowKey
    /// The index of the property that referred to the target.
    var property: Int
  }

  /// - Parameter begin: Called with each model before rows lose targets to it.
  /// - Returns: The rows that lost their targets.
  func displace(_ begin: (any PersistentModel) -> Void) throws -> [Displaced] {
    guard layout.hasOneToOnes else { return [] }
    // The references of merged models take precedence, so they are written last.
    return try displaceRivals(begin) + displaceByUpserts(begin)
  }

  /// The models of a side that refer to other targets now, by these.
  private struct Claims {
    var keys: [Int64: Int64] = [:]
    /// The model to name in an error.
    var model: any PersistentModel
  }

  /// Displaces rows that another context has made refer to the target of a saved model. Models that this save displaces
  /// have lost their targets in memory already.
  private func displaceRivals(_ begin: (any PersistentModel) -> Void) throws -> [Displaced] {
    var claims: [Side: Claims] = [:]
    for update in plan.updates {
      let layout = layout.layout(of: update.model)
      if update.dirty & layout.exclusiveReferences == 0 { continue }
      collectClaims(of: update.model, update.key, layout, to: &claims, where: update.changes)
    }
    for run in plan.insertRuns {
      let layout = layout.layout(at: run.entity)
      guard layout.exclusiveReferences != 0 else { continue }
      for index in run.positions where keys.mergedRow(index) == nil {
        collectClaims(of: plan.inserts[index], keys.inserted[index], layout, to: &claims) { _ in true }
      }
    }
    var displaced: [Displaced] = []
    for (side, claims) in claims.sorted(by: { ($0.key.ordinal, $0.key.property) < ($1.key.ordinal, $1.key.property) }) {
      begin(claims.model)
      let planned = plannedKeys(of: side.table, side.property)
      displaced += try displace(side, from: Array(claims.keys.keys)) { row, target in
        row == claims.keys[target] || planned.contains(row)
      }
    }
    return displaced
  }

  /// - Parameter isWritten: Asked for the index of a property.
  private func collectClaims(
    of model: any PersistentModel, _ key: Int64, _ layout: EntityLayout, to claims: inout [Side: Claims],
    where isWritten: (Int) -> Bool
  ) {
    for property in layout.properties
    where layout.exclusiveReferences & _ModelState.bit(property.index) != 0 && isWritten(property.index) {
      // No other row can refer to a model inserted by this save.
      guard case .reference(let column, _) = property.storage,
        let relationship = layout.runtime.properties[property.index].toOne,
        relationship.inverse(for: model)?.toOne != nil,
        let target = relationship.loadedTargets(of: model).first,
        keys.newKey(of: target) == nil, let targetKey = keys.key(of: target)
      else { continue }
      let side = Side(
        table: layout.table, column: column, ordinal: layout.ordinal, property: property.index,
        isRequired: relationship.isRequired)
      claims[side, default: Claims(model: model)].keys[targetKey] = key
    }
  }

  /// Displaces the previous partner of a row that an upsert has merged an inserted model into.
  private func displaceByUpserts(_ begin: (any PersistentModel) -> Void) throws -> [Displaced] {
    var displaced: [Displaced] = []
    var resolved = Set<[Int64]>()
    // Of several models merged into one row, the last one decides.
    for (index, row) in keys.merged.sorted(by: { $0.key > $1.key }) {
      let model = plan.inserts[index]
      begin(model)
      let layout = layout.layout(of: model)
      for property in layout.properties.prefix(self.layout.commonPropertyCount(layout, row)) {
        guard let relationship = layout.runtime.properties[property.index].toOne,
          let inverse = relationship.inverse(for: model)?.toOne,
          let target = relationship.loadedTargets(of: model).first, let targetKey = keys.key(of: target),
          resolved.insert([Int64(layout.ordinal), row.key, Int64(property.index)]).inserted
        else { continue }
        switch property.storage {
        case .inverseReference(let table, let column):
          let ordinal = property.destination.flatMap(self.layout.layout(named:))?.ordinal ?? layout.ordinal
          let side = Side(
            table: table, column: column, ordinal: ordinal, property: inverse.index, isRequired: inverse.isRequired)
          displaced += try displace(side, from: row.key, except: targetKey)
        case .reference(let column, _):
          let side = Side(
            table: layout.table, column: column, ordinal: layout.ordinal, property: property.index,
            isRequired: relationship.isRequired)
          displaced += try displace(side, from: targetKey, except: row.key)
        default:
          break
        }
      }
    }
    return displaced
  }

  /// Sets the column to null in all rows of a side that refer to a target, except one.
  private func displace(_ side: Side, from target: Int64, except kept: Int64) throws -> [Displaced] {
    try displace(side, from: [target]) { row, _ in row == kept }
  }

  /// Sets the column to null in rows of a side that refer to some targets.
  ///
  /// - Parameter stays: Whether a row with a key keeps its target.
  private func displace(
    _ side: Side, from targets: [Int64], _ stays: (_ row: Int64, _ target: Int64) -> Bool
  ) throws -> [Displaced] {
    // Rows may be of other entities that share the table.
    let type = layout.layout(at: side.ordinal).typeColumn
    var rows: [Int64] = []
    var ordinals: [Int64: Int] = [:]
    let select = Select(
      columns: [LayoutNames.primaryKey, side.column] + (type.map { [$0] } ?? []), from: side.table,
      condition: .isIn(.column(side.column), targets.sorted().map { .integer($0) }))
    try connection.forEachRow(dialect.render(select)) { row in
      if stays(row.integer(0), row.integer(1)) { return }
      rows.append(row.integer(0))
      if type != nil {
        ordinals[row.integer(0)] = row.textIfPresent(2).flatMap(layout.layout(named:))?.ordinal
      }
    }
    if rows.isEmpty { return [] }
    if side.isRequired { throw refusal(rows, side) }
    let areOthers = SQLExpression.isIn(.column(LayoutNames.primaryKey), rows.map { .integer($0) })
    try connection.send(
      dialect.render(Update(side.table, set: [.init(side.column, .value(.null))], where: areOthers)))
    return rows.map {
      Displaced(row: RowKey(key: $0, entity: ordinals[$0] ?? side.ordinal), property: side.property)
    }
  }

  private func refusal(_ rows: [Int64], _ side: Side) -> SwiftDataError {
    let layout = layout.layout(at: side.ordinal)
    return SwiftDataError.modelValidationFailure.with(
      entity: layout.entity.name,
      message: "Another model refers to the same target, and its relationship is not optional.",
      hint: "Delete that one first, or give it another target.",
      identifiers: rows.map { PersistentIdentifier(store: store, entity: layout.runtime.entityName, key: $0) })
  }

  /// The rows of a table of which the plan writes a property.
  private func plannedKeys(of table: String, _ index: Int) -> Set<Int64> {
    var planned = Set<Int64>()
    for update in plan.updates
    where update.model._$withState({ $0.isPending(index) }) && layout.layout(of: update.model).table == table {
      planned.insert(update.model._$withState { $0.key })
    }
    for run in plan.insertRuns where layout.layout(at: run.entity).table == table {
      for position in run.positions {
        // A value that an upsert leaves in the row was not displaced in memory.
        if let row = keys.mergedRow(position) {
          let entity = layout.layout(at: run.entity)
          let count = layout.commonPropertyCount(entity, row)
          guard entity.replacesRowValue(index, of: plan.inserts[position], common: count) else { continue }
        }
        planned.insert(keys.inserted[position])
      }
    }
    return planned
  }
}
