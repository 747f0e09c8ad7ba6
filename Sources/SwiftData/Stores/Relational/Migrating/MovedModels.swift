import Relational

/// Models that move to another table, because their class has another base class than before, or none any more: all
/// classes of an inheritance share the table of the root class.
///
/// They move before anything else changes, with all references to them. The steps after that only compare properties, as
/// all models are in the tables of the schema by then.
struct MovedModels: Hashable {
  /// The entities whose models move.
  var kinds: [String]
  /// The first of the tables that they leave.
  var source: String
  /// All tables of the store, and the archived values, after the models have moved.
  var layout: [TableDefinition] = []
  var archived: [ArchivedValues] = []
  /// The tables that are rebuilt, including those of archived values, and the insertions of their rows.
  var made: [TableDefinition] = []
  var rows: [Insert] = []
  /// The tables that are dropped, some of which are rebuilt.
  var dropped: [String] = []
  var droppedSearches: [TableDefinition.Search] = []
  /// The last numbers that the rebuilt tables have assigned.
  var lastNumbers: [String: Int64] = [:]
  /// The number to add to keys, by entity.
  var shifts: [String: Int64] = [:]
  /// The rows to check for before the move.
  var obstacles: [Obstacle] = []

  /// Rows that prevent the move, if there are any.
  struct Obstacle: Hashable {
    var entity: String
    var property: String?
    /// The beginning of the message, before the number of rows.
    var reason: String
    /// The table and condition of the rows in the store.
    var table: String
    var condition: SQLExpression
  }

  /// The name of a rebuilt table until the old one is dropped.
  static func temporaryName(of table: String) -> String { "swiftdata_rebuilt_\(table)" }

  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    let searches = dialect.searches.map { searches in droppedSearches.flatMap { searches.drop($0) } } ?? []
    let tables = made.flatMap { table in
      var copy = table
      copy.name = Self.temporaryName(of: table.name)
      return dialect.createTable(copy)
    }
    let renamings = made.map { dialect.renameTable(Self.temporaryName(of: $0.name), to: $0.name) }
    return (searches + tables).map { RenderedStatement($0) } + rows.map { dialect.render($0) }
      + (dropped.map { dialect.dropTable($0) } + renamings).map { RenderedStatement($0) }
  }

  /// The issues of rows in the store before the migration.
  func issues(_ connection: any Connection, _ dialect: any Dialect) throws -> [SwiftDataError.Issue] {
    try obstacles.compactMap { obstacle -> SwiftDataError.Issue? in
      let query = Select(
        columns: [.aggregate(.count, nil, distinct: false)],
        from: .init(table: obstacle.table, alias: obstacle.table), condition: obstacle.condition)
      var count: Int64 = 0
      try connection.forEachRow(dialect.render(query)) { count = $0.integer(0) }
      if count == 0 { return nil }
      return SwiftDataError.Issue(
        entity: obstacle.entity, property: obstacle.property,
        message: "\(obstacle.reason) \(Int(count).of("row")) of the store.")
    }
  }

  /// The row counts of the rebuilt tables, by name.
  func rowCounts(_ connection: any Connection, _ dialect: any Dialect) throws -> [String: Int] {
    let names = Dictionary(made.map { (Self.temporaryName(of: $0.name), $0.name) }) { first, _ in first }
    var counts = Dictionary(made.map { ($0.name, 0) }) { first, _ in first }
    for insert in rows {
      guard let name = names[insert.table], var query = insert.selection else { continue }
      query.columns = [.aggregate(.count, nil, distinct: false)]
      try connection.forEachRow(dialect.render(query)) { counts[name, default: 0] += Int($0.integer(0)) }
    }
    return counts
  }

  /// - Throws: `SwiftDataError` when more references dangle than before.
  func execute(_ connection: any Connection, _ dialect: any Dialect) throws {
    let brokenCount = try brokenReferenceCount(in: dropped, connection)
    for statement in statements(dialect) { try connection.run(statement) }
    for table in dropped { try KeySequences.remove(table, connection, dialect) }
    for (table, last) in lastNumbers.sorted(by: { $0.key < $1.key }) where RowIdentity.isNumber(last) {
      try KeySequences.record(last, of: table, connection, dialect)
    }
    try HistoryKeys(shifts: shifts).run(connection, dialect)
    guard try brokenReferenceCount(in: made.map(\.name), connection) <= brokenCount else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "Moving models of \(kinds.joined(separator: ", ")) would leave dangling references.",
        hint: "The store was not changed. Please report this, with the schemas of both versions.")
    }
  }

  private func brokenReferenceCount(in tables: [String], _ connection: any Connection) throws -> Int {
    try tables.reduce(0) { count, table in
      try connection.brokenReferences(of: table).reduce(count) { $0 + $1.count }
    }
  }
}

/// Reads facts about the rows of a store before its models move.
struct MovedRows {
  /// Nil where earlier steps create the rows, about which nothing is known.
  let connection: (any Connection)?
  let dialect: any Dialect

  /// The largest number that a table has assigned, as a key or as a position.
  func lastNumber(of table: TableDefinition) throws -> Int64 {
    guard let connection else { return 1 }
    var last: Int64 = 0
    func look(_ row: Statement) {
      if RowIdentity.isNumber(row.integer(0)) { last = max(last, row.integer(0)) }
    }
    if table.compositePrimaryKey.isEmpty {
      let key = SQLExpression.column(LayoutNames.primaryKey)
      var query = Select(
        columns: [LayoutNames.primaryKey], from: table.name,
        condition: .binary(.lessOrEqual, key, .value(.integer(RowIdentity.lastNumber))))
      query.orderBy = [.init(key, isDescending: true)]
      query.limit = 1
      try connection.forEachRow(dialect.render(query), look)
    }
    try connection.forEachRow(dialect.render(KeySequences.recorded).sql, [.text(table.name)], look)
    return last
  }

  /// Whether a table has rows of one of some entities.
  func hasRows(of kinds: Set<String>, in table: TableDefinition) throws -> Bool {
    guard let connection else { return true }
    return try !table.presentKinds(connection, dialect).isDisjoint(with: kinds)
  }
}

extension Result where Success == MovedModels?, Failure == LayoutChange.Obstacles {
  /// All steps: the move of models, and the changes found after it.
  func followed(
    by changes: (MovedModels?) -> Result<[LayoutChange], LayoutChange.Obstacles>
  ) -> Result<[LayoutChange], LayoutChange.Obstacles> {
    switch self {
    case .failure(let obstacles): return .failure(obstacles)
    case .success(let models):
      let first = models.map { [LayoutChange.moveModels($0)] } ?? []
      return changes(models).map { first + $0 }.mapError { obstacles in
        LayoutChange.Obstacles(issues: obstacles.issues, checks: first + obstacles.checks)
      }
    }
  }
}
