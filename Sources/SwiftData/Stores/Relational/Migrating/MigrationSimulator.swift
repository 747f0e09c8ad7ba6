import Relational

/// Predicts the state of a store after some steps, before any of them runs. It follows the origin of rows and values
/// through renamings of tables and columns; the effects of a stage's code are unknown.
struct MigrationSimulator {
  /// The tables of the store, and those of the last schema after `finish`.
  private(set) var tables: [TableDefinition]
  /// The entities that the tables are of; nil where the store does not say.
  private(set) var entities: [Schema.Entity]?
  /// The archived values, the latest last.
  private(set) var archived: [ArchivedValues]
  /// The names of all tables.
  private(set) var names: Set<String>
  /// Whether the simulated store has a later schema than the real one.
  private(set) var isChanged = false
  private var rows: [String: SimulatedRows] = [:]
  private let storeTables: [TableDefinition]
  /// The entities of the rows in the store; nil before they are read.
  private var storeKinds: Set<String>?
  /// The entities whose rows are removed.
  private var removedKinds: Set<String> = []

  init(_ metadata: StoreMetadata, _ connection: any Connection, _ dialect: any Dialect) throws {
    tables = try metadata.layout().found(connection, dialect)
    storeTables = tables
    entities = metadata.schema?.entities
    archived = try ArchivedValues.existing(metadata.archivedValues(), connection)
    names = try connection.tableNames()
    for name in names { rows[name] = SimulatedRows(source: name) }
    let existing = try connection.tables()
    for table in tables {
      // The file may have other columns than its metadata says.
      let columns = Set(existing[table.name]?.columns.map(\.name) ?? [])
      for column in table.columns where columns.contains(column.name) {
        rows[table.name]?.origins[column.name] = SimulatedRows.Origin(column: column)
      }
    }
  }

  /// The entities that have rows of their own.
  mutating func presentKinds(_ connection: any Connection, _ dialect: any Dialect) throws -> Set<String> {
    let found = try storeKinds ?? storeTables.presentKinds(connection, dialect)
    storeKinds = found
    return found.subtracting(removedKinds)
  }

  // MARK: Rows

