import Relational

/// A migration step that moves rows to another table.
///
/// All classes of an inheritance tree share the table of the root class, so a class that gets another root, or becomes a
/// root, moves. The step runs before all others and updates all references, so the later steps find every model in its
/// table of the new schema.
struct ModelMove: Hashable {
  /// The entities whose models move.
  var kinds: [String]
  /// The first of the tables that they leave.
  var source: String
  /// All tables of the store, and the archived values, after the models have moved.
  var tablesAfterMove: [TableDefinition] = []
  var archivedAfterMove: [ArchivedValues] = []
  /// The tables that are rebuilt, including those of archived values, and the insertions of their rows.
  var rebuiltTables: [TableDefinition] = []
  var insertions: [Insert] = []
  /// The old tables, dropped before the rebuilt ones take their names.
  var droppedTables: [String] = []
  var droppedSearchIndexes: [TableDefinition.Search] = []
  /// The largest key or position ever assigned in each rebuilt table, including deleted rows.
  var lastAssignedKeys: [String: Int64] = [:]
  /// The offset that is added to the keys of moved rows, by entity, so that no key of the target table is used twice.
  var keyOffsets: [String: Int64] = [:]
  /// The checks that must find no row before the move.
  var rowChecks: [RowCheck] = []

  /// A query for rows that prevent the move.
  struct RowCheck: Hashable {
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
    let searches = dialect.searches.map { searches in droppedSearchIndexes.flatMap { searches.drop($0) } } ?? []
    let tables = rebuiltTables.flatMap { table in
      var copy = table
      copy.name = Self.temporaryName(of: table.name)
      return dialect.createTable(copy)
    }
    let renamings = rebuiltTables.map { dialect.renameTable(Self.temporaryName(of: $0.name), to: $0.name) }
    return (searches + tables).map { RenderedStatement($0) } + insertions.map { dialect.render($0) }
      + (droppedTables.map { dialect.dropTable($0) } + renamings).map { RenderedStatement($0) }
  }

  /// An issue for each check that finds rows, with their number.
  func issues(_ connection: any Connection, _ dialect: any Dialect) throws -> [SwiftDataError.Issue] {
    try rowChecks.compactMap { check -> SwiftDataError.Issue? in
      let query = Select(
        columns: [.aggregate(.count, nil, distinct: false)],
        from: .init(table: check.table, alias: check.table), condition: check.condition)
      var count: Int64 = 0
      try connection.forEachRow(dialect.render(query)) { count = $0.integer(0) }
      if count == 0 { return nil }
      return SwiftDataError.Issue(
        entity: check.entity, property: check.property,
        message: "\(check.reason) \(Int(count).of("row")) of the store.")
    }
  }

  /// How many rows each rebuilt table will get, counted before the move.
  func rowCounts(_ connection: any Connection, _ dialect: any Dialect) throws -> [String: Int] {
    let names = Dictionary(rebuiltTables.map { (Self.temporaryName(of: $0.name), $0.name) }) { first, _ in first }
    var counts = Dictionary(rebuiltTables.map { ($0.name, 0) }) { first, _ in first }
    for insert in insertions {
      guard let name = names[insert.table], var query = insert.selection else { continue }
      query.columns = [.aggregate(.count, nil, distinct: false)]
      try connection.forEachRow(dialect.render(query)) { counts[name, default: 0] += Int($0.integer(0)) }
    }
    return counts
  }

  /// - Throws: `SwiftDataError` when more references dangle than before.
  func execute(_ connection: any Connection, _ dialect: any Dialect) throws {
    let danglingCount = try danglingReferenceCount(in: droppedTables, connection)
    for statement in statements(dialect) { try connection.run(statement) }
    for table in droppedTables { try KeySequences.remove(table, connection, dialect) }
    for (table, last) in lastAssignedKeys.sorted(by: { $0.key < $1.key }) where RowIdentity.isValid(last) {
      try KeySequences.record(last, of: table, connection, dialect)
    }
    try HistoryKeys(keyOffsets: keyOffsets).run(connection, dialect)
    guard try danglingReferenceCount(in: rebuiltTables.map(\.name), connection) <= danglingCount else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "Moving models of \(kinds.joined(separator: ", ")) would leave dangling references.",
        hint: "The store was not changed. Please report this, with the schemas of both versions.")
    }
  }

  private func danglingReferenceCount(in tables: [String], _ connection: any Connection) throws -> Int {
    try tables.reduce(0) { count, table in
      try connection.danglingReferences(of: table).reduce(count) { $0 + $1.count }
    }
  }
}

/// Reads facts about the rows of a store before its models move.
struct MovedRowFacts {
  /// Nil when an earlier migration step will create the rows. The answers then assume that there are rows.
  let connection: (any Connection)?
  let dialect: any Dialect

  /// The largest key or position that a table has ever assigned.
  func lastAssignedKey(of table: TableDefinition) throws -> Int64 {
    // Assumes a used key, so that the rows get an offset.
    guard let connection else { return 1 }
    var last: Int64 = 0
    func inspect(_ row: Statement) {
      if RowIdentity.isValid(row.integer(0)) { last = max(last, row.integer(0)) }
    }
    if table.compositePrimaryKey.isEmpty {
      let key = SQLExpression.column(LayoutNames.primaryKey)
      var query = Select(
        columns: [LayoutNames.primaryKey], from: table.name,
        condition: .binary(.lessOrEqual, key, .value(.integer(RowIdentity.lastNumber))))
      query.orderBy = [.init(key, isDescending: true)]
      query.limit = 1
      try connection.forEachRow(dialect.render(query), inspect)
    }
    try connection.forEachRow(dialect.render(KeySequences.recorded).sql, [.text(table.name)], inspect)
    return last
  }

  /// Whether a table has rows of any of the entities.
  func hasRows(of kinds: Set<String>, in table: TableDefinition) throws -> Bool {
    guard let connection else { return true }
    return try !table.presentKinds(connection, dialect).isDisjoint(with: kinds)
  }
}

extension Result where Success == ModelMove?, Failure == LayoutChange.Obstacles {
  /// The move, followed by the changes that `changes` finds in the layout after the move.
  func thenDiffing(
    with changes: (ModelMove?) -> Result<[LayoutChange], LayoutChange.Obstacles>
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
