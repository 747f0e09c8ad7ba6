import Relational

extension SQLiteDialect {
  /// The parameters are the first and the last key.
  package func update(_ table: String, setting columns: [String], ofRowsWith key: String) -> String? {
    if bindsValues { return nil }
    var writer = SQLWriter(dialect: self)
    writer.write("UPDATE ")
    writer.write(identifier: table)
    writer.write(" SET ")
    writer.write(columns.enumerated()) { writer, column in
      writer.write(identifier: column.element)
      writer.write(" = \(BatchCursor.value)(")
      writer.write(identifier: key)
      writer.write(", \(column.offset))")
    }
    writer.write(" WHERE ")
    writer.write(identifier: key)
    writer.write(" BETWEEN ? AND ? AND \(BatchCursor.membership)(")
    writer.write(identifier: key)
    writer.write(")")
    return writer.statement.sql
  }
}