  /// How many rows a step reads or writes; zero where its cost does not depend on them, and nil where the table is missing.
  mutating func rowCount(
    of step: LayoutChange, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int? {
    guard let table = step.slowTable else { return 0 }
    return try rowCount(in: table, connection, dialect)
  }

  /// Counts the rows of a table once.
  private mutating func rowCount(
    in table: String, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int? {
    guard var found = rows[table] else { return nil }
    if let count = found.count { return count }
    guard let source = found.source else { return 0 }
    var count = 0
    let query = Select(
      columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: source, alias: source),
      condition: found.condition)
    try connection.forEachRow(dialect.render(query)) { count = Int($0.integer(0)) }
    found.count = count
    rows[table] = found
    return count
  }

  // MARK: Values

  /// The values of some columns that may repeat; nil where a migration step creates them.
  func repeatedValues(_ columns: [TableDefinition.Column], in table: String) -> RepeatedValues? {
    guard let found = rows[table], let source = found.source else { return nil }
    var repeated = RepeatedValues(table: source, columns: [], condition: found.condition)
    for column in columns {
      if let origin = found.origins[column.name] {
        repeated.columns.append(origin.column)
        repeated.defaults[origin.column.name] = origin.defaultValue
      } else if let value = found.constants[column.name] {
        repeated.columns.append(column)
        repeated.constants[column.name] = value
      } else {
        return nil
      }
    }
    return repeated
  }

  /// The steps that depend on values of existing rows, if no step moves them.
  func inStore(_ steps: [LayoutChange]) -> [LayoutChange] {
    if case .moveModels? = steps.first { return [] }
    return steps.compactMap(inStore)
  }

  /// A step that depends on values of rows, with the names of the tables and columns that have these in the store.
  ///
  /// - Returns: Nil where it depends on none, or on some that a step creates.
  private func inStore(_ step: LayoutChange) -> LayoutChange? {
    switch step {
    case .requireValues(var values):
      guard let source = source(of: values.source), values.column.owner == nil || hasKinds(values.source.table) else {
        return nil
      }
      values.source = source
      return .requireValues(values)
    case .convert(var values):
      guard rows[values.source.table]?.origins[values.source.column]?.isConverted == false,
        let source = source(of: values.source)
      else { return nil }
      values.source = source
      return .convert(values)
    case .gatherLinks(var links):
      guard let owner = source(of: ColumnSource(table: links.old.table, column: links.old.owner)),
        let member = source(of: ColumnSource(table: links.old.table, column: links.old.member)),
        let ownerTable = rows[links.old.ownerTable]?.source, let memberTable = rows[links.old.memberTable]?.source
      else { return nil }
      links.old.table = owner.table
      (links.old.owner, links.old.member) = (owner.column, member.column)
      (links.old.ownerTable, links.old.memberTable) = (ownerTable, memberTable)
      return .gatherLinks(links)
    case .removeModels(var models):
      guard let table = rows[models.table.name]?.source, hasKinds(models.table.name) else { return nil }
      models.table.name = table
      models.required = models.required.compactMap(source(of:))
      models.references = models.references.compactMap(source(of:))
      models.links = models.links.compactMap(source(of:))
      // Values that a step archives are not in the store yet.
      models.archived = models.archived.filter { rows[$0.table]?.source == $0.table }
      return .removeModels(models)
    case .completeStructures(var field):
      let others = field.source.others.compactMap { source(of: .init(table: field.source.table, column: $0))?.column }
      guard others.count == field.source.others.count, let table = rows[field.source.table]?.source else { return nil }
      if let column = field.source.column {
        guard let source = source(of: .init(table: field.source.table, column: column)) else { return nil }
        field.source.column = source.column
      }
      (field.source.table, field.source.others) = (table, others)
      return .completeStructures(field)
    case .checkTargets(var check):
      guard let source = source(of: check.source), let targets = rows[check.targets],
        let table = targets.source, targets.removedKinds.isEmpty
      else { return nil }
      if let counterpart = check.counterpart {
        guard let other = self.source(of: .init(table: check.source.table, column: counterpart)) else { return nil }
        check.counterpart = other.column
      }
      (check.source, check.targets) = (source, table)
      return .checkTargets(check)
    default:
      return nil
    }
  }

  /// The location of a column's values; nil where a step creates them, or removes some of their rows.
  private func source(of previous: ColumnSource) -> ColumnSource? {
    guard let found = rows[previous.table], found.removedKinds.isEmpty, let table = found.source,
      let origin = found.origins[previous.column]
    else { return nil }
    return ColumnSource(table: table, column: origin.column.name)
  }

  /// Whether rows of the store record their entity.
  private func hasKinds(_ table: String) -> Bool { rows[table]?.origins[LayoutNames.type] != nil }

  // MARK: Steps

  /// Applies the effects of a step.
  mutating func apply(_ step: LayoutChange, _ connection: any Connection, _ dialect: any Dialect) throws {
    switch step {
    case .moveModels(let models): try move(models, connection, dialect)
    case .createTable(let table): add(SimulatedRows(count: 0), as: table.name)
    case .renameTable(let from, let to): rename(from, to: to)
    case .dropTable(let table): drop(table)
    case .addColumn(let table, let column): rows[table]?.add(column)
    case .renameColumn(let table, let from, let to): rows[table]?.rename(from, to: to)
    case .dropColumn(let table, let column): rows[table]?.drop(column)
    case .rebuildTable(let table), .changeDeleteRules(let table):
      rows[table.name]?.keep(Set(table.columns.map(\.name)))
    case .convert(let values): rows[values.table]?.convert(values.previous, to: values.column.name)
    case .requireValues(let values): rows[values.table]?.fill(values.column)
    case .archive(let values):
      let count = try rowCount(in: values.source, connection, dialect)
      if count == 0 { break }
      add(SimulatedRows(count: count), as: values.table)
      archived.append(values)
    case .restore(let values):
      if values.archived.areLinks {
        add(SimulatedRows(count: try rowCount(in: values.archived.table, connection, dialect)), as: values.table)
      } else {
        for column in values.columns { rows[values.table]?.drop(column.name) }
      }
      drop(values.archived.table)
      archived.removeAll { $0 == values.archived }
    case .removeModels(let models):
      remove(models)
    case .gatherLinks(let links):
      add(SimulatedRows(count: try rowCount(in: links.old.table, connection, dialect)), as: links.table)
    case .writeLinks(let links):
      if links.new.isJoin {
        add(SimulatedRows(count: try rowCount(in: links.table, connection, dialect)), as: links.new.table)
      }
      drop(links.table)
    case .describeTable, .markPresence, .recordFiles, .adoptFiles, .normalizeTexts, .completeLinks,
      .completeStructures, .checkTargets,
      .createIndex, .dropIndex, .createSearch, .keepSearch, .dropSearch:
      break
    }
  }

  /// Ends the simulation of the steps to a schema.
  mutating func finish(_ layout: StoreLayout) {
    tables = layout.tables
    entities = layout.all.map(\.entity)
    isChanged = true
  }

  private mutating func move(_ models: ModelMove, _ connection: any Connection, _ dialect: any Dialect) throws {
    // The row counts of tables that earlier steps create are unknown.
    let counts = isChanged ? [:] : try models.rowCounts(connection, dialect)
    for name in models.droppedTables { drop(name) }
    for table in models.rebuiltTables {
      names.insert(table.name)
      if let count = counts[table.name] { rows[table.name] = SimulatedRows(count: count) }
    }
    archived = models.archivedAfterMove
  }

  private mutating func add(_ added: SimulatedRows, as name: String) {
    rows[name] = added
    names.insert(name)
  }

  private mutating func drop(_ name: String) {
    rows[name] = nil
    names.remove(name)
  }

  private mutating func rename(_ from: String, to name: String) {
    let renamed = rows[from]
    drop(from)
    rows[name] = renamed
    names.insert(name)
  }

  private mutating func remove(_ models: RemovedModels) {
    archived.removeAll { models.forgotten.contains($0) }
    for values in models.forgotten { drop(values.table) }
    removedKinds.formUnion(models.kinds ?? Array(models.table.modelKinds))
    if let kinds = models.kinds {
      rows[models.table.name]?.remove(kinds)
    } else {
      drop(models.table.name)
    }
  }
}

/// The predicted rows of a table.
private struct SimulatedRows {
  /// The origin of a column's values.
  struct Origin {
    var column: TableDefinition.Column
    /// Whether a step converts them to another type.
    var isConverted = false
    /// The value that rows without one get.
    var defaultValue: Value?
  }

