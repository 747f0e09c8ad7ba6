import Foundation
import Relational

/// Finds the row that has the unique values of a model already, in the store or earlier in the same save.
struct UniqueRows {
  let shapes: StatementShapes
  let connection: any Connection

  private struct Combination: Hashable {
    let table: String
    let constraint: Int
    let values: [Value]
  }

  private var seen: [Combination: Int64] = [:]
  private var pending: [Combination] = []

  init(shapes: StatementShapes, connection: any Connection) {
    self.shapes = shapes
    self.connection = connection
  }

  func isConstrained(_ property: Int, in layout: EntityLayout) -> Bool {
    shapes.constraints(of: layout).contains { $0.columns.contains { $0.property == property } }
  }

  /// The key of the row that the model stands for by one of its constraints; the first constraint that finds one counts.
  mutating func existingKey(
    of model: any PersistentModel, _ layout: EntityLayout, keys: SaveKeys
  ) throws -> Int64? {
    let all = shapes.constraints(of: layout)
    let collector = ValueCollector(
      layout, properties: Set(all.flatMap { $0.columns.map(\.property) }), keys: { keys.key(of: $0) })
    model._$store(collector)
    if let failure = collector.failure { throw failure }
    pending = []
    var found: Int64?
    for (index, constraint) in all.enumerated() {
      let values = constraint.columns.map { collector.values[ValueCollector.column($0.property) + $0.offset] ?? .null }
      // Nothing is the same as a value that is not there.
      if values.contains(.null) { continue }
      let combination = Combination(table: layout.table, constraint: index, values: values)
      pending.append(combination)
      if found != nil { continue }
      if let key = seen[combination] {
        found = key
      } else {
        try connection.forEachRow(constraint.sql, values) { found = $0.integer(0) }
      }
    }
    return found
  }

  /// Notes the key that the model asked for last got.
  mutating func remember(_ key: Int64) {
    for combination in pending { seen[combination] = key }
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
