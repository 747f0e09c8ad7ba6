import Relational

/// What is known about a store and its schemas beside the two layouts.
struct RowFacts: Hashable {
  /// The entities without rows, including rows of their subclasses.
  var absentKinds: Set<String> = []
  /// The entities all of whose rows are to be removed.
  var leavingKinds: Set<String> = []
  /// The entities whose models may be removed if the new layout lacks them, because a stage of a migration plan names both
  /// versions.
  var removableKinds: Set<String> = []
  /// The known facts about the schemas.
  var schemas = SchemaFacts()

  /// Whether an entity has no rows after the removal of models.
  func lackRows(of kind: String) -> Bool { absentKinds.contains(kind) || leavingKinds.contains(kind) }

  /// Whether a table has no rows that would have a value in a column.
  func lackRows(of column: TableDefinition.Column, in table: TableDefinition) -> Bool {
    column.owner.map(lackRows) ?? lackAllRows(of: table)
  }

  private func lackAllRows(of table: TableDefinition) -> Bool {
    table.modelKinds.allSatisfy(lackRows)
  }
}

extension TableDefinition {
  /// The entities whose rows the table has. A table without a record of them has those of its name.
  var modelKinds: Set<String> { Set(kinds ?? [name]) }

  /// Whether a column records the entity of each row.
  var namesKinds: Bool { columns.contains(where: \.namesKinds) }

  /// The entities of the rows, without their superclasses. It reads the whole table where several entities share it.
  func presentKinds(_ connection: any Connection, _ dialect: any Dialect) throws -> Set<String> {
    var present: Set<String> = []
    if namesKinds {
      var query = Select(columns: [LayoutNames.type], from: name)
      query.groupBy = [.column(LayoutNames.type)]
      try connection.forEachRow(dialect.render(query)) { present.insert($0.text(0)) }
    } else {
      var query = Select(columns: [LayoutNames.primaryKey], from: name)
      query.limit = 1
      try connection.forEachRow(dialect.render(query)) { _ in present = modelKinds }
    }
    return present
  }
}

extension [TableDefinition] {
  /// The entities of the rows, without their superclasses.
  func presentKinds(_ connection: any Connection, _ dialect: any Dialect) throws -> Set<String> {
    try filter(\.compositePrimaryKey.isEmpty).reduce(into: []) { present, table in
      present.formUnion(try table.presentKinds(connection, dialect))
    }
  }
}

extension TableDefinition.Column {
  /// Whether the column records the entity of each row.
  var namesKinds: Bool { name == LayoutNames.type && property == nil && type == .text }
}
