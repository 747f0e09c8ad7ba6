extension SQLWriter {
  mutating func write(_ insert: Insert) {
    write("INSERT INTO ")
    write(identifier: insert.table)
    write(" (")
    write(insert.columns) { $0.write(identifier: $1) }
    write(") ")
    if let selection = insert.selection {
      write(selection)
    } else {
      write("VALUES (")
      write(insert.columns) { writer, _ in writer.write(.parameter) }
      write(")")
    }
    if let conflict = insert.conflict { dialect.writeConflict(conflict, in: insert.table, to: &self) }
  }

  mutating func write(_ update: Update) {
    write("UPDATE ")
    write(identifier: update.table)
    if let alias = update.alias {
      write(" AS ")
      write(identifier: alias)
    }
    write(" SET ")
    write(update.assignments) { writer, assignment in
      writer.write(identifier: assignment.column)
      writer.write(" = ")
      writer.write(assignment.value)
    }
    write(" WHERE ")
    write(update.condition)
  }

  mutating func write(_ delete: Delete) {
    write("DELETE FROM ")
    write(identifier: delete.table)
    if let condition = delete.condition {
      write(" WHERE ")
      write(condition)
    }
  }
}
