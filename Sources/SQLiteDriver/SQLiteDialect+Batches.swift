import Relational

extension SQLiteDialect {
  /// What was written before a row that cannot be stays, until the transaction is rolled back: otherwise SQLite would keep
  /// a journal of each statement.
  package func update(_ table: String, setting columns: [String], ofRowsWith key: String) -> String? {
    if bindsValues || columns.count > BatchTable.greatestWidth { return nil }
    var writer = SQLWriter(dialect: self)
    writer.write("UPDATE OR FAIL ")
    writer.write(identifier: table)
    writer.write(" SET ")
    writer.write(columns.enumerated()) { writer, column in
      writer.write(identifier: column.element)
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
