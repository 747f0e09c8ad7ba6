import Relational

/// Kept values that go back to where they came from, because the schema has their property again.
struct ReturningValues: Hashable {
  var kept: KeptValues
  /// The table that gets them.
  var table: String
  /// The columns that get them, and what those of the kept values are called.
  var columns: [TableDefinition.Column]
  var formerNames: [String]
  /// Those of the columns that must have a value in each row that they belong to.
  var required: Set<String> = []

  /// - Parameter columns: All columns of a property; or those of a table of links.
  /// - Returns: Nil when what is kept is something else.
  init?(_ kept: KeptValues, to columns: [TableDefinition.Column], of table: String) {
    let names = FormerNames(old: kept.columns.map(\.part), new: columns.map(\.part))
    let known = Dictionary(kept.columns.map { ($0.name, $0) }) { first, _ in first }
    self.kept = kept
    self.table = table
    (self.columns, formerNames) = ([], [])
    for column in columns {
      if let former = names.former(of: column.name), known[former]?.holdsValues(of: column) == true {
        self.columns.append(column)
        formerNames.append(former)
      } else if !column.isNullable && !(kept.areLinks && column.references == nil) || column.isRequired == true {
        return nil
      }
    }
    guard let first = columns.first, first == self.columns.first else { return nil }
    if kept.areLinks {
      guard Set(kept.linkKey).isSubset(of: formerNames) else { return nil }
    } else if let property = kept.columns.first?.property {
      guard property.type == first.property?.type else { return nil }
    } else {
      // An early release did not say what type it was.
      let isPlain = columns.count == 1 && !["", "json"].contains(first.meaning) && !first.meaning.hasPrefix("raw ")
      guard isPlain || first.references != nil else { return nil }
    }
  }

  /// What a column was when its values were put aside.
  func former(of column: TableDefinition.Column) -> TableDefinition.Column? {
    guard let index = columns.firstIndex(of: column) else { return nil }
    return kept.columns.first { $0.name == formerNames[index] }
  }

  /// The statements that bring the values back, and leave nothing where they were.
  func statements(_ dialect: any Dialect) -> [String] {
    let (target, source) = (dialect.quoted(table), dialect.quoted(kept.table))
    let values: String
    if kept.areLinks {
      let names = columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
      let formers = formerNames.map(dialect.quoted).joined(separator: ", ")
      let conditions = zip(columns, formerNames).compactMap { existence(of: $1, $0, dialect) }
      let condition = conditions.joined(separator: " AND ")
      values = "INSERT INTO \(target) (\(names)) SELECT \(formers) FROM \(source) WHERE \(condition)"
    } else {
      let key = dialect.quoted(LayoutNames.primaryKey)
      let assignments = columns.indices.map { index in
        let column = columns[index]
        let name = dialect.quoted(column.name)
        let value = value(at: index, dialect)
        // A row without a kept value has what it got with the column.
        return column.isNullable || required.contains(column.name)
          ? "\(name) = \(value)" : "\(name) = coalesce(\(value), \(target).\(name))"
      }
      values = """
        UPDATE \(target) SET \(assignments.joined(separator: ", ")) \
        WHERE \(key) IN (SELECT \(key) FROM \(source))
        """
    }
    return [values, "DROP TABLE \(source)"]
  }

  /// What finds a row that would be left without a value in a column that must have one.
  ///
  /// - Parameter condition: Which rows the column belongs to; nil when it belongs to all.
  func lackQuery(at index: Int, _ condition: String?, _ dialect: any Dialect) -> String {
    let lack = "SELECT 1 FROM \(dialect.quoted(table)) WHERE \(value(at: index, dialect)) IS NULL"
    return lack + (condition.map { " AND \($0)" } ?? "") + " LIMIT 1"
  }

  /// The kept value of a row of the table. A reference counts only when it still leads somewhere; no other row can have
  /// got the key since, as none is given out twice.
  private func value(at index: Int, _ dialect: any Dialect) -> String {
    let key = dialect.quoted(LayoutNames.primaryKey)
    let (target, source) = (dialect.quoted(table), dialect.quoted(kept.table))
    let existence = existence(of: formerNames[index], columns[index], dialect).map { " AND \($0)" } ?? ""
    return """
      (SELECT \(source).\(dialect.quoted(formerNames[index])) FROM \(source) \
      WHERE \(source).\(key) = \(target).\(key)\(existence))
      """
  }

  private func existence(
    of former: String, _ column: TableDefinition.Column, _ dialect: any Dialect
  ) -> String? {
    column.references.map { reference in
      """
      \(dialect.quoted(kept.table)).\(dialect.quoted(former)) \
      IN (SELECT \(dialect.quoted(reference.column)) FROM \(dialect.quoted(reference.table)))
      """
    }
  }
}

extension KeptValues {
  /// The statements that put values aside; the last one tells how many there are.
  func statements(_ dialect: any Dialect) -> [String] {
    let values = columns.map { dialect.quoted($0.name) }
    let names = (areLinks ? values : [dialect.quoted(LayoutNames.primaryKey)] + values).joined(separator: ", ")
    let condition = areLinks ? "" : " WHERE " + values.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
    return dialect.createTable(definition) + [
      "INSERT INTO \(dialect.quoted(table)) (\(names)) SELECT \(names) FROM \(dialect.quoted(source))\(condition)"
    ]
  }
}

extension TableDefinition.Column {
  /// Whether what the column has can be had by another one.
  fileprivate func holdsValues(of other: Self) -> Bool {
    type == other.type && meaning == other.meaning && owner == other.owner
      && references?.table == other.references?.table
  }
}
