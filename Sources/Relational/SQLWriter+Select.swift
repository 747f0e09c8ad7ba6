extension SQLWriter {
  package mutating func write(_ select: Select) {
    write("SELECT ")
    if select.columns.isEmpty { write("1") }
    write(select.columns) { $0.write(typed: $1) }
    if !select.from.isNothing {
      write(" FROM ")
      write(select.from)
    }
    for join in select.joins {
      write(" JOIN ")
      write(join.source)
      write(" ON ")
      write(join.on)
    }
    if let condition = select.condition {
      write(" WHERE ")
      write(condition)
    }
    if !select.groupBy.isEmpty {
      write(" GROUP BY ")
      write(select.groupBy) { $0.writeKey($1, of: select) }
    }
    if let having = select.having {
      write(" HAVING ")
      write(having)
    }
    if !select.orderBy.isEmpty {
      write(" ORDER BY ")
      write(select.orderBy) { $0.write($1, of: select) }
    }
    dialect.writeLimit(select.limit, offset: select.offset, to: &self)
  }

  /// Writes a grouping key. A key with parameters is written as the position of its column: the database could not match it
  /// with the column's expression, whose parameters have other numbers.
  private mutating func writeKey(_ key: Expression, of select: Select) {
    var keyWriter = SQLWriter(dialect: dialect)
    keyWriter.write(key)
    if !keyWriter.statement.parameters.isEmpty, let position = select.columns.firstIndex(of: key) {
      write("\(position + 1)")
    } else {
      write(key)
    }
  }

  private mutating func write(_ source: Select.Source) {
    if let elements = source.elements {
      dialect.writeElements(of: elements, as: source.alias, to: &self)
      return
    }
    write(identifier: source.table)
    if source.alias != source.table {
      write(" AS ")
      write(identifier: source.alias)
    }
    if source.isScanned { write(dialect.scanHint) }
  }

  private mutating func write(_ ordering: Select.Ordering, of select: Select) {
    let hasValues = select.columns.contains { if case .value = $0 { true } else { false } }
    if hasValues, let position = select.columns.firstIndex(of: ordering.expression) {
      // The column of a value may be named after its type, and so have the name of another column.
      write("\(position + 1)")
    } else if select.groupBy.contains(ordering.expression) {
      writeKey(ordering.expression, of: select)
    } else {
      write(ordering.expression)
    }
    if ordering.isDescending { write(" DESC") }
    switch ordering.nulls {
    case .first: write(" NULLS FIRST")
    case .last: write(" NULLS LAST")
    case nil: break
    }
  }
}

extension Select.Source {
  fileprivate var isNothing: Bool { table.isEmpty && elements == nil }
}
