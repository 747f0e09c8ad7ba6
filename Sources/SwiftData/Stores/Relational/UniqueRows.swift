import Foundation
import Relational

/// Finds the row that has the unique values of a model already, in the store or earlier in the same save.
struct UniqueRows {
  let shapes: StatementShapes
  let connection: any Connection

  private struct Combination: Hashable {
    /// The statement of the constraint, which entities that inherit from one another have in common.
    let constraint: String
    let values: [Value]
  }

  private var seen: [Combination: RowKey] = [:]
  private var pending: [Combination] = []

  init(shapes: StatementShapes, connection: any Connection) {
    self.shapes = shapes
    self.connection = connection
  }

  func isConstrained(_ property: Int, in layout: EntityLayout) -> Bool {
    shapes.constraints(of: layout).contains { $0.columns.contains { $0.property == property } }
  }

  /// The row that the model stands for by one of its constraints, which may be of another entity of the same table; the
  /// first constraint that finds one counts.
  mutating func existingRow(
    of model: any PersistentModel, _ layout: EntityLayout, keys: SaveKeys
  ) throws -> RowKey? {
    let all = shapes.constraints(of: layout)
    let collector = ValueCollector(
      layout, properties: Set(all.flatMap { $0.columns.map(\.property) }), keys: { keys.key(of: $0) })
    model._$store(collector)
    if let failure = collector.failure { throw failure }
    pending = []
    var found: RowKey?
    for constraint in all {
      let values = constraint.columns.map { collector.values[ValueCollector.column($0.property) + $0.offset] ?? .null }
      // Nothing is the same as a value that is not there.
      if values.contains(.null) { continue }
      let combination = Combination(constraint: constraint.sql, values: values)
      pending.append(combination)
      if found != nil { continue }
      if let row = seen[combination] {
        found = row
      } else {
        try connection.forEachRow(constraint.sql, values) { found = try constraint.row($0, layout) }
      }
    }
    return found
  }

  /// Notes the row that the model asked for last became.
  mutating func remember(_ row: RowKey) {
    for combination in pending { seen[combination] = row }
    pending = []
  }
}

extension Schema.Entity {
  var allUniquenessConstraints: [[String]] {
    var all = uniquenessConstraints
    for entity in superentities {
      for constraint in entity.uniquenessConstraints where !all.contains(constraint) { all.append(constraint) }
    }
    return all
  }
}
