import Relational

/// The values of a property that the schema lacks now, or the links of a relationship, in a table of their own. Its rows are
/// deleted with the rows that they belong to.
struct ArchivedValues: Codable, Hashable {
  /// The name of the table that has the values now.
  var table: String
  /// The name of the table that had the values.
  var source: String
  /// Other names of a join table, to match it with a relationship.
  var originalName: String?
  var otherName: String?
  /// The columns as they were when they were archived.
  var columns: [TableDefinition.Column]
  /// The two columns of the key of a join table; empty for the values of a property.
  var linkKey: [String] = []

  var areLinks: Bool { !linkKey.isEmpty }

  /// The definition of the table that has the values now.
  var definition: TableDefinition {
    let values = columns.map { column in
      var value = TableDefinition.Column(name: column.name, type: column.type, isNullable: true)
      value.meaning = column.meaning
      if linkKey.contains(column.name), let target = column.references {
        value.isNullable = false
        value.references = .init(table: target.table, column: target.column, onDelete: .cascade)
      }
      return value
    }
    if areLinks {
      return TableDefinition(
        name: table, columns: values, compositePrimaryKey: linkKey,
        // No table of archived values has such a name, whatever the properties are called.
        indexes: [.init(name: "swiftdata_index_\(table)", columns: Array(linkKey.suffix(1)), isUnique: false)])
    }
    let key = TableDefinition.Column(
      name: LayoutNames.primaryKey, type: .integer, isNullable: false, isPrimaryKey: true,
      references: .init(table: source, column: LayoutNames.primaryKey, onDelete: .cascade))
    return TableDefinition(name: table, columns: [key] + values)
  }

  /// Selects the archives whose tables exist: another program may have dropped or replaced one. A table without the prefix
  /// of archives is none, even if a damaged store lists it: restoring its values would drop it.
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

  /// The query for the names of the files in a column.
  func fileQuery(_ column: String, _ dialect: any Dialect) -> RenderedStatement {
    dialect.render(EntityLayout.fileNames(in: column, of: table))
  }
}
