import Relational

/// Models to remove with all their data in the store, because the new version of a schema lacks them. They are removed
/// before anything else changes, so the names of tables and columns are those of the store.
struct RemovedModels: Hashable {
  var table: TableDefinition
  /// The entities whose rows are removed; nil when the table is dropped.
  var kinds: [String]?
  /// The optional to-ones that may refer to the rows.
  var references: [ColumnSource] = []
  /// The required to-ones that may refer to the rows, except relationships that the schema lacks.
  var required: [ColumnSource] = []
  /// The columns of join tables that may refer to the rows, including those of archived links.
  var links: [ColumnSource] = []
  /// The archived values of the rows.
  var archived: [ArchivedValues] = []
  /// The archived values and links that are dropped with the table.
  var forgotten: [ArchivedValues] = []

  /// - Parameters:
  ///   - old: The tables of the store.
  ///   - archived: The archived values.
  ///   - names: The matching of the columns of a table; nil for a removed one.
  init(
    of kinds: [String]?, in table: TableDefinition, _ old: [TableDefinition], _ archived: [ArchivedValues],
    names: (TableDefinition) -> PreviousNames?
  ) {
    self.table = table
    self.kinds = kinds
    let isOfTable = { (values: ArchivedValues) in !values.areLinks && values.source == table.name }
    let pointsHere = { (column: TableDefinition.Column) in column.references?.table == table.name }
    guard kinds != nil else {
      forgotten = archived.filter { isOfTable($0) || $0.columns.contains(where: pointsHere) }
      return
    }
    self.archived = archived.filter(isOfTable)
    for values in archived where values.areLinks {
      links += values.columns.filter(pointsHere).map { .init(table: values.table, column: $0.name) }
    }
    for other in old {
      let columns = other.columns.filter(pointsHere)
      let sources = columns.map { ColumnSource(table: other.name, column: $0.name) }
      if !other.compositePrimaryKey.isEmpty {
        links += sources
        continue
      }
      guard let presentNames = names(other) else { continue }
      for (column, source) in zip(columns, sources) {
        if column.isNullable, column.isRequired != true {
          references.append(source)
        } else if presentNames.present(of: column.name) != nil {
          required.append(source)
        }
      }
    }
  }

  /// The condition of the removed rows; nil for all.
  var condition: SQLExpression? {
    kinds.map { .isIn(.column(LayoutNames.type), $0.map { .text($0) }) }
  }

  var keys: Select { Select(columns: [LayoutNames.primaryKey], from: table.name, condition: condition) }

  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    guard let condition else {
      return (forgotten.map(\.table) + [table.name]).map { .init(dialect.dropTable($0)) }
    }
    func isOneOf(_ column: String) -> SQLExpression { .isInSelect(.column(column), keys) }
    var statements = references.map { source in
      dialect.render(
        Update(source.table, set: [.init(source.column, .value(.null))], where: isOneOf(source.column)))
    }
    statements += links.map { dialect.render(Delete(from: $0.table, where: isOneOf($0.column))) }
    statements += archived.map { dialect.render(Delete(from: $0.table, where: isOneOf(LayoutNames.primaryKey))) }
    return statements + [dialect.render(Delete(from: table.name, where: condition))]
  }

  /// The rows that must refer to a model, and refer to a removed one.
  func issues(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> [SwiftDataError.Issue] {
    guard let kinds else { return [] }
    return try required.compactMap { source -> SwiftDataError.Issue? in
      let pointsThere = SQLExpression.isInSelect(.column(source.column), keys)
      var count: Int64 = 0
      let query = Select(
        columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: source.table, alias: source.table),
        condition: departing.limit(pointsThere, to: source.table))
      try connection.forEachRow(dialect.render(query)) { count = $0.integer(0) }
      if count == 0 { return nil }
      return .init(
        entity: source.table, property: source.column,
        message: """
          It must have a target, and \(Int(count).of("model")) of the store \(count == 1 ? "refers" : "refer") to one of \
          \(kinds.joined(separator: " or ")), which the schema lacks. The stage that removes these can \
          set other targets first: \(Remedy.beforehand).
          """)
    }
  }

  /// The names of the models' external files.
  func fileNames(_ connection: any Connection, _ dialect: any Dialect) throws -> [String] {
    var names: [String] = []
    func add(_ query: Select) throws {
      try connection.forEachRow(dialect.render(query)) { names.append($0.text(0)) }
    }
    for column in table.columns where column.type == .blob {
      try add(EntityLayout.fileNames(in: column.name, of: table.name, where: condition))
    }
    for values in forgotten {
      for column in values.fileColumns { try add(EntityLayout.fileNames(in: column, of: values.table)) }
    }
    for values in archived {
      for column in values.fileColumns {
        try add(
          EntityLayout.fileNames(
            in: column, of: values.table, where: .isInSelect(.column(LayoutNames.primaryKey), keys)))
      }
    }
    return names
  }

  /// Records the last key that the table has assigned, so that a later table for the models does not assign it again.
  func recordLastKey(_ connection: any Connection, _ dialect: any Dialect) throws {
    var query = Select(columns: [LayoutNames.primaryKey], from: table.name)
    query.orderBy = [.init(.column(LayoutNames.primaryKey), isDescending: true)]
    query.limit = 1
    var last: Int64?
    try connection.forEachRow(dialect.render(query)) { last = $0.integer(0) }
    if let last, RowIdentity.isValid(last) {
      try KeySequences.record(last, of: table.name, connection, dialect)
    }
  }
}
