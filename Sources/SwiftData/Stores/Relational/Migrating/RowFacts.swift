import Relational

/// What a step to another layout may go by besides the two layouts.
struct RowFacts: Hashable {
  /// The entities that the store has no rows of. A row of an entity is one of those it inherits from as well.
  var absentKinds: Set<String> = []
  /// The entities that the store has rows of none of which stays.
  var leavingKinds: Set<String> = []
  /// The entities whose models go with all that the store has of them, if the new layout lacks them: a stage of a plan
  /// names both versions.
  var removableKinds: Set<String> = []
  /// What is known of the schemas besides.
  var schemas = SchemaFacts()

  /// Whether no row of an entity is left once those that go have gone.
  func lackRows(of kind: String) -> Bool { absentKinds.contains(kind) || leavingKinds.contains(kind) }

  /// Whether no row of a table has, or would have, a value in a column.
  func lackRows(of column: TableDefinition.Column, in table: TableDefinition) -> Bool {
    column.owner.map(lackRows) ?? lackAllRows(of: table)
  }

  private func lackAllRows(of table: TableDefinition) -> Bool {
    table.modelKinds.allSatisfy(lackRows)
  }
}

extension TableDefinition {
  /// The entities whose rows the table has. One that does not say has those of its name.
  var modelKinds: Set<String> { Set(kinds ?? [name]) }

  /// Whether a column says of each row which entity it belongs to.
  var namesKinds: Bool { columns.contains(where: \.namesKinds) }

  /// Those of the entities that the table has rows of, each by its own name. It reads the whole table where several share
  /// it.
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
  /// Those of the entities that the tables have rows of, each by its own name.
  func presentKinds(_ connection: any Connection, _ dialect: any Dialect) throws -> Set<String> {
    try filter(\.compositePrimaryKey.isEmpty).reduce(into: []) { present, table in
      present.formUnion(try table.presentKinds(connection, dialect))
    }
  }
}

extension TableDefinition.Column {
  /// Whether the column says of each row which entity it belongs to.
  var namesKinds: Bool { name == LayoutNames.type && property == nil && type == .text }
}
