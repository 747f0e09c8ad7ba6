import Relational

/// What a store will be like after some steps, as far as it can be told before any of them has run: where rows and values
/// come from is followed through the names that steps give to tables and columns. What code of stages does, nobody knows.
struct MigrationSimulator {
  /// As the store has them, and later as the last schema wants them.
  private(set) var tables: [TableDefinition]
  /// The entities that the tables are of; nil where the store does not say.
  private(set) var entities: [Schema.Entity]?
  /// What lies aside, the latest last.
  private(set) var kept: [ArchivedValues]
  /// Those of all tables.
  private(set) var names: Set<String>
  /// Whether it has come to another schema than the one that the store has.
  private(set) var isChanged = false
  private var rows: [String: SimulatedRows] = [:]
  private let storeTables: [TableDefinition]
  /// The entities that the store has rows of; nil before anybody has asked.
  private var storeKinds: Set<String>?
  /// The entities whose rows are gone.
  private var removedKinds: Set<String> = []

  init(_ metadata: StoreMetadata, _ connection: any Connection, _ dialect: any Dialect) throws {
    tables = try metadata.layout().found(connection, dialect)
    storeTables = tables
    entities = metadata.schema?.entities
    kept = try ArchivedValues.held(metadata.kept(), connection)
    names = try connection.tableNames()
    for name in names { rows[name] = SimulatedRows(source: name) }
    let existing = try connection.tables()
    for table in tables {
      // Somebody may have given the file other columns than the store says.
      let columns = Set(existing[table.name]?.columns.map(\.name) ?? [])
      for column in table.columns where columns.contains(column.name) {
        rows[table.name]?.origins[column.name] = SimulatedRows.Origin(column: column)
      }
    }
  }

  /// The entities that there are rows of, each by its own name.
  mutating func presentKinds(_ connection: any Connection, _ dialect: any Dialect) throws -> Set<String> {
    let found = try storeKinds ?? storeTables.presentKinds(connection, dialect)
    storeKinds = found
    return found.subtracting(removedKinds)
  }

  // MARK: Rows

  /// How many rows a step reads or writes; zero where it takes no longer for many, and nil where the table is not there.
  mutating func rowCount(
    of step: LayoutChange, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int? {
    guard let table = step.slowTable else { return 0 }
    return try rowCount(in: table, connection, dialect)
  }

  /// Asks for the rows of a table once.
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

  /// The values of some columns that rows may have in common; nil where they come on the way.
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

  /// The steps that go by the values of rows of the store, none of which move on the way.
  func inStore(_ steps: [LayoutChange]) -> [LayoutChange] {
    if case .moveModels? = steps.first { return [] }
    return steps.compactMap(inStore)
  }

  /// A step that goes by the values of rows, so that these can be looked for in the store.
  ///
  /// - Returns: Nil where it goes by none, or by some that come on the way.
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
      // What comes to lie aside on the way lies in no table of the store.
      models.kept = models.kept.filter { rows[$0.table]?.source == $0.table }
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

  /// Where the values of a column are; nil where they come on the way, or some of their rows go.
  private func source(of place: ColumnSource) -> ColumnSource? {
    guard let found = rows[place.table], found.removedKinds.isEmpty, let table = found.source,
      let origin = found.origins[place.column]
    else { return nil }
    return ColumnSource(table: table, column: origin.column.name)
  }

  /// Whether rows of the store say which entity they belong to.
  private func hasKinds(_ table: String) -> Bool { rows[table]?.origins[LayoutNames.type] != nil }

  // MARK: Steps

  /// Takes in what a step would do.
  mutating func take(_ step: LayoutChange, _ connection: any Connection, _ dialect: any Dialect) throws {
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
    case .keep(let values):
      let count = try rowCount(in: values.source, connection, dialect)
      if count == 0 { break }
      add(SimulatedRows(count: count), as: values.table)
      kept.append(values)
    case .restore(let values):
      if values.kept.areLinks {
        add(SimulatedRows(count: try rowCount(in: values.kept.table, connection, dialect)), as: values.table)
      } else {
        for column in values.columns { rows[values.table]?.drop(column.name) }
      }
      drop(values.kept.table)
      kept.removeAll { $0 == values.kept }
    case .removeModels(let models):
      remove(models)
    case .gatherLinks(let links):
      add(SimulatedRows(count: try rowCount(in: links.old.table, connection, dialect)), as: links.table)
    case .placeLinks(let links):
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

  /// All steps to a schema were taken in.
  mutating func finish(_ layout: StoreLayout) {
    tables = layout.tables
    entities = layout.all.map(\.entity)
    isChanged = true
  }

  private mutating func move(_ models: MovedModels, _ connection: any Connection, _ dialect: any Dialect) throws {
    // What tables that come on the way will have, nobody knows.
    let counts = isChanged ? [:] : try models.rowCounts(connection, dialect)
    for name in models.dropped { drop(name) }
    for table in models.made {
      names.insert(table.name)
      if let count = counts[table.name] { rows[table.name] = SimulatedRows(count: count) }
    }
    kept = models.kept
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
    kept.removeAll { models.forgotten.contains($0) }
    for values in models.forgotten { drop(values.table) }
    removedKinds.formUnion(models.kinds ?? Array(models.table.modelKinds))
    if let kinds = models.kinds {
      rows[models.table.name]?.remove(kinds)
    } else {
      drop(models.table.name)
    }
  }
}

/// The rows that a table will have.
private struct SimulatedRows {
  /// What a column has its values from.
  struct Origin {
    var column: TableDefinition.Column
    /// Whether they will be of another type.
    var isConverted = false
    /// What rows will have that have none.
    var defaultValue: Value?
  }

  /// The table of the store that has them; nil where they come on the way.
  var source: String?
  /// By the names of columns; those that are not there get their values on the way.
  var origins: [String: Origin] = [:]
  /// What all rows will have in columns that are new.
  var constants: [String: Value] = [:]
  /// The entities whose rows are gone.
  var removedKinds: Set<String> = []
  /// Nil before anybody has asked.
  var count: Int?

  /// Which rows of the source are still there; nil for all.
  var condition: SQLExpression? {
    if removedKinds.isEmpty { return nil }
    return .unary(.not, .isIn(.column(LayoutNames.type), removedKinds.sorted().map { .text($0) }))
  }

  mutating func add(_ column: TableDefinition.Column) {
    drop(column.name)
    // In a table that several entities share, others do not have the column.
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
    // Other entities that share the table do not have the column, and of values that are converted nobody knows.
    guard column.owner == nil, origins[column.name]?.isConverted == false else { return }
    origins[column.name]?.defaultValue = column.defaultValue
  }

  mutating func remove(_ kinds: [String]) {
    removedKinds.formUnion(kinds)
    // Where all have come on the way, there are none of them that anybody knew of.
    if source != nil { count = nil }
  }
}
