import Relational

/// The uniqueness constraints that a later version of a schema has for one entity, and the models of a store of the
/// earlier version that violate them.
struct LaterUniqueness {
  /// The columns of a constraint, as the store has them.
  typealias Constraint = [TableDefinition.Column]

  /// Two models with the same values.
  struct Pair {
    /// The oldest one that has them.
    let kept: PersistentIdentifier
    let duplicate: PersistentIdentifier
  }

  private let layout: StoreLayout
  private let entity: EntityLayout
  /// The constraints of the entity and of its superentities.
  let constraints: [Constraint]
  /// The property names of the constraints for which the store lacks a column.
  let unknown: [[String]]

  /// - Parameter layout: The layout of the store.
  /// - Returns: Nil when one of the versions lacks the entity.
  init?(of name: String, in layout: StoreLayout, _ later: Schema) {
    let laterLayout = StoreLayout(
      schema: later, entities: Array(later.entities.indices), rules: layout.rules)
    guard let entity = layout.layout(named: name), let laterEntity = laterLayout.layout(named: name) else { return nil }
    let columns = layout.columns(of: entity)
    let names = PreviousNames(old: columns.map(\.part), new: laterLayout.columns(of: laterEntity).map(\.part))
    let byName = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    var constraints: [Constraint] = []
    var unknown: [[String]] = []
    for paths in laterEntity.entity.allUniquenessConstraints {
      let laterColumns = paths.compactMap { laterEntity.column(path: $0) }
      // There is no unique index for properties without columns.
      guard laterColumns.count == paths.count, !laterColumns.isEmpty else { continue }
      let found = laterColumns.compactMap { names.previous(of: $0).flatMap { byName[$0] } }
      if found.count == paths.count { constraints.append(found) } else { unknown.append(paths) }
    }
    self.layout = layout
    self.entity = entity
    self.constraints = constraints
    self.unknown = unknown
  }

  /// The normalization of the texts of a constraint, which the later version needs because a database compares bytes.
  ///
  /// - Returns: Nil where the texts are normalized.
  func normalization(of constraint: Constraint) -> TextNormalization? {
    let texts = constraint.filter { $0.type == .text && $0.isNormalized != true }
    return texts.isEmpty ? nil : TextNormalization(table: entity.table, columns: texts.map(\.name))
  }

  /// The models that have the values of an older one in the columns of a constraint, ordered by the key of the older
  /// one, then by their own. Only the identifiers of the pairs are kept in memory.
  ///
  /// - Parameter store: The identifier of the store.
  func pairs(
    _ constraint: Constraint, in store: InternedString, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> [Pair] {
    typealias Row = (key: Int64, kind: String, values: [Value])
    func identifier(_ row: Row) -> PersistentIdentifier {
      let runtime = layout.layout(named: row.kind)?.runtime ?? entity.runtime
      return PersistentIdentifier(store: store, entity: runtime.entityName, key: row.key)
    }
    var pairs: [Pair] = []
    var first: Row?
    try connection.forEachRow(dialect.render(query(constraint))) { row in
      let values = constraint.indices.map { row.value(Int32($0 + 2)) }
      let found = (key: row.integer(0), kind: row.text(1), values: values)
      if let first, first.values == values {
        pairs.append(Pair(kept: identifier(first), duplicate: identifier(found)))
      } else {
        first = found
      }
    }
    return pairs.sorted { ($0.kept.id.key, $0.duplicate.id.key) < ($1.kept.id.key, $1.duplicate.id.key) }
  }

  /// The models that have all values, with duplicates next to each other, and the oldest first.
  private func query(_ constraint: Constraint) -> Select {
    let key = SQLExpression.column(LayoutNames.primaryKey)
    let values = constraint.map { SQLExpression.column($0.name) }
    var condition = entity.typeColumn.map { column in
      SQLExpression.isIn(.column(column), entity.family.map { .text($0.entity.name) })
    }
    for value in values {
      let isThere = SQLExpression.isNotNull(value)
      condition = condition.map { .binary(.and, $0, isThere) } ?? isThere
    }
    let kind = entity.typeColumn.map { SQLExpression.column($0) } ?? .value(.text(entity.entity.name))
    var query = Select(
      columns: [key, kind] + values, from: .init(table: entity.table, alias: entity.table), condition: condition)
    query.orderBy = (values + [key]).map { .init($0) }
    return query
  }

  /// Describes the values that repeat in the columns of a constraint; nil when none do.
  func describeRepeatedValues(
    _ constraint: Constraint, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> String? {
    try RepeatedValues(table: entity.table, columns: constraint).describe(connection, dialect)
  }
}

extension StoreLayout {
  fileprivate func columns(of entity: EntityLayout) -> [TableDefinition.Column] {
    tables.first { $0.name == entity.table }?.columns ?? []
  }
}
