import Relational

/// Archived values to restore, because the schema has their property again.
struct RestoredValues: Hashable {
  var archived: ArchivedValues
  /// The table to restore them to.
  var table: String
  /// The columns to restore, and their names in the archive.
  var columns: [TableDefinition.Column]
  var previousNames: [String]
  /// The columns that must have a value in each of their rows.
  var required: Set<String> = []

  /// - Parameter columns: All columns of a property, or of a table of links.
  /// - Returns: Nil when the archived values do not fit the columns.
  init?(_ archived: ArchivedValues, to columns: [TableDefinition.Column], of table: String) {
    let names = PreviousNames(old: archived.columns.map(\.part), new: columns.map(\.part))
    let known = Dictionary(archived.columns.map { ($0.name, $0) }) { first, _ in first }
    self.archived = archived
    self.table = table
    (self.columns, previousNames) = ([], [])
    for column in columns {
      if let previous = names.previous(of: column.name), known[previous]?.holdsValues(of: column) == true {
        self.columns.append(column)
        previousNames.append(previous)
      } else if !column.isNullable && !(archived.areLinks && column.references == nil) || column.isRequired == true {
        return nil
      }
    }
    guard let first = columns.first, first == self.columns.first else { return nil }
    if archived.areLinks {
      guard Set(archived.linkKey).isSubset(of: previousNames) else { return nil }
    } else if let property = archived.columns.first?.property {
      guard property.type == first.property?.type else { return nil }
    } else {
      // An early release did not record the type.
      let isPlain = columns.count == 1 && !["", "json"].contains(first.meaning) && !first.meaning.hasPrefix("raw ")
      guard isPlain || first.references != nil else { return nil }
    }
  }

  /// The previous column, as it was when its values were archived.
  func previous(of column: TableDefinition.Column) -> TableDefinition.Column? {
    guard let index = columns.firstIndex(of: column) else { return nil }
    return archived.columns.first { $0.name == previousNames[index] }
  }

  /// The statements that restore the values and drop the archive.
  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    [
      archived.areLinks ? dialect.render(links) : dialect.render(values),
      RenderedStatement(dialect.dropTable(archived.table)),
    ]
  }

  private var links: Insert {
    let existences = zip(columns, previousNames).compactMap { existence(of: $1, $0) }
    return Insert(
      into: table, columns: columns.map(\.name),
      from: Select(columns: previousNames, from: archived.table, condition: existences.conjunction))
  }

  private var values: Update {
    let assignments = columns.indices.map { index in
      let column = columns[index]
      let value = value(at: index)
      // A row without an archived value keeps the default value of the column.
      let isFinal = column.isNullable || required.contains(column.name)
      return Update.Assignment(
        column.name, isFinal ? value : .function(.coalesce, [value, .column(table: table, name: column.name)]))
    }
    let keys = Select(columns: [LayoutNames.primaryKey], from: archived.table)
    return Update(table, set: assignments, where: .isInSelect(.column(LayoutNames.primaryKey), keys))
  }

  /// A query for a row that would be left without a value in a column that must have one.
  ///
  /// - Parameters:
  ///   - condition: The condition of the rows that have the column; nil for all.
  ///   - departing: The rows that earlier steps remove.
  func lackQuery(at index: Int, _ condition: SQLExpression?, _ departing: DepartingRows) -> Select {
    let conditions = [.isNull(value(at: index, departing))] + (condition.map { [$0] } ?? [])
    var select = Select(
      columns: [LayoutNames.primaryKey], from: table, condition: departing.limit(conditions.conjunction, to: table))
    select.limit = 1
    return select
  }

  /// The archived value of a row of the table. A dangling reference counts as nil; no other row can have its key, as no key
  /// is assigned twice.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  private func value(at index: Int, _ departing: DepartingRows = DepartingRows()) -> SQLExpression {
    let isRow = SQLExpression.binary(
      .equal, .column(table: archived.table, name: LayoutNames.primaryKey),
      .column(table: table, name: LayoutNames.primaryKey))
    let conditions = [isRow] + (existence(of: previousNames[index], columns[index], departing).map { [$0] } ?? [])
    return .scalar(
      Select(
        columns: [.column(table: archived.table, name: previousNames[index])],
        from: .init(table: archived.table, alias: archived.table), condition: conditions.conjunction))
  }

  private func existence(
    of previous: String, _ column: TableDefinition.Column, _ departing: DepartingRows = DepartingRows()
  ) -> SQLExpression? {
    column.references.map { reference in
      .isInSelect(.column(table: archived.table, name: previous), departing.keys(of: reference.table))
    }
  }
}

extension ArchivedValues {
  /// The statements that archive values; the last one's change count is their number.
  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    let values = columns.map(\.name)
    let names = areLinks ? values : [LayoutNames.primaryKey] + values
    let rows = Select(columns: names, from: source, condition: areLinks ? nil : .hasValue(inOneOf: values))
    return dialect.createTable(definition).map { .init($0) }
      + [dialect.render(Insert(into: table, columns: names, from: rows))]
  }
}

extension SQLExpression {
  /// Whether a row has a value in one of some columns.
  static func hasValue(inOneOf columns: [String]) -> SQLExpression {
    columns.map { .isNotNull(.column($0)) }.joined(.or) ?? .isNotNull(.value(.null))
  }
}

extension [SQLExpression] {
  /// All of them; nil for none.
  var conjunction: SQLExpression? { joined(.and) }

  fileprivate func joined(_ operation: SQLExpression.Binary) -> SQLExpression? {
    dropFirst().reduce(first) { joined, next in joined.map { .binary(operation, $0, next) } }
  }
}

extension TableDefinition.Column {
  /// Whether another column can take the values of this one.
  fileprivate func holdsValues(of other: Self) -> Bool {
    type == other.type && meaning == other.meaning && owner == other.owner
      && references?.table == other.references?.table
  }
}
