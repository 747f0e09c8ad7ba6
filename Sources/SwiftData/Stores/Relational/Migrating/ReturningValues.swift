import Relational

/// Kept values that go back to where they came from, because the schema has their property again.
struct ReturningValues: Hashable {
  var kept: ArchivedValues
  /// The table that gets them.
  var table: String
  /// The columns that get them, and what those of the kept values are called.
  var columns: [TableDefinition.Column]
  var previousNames: [String]
  /// Those of the columns that must have a value in each row that they belong to.
  var required: Set<String> = []

  /// - Parameter columns: All columns of a property; or those of a table of links.
  /// - Returns: Nil when what is kept is something else.
  init?(_ kept: ArchivedValues, to columns: [TableDefinition.Column], of table: String) {
    let names = PreviousNames(old: kept.columns.map(\.part), new: columns.map(\.part))
    let known = Dictionary(kept.columns.map { ($0.name, $0) }) { first, _ in first }
    self.kept = kept
    self.table = table
    (self.columns, previousNames) = ([], [])
    for column in columns {
      if let previous = names.previous(of: column.name), known[previous]?.holdsValues(of: column) == true {
        self.columns.append(column)
        previousNames.append(previous)
      } else if !column.isNullable && !(kept.areLinks && column.references == nil) || column.isRequired == true {
        return nil
      }
    }
    guard let first = columns.first, first == self.columns.first else { return nil }
    if kept.areLinks {
      guard Set(kept.linkKey).isSubset(of: previousNames) else { return nil }
    } else if let property = kept.columns.first?.property {
      guard property.type == first.property?.type else { return nil }
    } else {
      // An early release did not say what type it was.
      let isPlain = columns.count == 1 && !["", "json"].contains(first.meaning) && !first.meaning.hasPrefix("raw ")
      guard isPlain || first.references != nil else { return nil }
    }
  }

  /// What a column was when its values were put aside.
  func previous(of column: TableDefinition.Column) -> TableDefinition.Column? {
    guard let index = columns.firstIndex(of: column) else { return nil }
    return kept.columns.first { $0.name == previousNames[index] }
  }

  /// The statements that bring the values back, and leave nothing where they were.
  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    [
      kept.areLinks ? dialect.render(links) : dialect.render(values),
      RenderedStatement(dialect.dropTable(kept.table)),
    ]
  }

  private var links: Insert {
    let existences = zip(columns, previousNames).compactMap { existence(of: $1, $0) }
    return Insert(
      into: table, columns: columns.map(\.name),
      from: Select(columns: previousNames, from: kept.table, condition: existences.conjunction))
  }

  private var values: Update {
    let assignments = columns.indices.map { index in
      let column = columns[index]
      let value = value(at: index)
      // A row without a kept value has what it got with the column.
      let isFinal = column.isNullable || required.contains(column.name)
      return Update.Assignment(
        column.name, isFinal ? value : .function(.coalesce, [value, .column(table: table, name: column.name)]))
    }
    let keys = Select(columns: [LayoutNames.primaryKey], from: kept.table)
    return Update(table, set: assignments, where: .isInSelect(.column(LayoutNames.primaryKey), keys))
  }

  /// What finds a row that would be left without a value in a column that must have one.
  ///
  /// - Parameters:
  ///   - condition: Which rows the column belongs to; nil when it belongs to all.
  ///   - departing: What goes before.
  func lackQuery(at index: Int, _ condition: SQLExpression?, _ departing: DepartingRows) -> Select {
    let conditions = [.isNull(value(at: index, departing))] + (condition.map { [$0] } ?? [])
    var select = Select(
      columns: [LayoutNames.primaryKey], from: table, condition: departing.limit(conditions.conjunction, to: table))
    select.limit = 1
    return select
  }

  /// The kept value of a row of the table. A reference counts only when it still leads somewhere; no other row can have
  /// got the key since, as none is given out twice.
  ///
  /// - Parameter departing: What goes before.
  private func value(at index: Int, _ departing: DepartingRows = DepartingRows()) -> SQLExpression {
    let isRow = SQLExpression.binary(
      .equal, .column(table: kept.table, name: LayoutNames.primaryKey),
      .column(table: table, name: LayoutNames.primaryKey))
    let conditions = [isRow] + (existence(of: previousNames[index], columns[index], departing).map { [$0] } ?? [])
    return .scalar(
      Select(
        columns: [.column(table: kept.table, name: previousNames[index])],
        from: .init(table: kept.table, alias: kept.table), condition: conditions.conjunction))
  }

  private func existence(
    of previous: String, _ column: TableDefinition.Column, _ departing: DepartingRows = DepartingRows()
  ) -> SQLExpression? {
    column.references.map { reference in
      .isInSelect(.column(table: kept.table, name: previous), departing.keys(of: reference.table))
    }
  }
}

extension ArchivedValues {
  /// The statements that put values aside; the last one tells how many there are.
  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    let values = columns.map(\.name)
    let names = areLinks ? values : [LayoutNames.primaryKey] + values
    let rows = Select(columns: names, from: source, condition: areLinks ? nil : .hasValue(inOneOf: values))
    return dialect.createTable(definition).map { .init($0) }
      + [dialect.render(Insert(into: table, columns: names, from: rows))]
  }
}

extension SQLExpression {
  /// Whether a row of the only table of a statement has a value in one of some columns.
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
  /// Whether what the column has can be had by another one.
  fileprivate func holdsValues(of other: Self) -> Bool {
    type == other.type && meaning == other.meaning && owner == other.owner
      && references?.table == other.references?.table
  }
}