  /// The table of the store that has the rows; nil where a step creates them.
  var source: String?
  /// The origins by column; a step creates the values of other columns.
  var origins: [String: Origin] = [:]
  /// The values that all rows get in new columns.
  var constants: [String: Value] = [:]
  /// The entities whose rows are removed.
  var removedKinds: Set<String> = []
  /// Nil before the rows are counted.
  var count: Int?

  /// The condition of the remaining rows of the source; nil for all.
  var condition: SQLExpression? {
    if removedKinds.isEmpty { return nil }
    return .unary(.not, .isIn(.column(LayoutNames.type), removedKinds.sorted().map { .text($0) }))
  }

  mutating func add(_ column: TableDefinition.Column) {
    drop(column.name)
    // In a table that several entities share, rows of others have no value in the column.
    if column.owner == nil, let value = column.defaultValue, value != .null { constants[column.name] = value }
  }

  mutating func drop(_ column: String) {
    origins[column] = nil
    constants[column] = nil
  }

  mutating func rename(_ from: String, to name: String) {
    let (origin, constant) = (origins[from], constants[from])
    drop(from)
    (origins[name], constants[name]) = (origin, constant)
  }

  mutating func keep(_ columns: Set<String>) {
    origins = origins.filter { columns.contains($0.key) }
    constants = constants.filter { columns.contains($0.key) }
  }

  mutating func convert(_ previous: String, to column: String) {
    var origin = origins[previous]
    origin?.isConverted = true
    origins[column] = origin
    constants[column] = nil
  }

  /// Rows without a value get the default value of the column.
  mutating func fill(_ column: TableDefinition.Column) {
    // Rows of other entities have no value in the column, and converted values are unknown.
    guard column.owner == nil, origins[column.name]?.isConverted == false else { return }
    origins[column.name]?.defaultValue = column.defaultValue
  }

  mutating func remove(_ kinds: [String]) {
    removedKinds.formUnion(kinds)
    // Without a source, the removed rows were not counted.
    if source != nil { count = nil }
  }
}
