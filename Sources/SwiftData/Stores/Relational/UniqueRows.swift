import Foundation
import Relational

/// Finds the row that has the unique values of a model already, in the store or earlier in the same save.
struct UniqueRows {
  let layout: StoreLayout
  let connection: any Connection
  let dialect: any Dialect

  struct Constraint {
    let sql: String
    /// The property and the column among its own, in the order of the constraint.
    let columns: [(property: Int, offset: Int32)]
  }

  private struct Combination: Hashable {
    let table: String
    let constraint: Int
    let values: [Value]
  }

  private var constraints: [Int: [Constraint]] = [:]
  private var seen: [Combination: Int64] = [:]
  private var pending: [Combination] = []

  init(layout: StoreLayout, connection: any Connection, dialect: any Dialect) {
    self.layout = layout
    self.connection = connection
    self.dialect = dialect
  }

  mutating func constraints(of layout: EntityLayout) -> [Constraint] {
    if let known = constraints[layout.ordinal] { return known }
    let made = layout.entity.allUniquenessConstraints.compactMap { paths -> Constraint? in
      var columns: [(property: Int, offset: Int32)] = []
      var names: [String] = []
      for path in paths {
        let parts = path.split(separator: ".").map(String.init)
        guard let first = parts.first, let property = layout.property(named: first),
          let name = layout.column(path: path)
        else { return nil }
        var offset = 0
        if case .attribute(let coding, _, _) = property.storage {
          offset = coding.columnIndex(of: parts.dropFirst()) ?? 0
        }
        columns.append((property.index, Int32(offset)))
        names.append(name)
      }
      let condition = names.map { "\(dialect.quoted($0)) = ?" }.joined(separator: " AND ")
      return Constraint(
        sql: """
          SELECT \(dialect.quoted(LayoutNames.primaryKey)) FROM \(dialect.quoted(layout.table)) WHERE \(condition)
          """, columns: columns)
    }
    constraints[layout.ordinal] = made
    return made
  }

  func isConstrained(_ property: Int, in layout: EntityLayout) -> Bool {
    constraints[layout.ordinal]?.contains { $0.columns.contains { $0.property == property } } ?? false
  }

  /// The key of the row that the model stands for by one of its constraints; the first constraint that finds one counts.
  mutating func existingKey(
    of model: any PersistentModel, _ layout: EntityLayout, keys: SaveKeys
  ) throws -> Int64? {
    let all = constraints(of: layout)
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
