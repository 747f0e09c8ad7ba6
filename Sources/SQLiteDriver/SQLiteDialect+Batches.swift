package import Relational

extension SQLiteDialect {
  /// If a row cannot be written, the rows before it stay written until the transaction is rolled back. Otherwise SQLite would
  /// keep a statement journal.
  package func update(_ table: String, setting columns: [TableDefinition.Column], ofRowsWith key: String) -> String? {
    if bindsValues || columns.count > BatchTable.greatestWidth { return nil }
    var writer = SQLWriter(dialect: self)
    writer.write("UPDATE OR FAIL ")
    writer.write(identifier: table)
    writer.write(" SET ")
    writer.write(columns.enumerated()) { writer, column in
      writer.write(identifier: column.element.name)
      writer.write(" = \(BatchTable.name).\(BatchTable.value(column.offset))")
    }
    writer.write(" FROM \(BatchTable.name)(0) WHERE ")
    writer.write(identifier: table)
    writer.write(".")
    writer.write(identifier: key)
    writer.write(" = \(BatchTable.name).\(BatchTable.key)")
    return writer.statement.sql
  }
}
