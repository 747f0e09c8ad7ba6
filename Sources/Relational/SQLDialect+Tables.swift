extension SQLDialect {
  /// The statements that create a table and its indexes.
  package func createTable(_ table: TableDefinition) -> [String] {
    let searches = searches.map { dialect in (table.searches ?? []).flatMap { dialect.create($0, on: table) } } ?? []
    return definition(of: table) + table.indexes.map { createIndex($0, on: table.name) } + searches
  }

  /// The statement that creates a table without indexes.
  package func definition(of table: TableDefinition) -> [String] {
    var lines = table.columns.map(columnDefinition)
    if !table.compositePrimaryKey.isEmpty {
      lines.append("PRIMARY KEY (\(list(table.compositePrimaryKey)))")
    }
    let body = lines.map { "  " + $0 }.joined(separator: ",\n")
    return ["CREATE TABLE \(quoted(table.name)) (\n\(body)\n)\(tableOptions(table))"]
  }

  package func createIndex(_ index: TableDefinition.Index, on table: String) -> String {
    let functions = index.functions ?? []
    let parts = index.columns.enumerated().map { position, column in
      let function = functions.indices.contains(position) ? functions[position] : nil
      return function.map { indexed(column, by: $0) } ?? quoted(column)
    }
    let list = parts.joined(separator: ", ")
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(quoted(index.name)) ON \(quoted(table)) (\(list))"
  }

  package func addColumn(_ column: TableDefinition.Column, to table: String) -> String {
    "ALTER TABLE \(quoted(table)) ADD COLUMN \(columnDefinition(column))"
  }

  /// The statement that drops a column. Indexes on the column have to be dropped first.
  package func dropColumn(_ column: String, from table: String) -> [String] {
    ["ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted(column))"]
  }

  package func dropIndex(_ index: String) -> String {
    "DROP INDEX IF EXISTS \(quoted(index))"
  }

  package func renameTable(_ table: String, to name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))"
  }

  package func renameColumn(_ column: String, of table: String, to name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))"
  }

  package func dropTable(_ table: String) -> String {
    "DROP TABLE \(quoted(table))"
  }

  private func columnDefinition(_ column: TableDefinition.Column) -> String {
    var words = [quoted(column.name), typeName(column)]
    // An integer primary key is implicitly not null.
    if !column.isNullable && !(column.isPrimaryKey && column.type == .integer) { words.append("NOT NULL") }
    if column.isPrimaryKey { words.append(primaryKeyClause(column)) }
    if let value = column.defaultValue { words.append("DEFAULT \(literal(value, in: column))") }
    if definesReferences, let reference = column.references {
      words.append("REFERENCES \(quoted(reference.table))(\(quoted(reference.column)))")
      switch reference.onDelete {
      case .restrict: break
      case .setNull: words.append("ON DELETE SET NULL")
      case .cascade: words.append("ON DELETE CASCADE")
      }
      // Deferred, so that one save may write rows that refer to each other in any order.
      words.append("DEFERRABLE INITIALLY DEFERRED")
    }
    return words.joined(separator: " ")
  }

  private func list(_ names: [String]) -> String {
    names.map(quoted).joined(separator: ", ")
  }
}
