import Relational

/// What the rows of a table had in a property that the schema has no more, or the links of a relationship. It lies in a
/// table of its own, whose rows go when those go that they belong to.
struct ArchivedValues: Codable, Hashable {
  /// The name of the table that has the values.
  var table: String
  /// The name of the table that had them.
  var source: String
  /// Other names of a table of links, by which it is found as the table of a relationship.
  var originalName: String?
  var otherName: String?
  /// The columns as they were.
  var columns: [TableDefinition.Column]
  /// The two columns that together were the key of a table of links; empty for the values of a property.
  var linkKey: [String] = []

  var areLinks: Bool { !linkKey.isEmpty }

  /// The table that has the values.
  var definition: TableDefinition {
    let values = columns.map { column in
      var value = TableDefinition.Column(name: column.name, type: column.type, isNullable: true)
      if linkKey.contains(column.name), let target = column.references {
        value.isNullable = false
        value.references = .init(table: target.table, column: target.column, onDelete: .cascade)
      }
      return value
    }
    if areLinks {
      return TableDefinition(
        name: table, columns: values, compositePrimaryKey: linkKey,
        // No table of kept values begins like that, whatever the properties are called.
        indexes: [.init(name: "swiftdata_index_\(table)", columns: Array(linkKey.suffix(1)), isUnique: false)])
    }
    let key = TableDefinition.Column(
      name: LayoutNames.primaryKey, type: .integer, isNullable: false, isPrimaryKey: true,
      references: .init(table: source, column: LayoutNames.primaryKey, onDelete: .cascade))
    return TableDefinition(name: table, columns: [key] + values)
  }

  /// Those of some whose tables are there: somebody may have dropped one, and made something else in its place. A table
  /// by another name is one of models, whatever a damaged store says: it would be dropped once its values are back.
  static func existing(_ archived: [ArchivedValues], _ connection: any Connection) throws -> [ArchivedValues] {
    if archived.isEmpty { return [] }
    let tables = try connection.tables()
    return archived.filter { values in
      guard values.table.hasPrefix("\(LayoutNames.archive)_"), let table = tables[values.table] else { return false }
      return Set(values.definition.columns.map(\.name)).isSubset(of: table.columns.map(\.name))
    }
  }

  /// The columns that may have the names of files.
  var fileColumns: [String] {
    columns.filter { $0.type == .blob }.map(\.name)
  }

  /// What selects the names of the files that a column leads to.
  func fileQuery(_ column: String, _ dialect: any Dialect) -> RenderedStatement {
    dialect.render(EntityLayout.fileNames(in: column, of: table))
  }
}
