import Relational

/// Finds the models that a schema has in another table than the store, and the steps that move them.
///
/// All tables that such models leave or move to are rebuilt, and so are the tables that refer to these models. Rows of the
/// table that the target replaces keep their keys; where it replaces none, the rows of the first table by name do. Rows of
/// other tables get larger keys, none of which was ever the key of another row.
struct TableAssignmentDiff {
  typealias Column = TableDefinition.Column
  typealias Property = TableDefinition.Column.Property

  /// The destination of rows: a table, and the number to add to their keys.
  struct Destination: Hashable {
    var table: String
    var shift: Int64
  }

  /// The rows of one entity, in a table that is rebuilt.
  struct Member {
    /// The name of the entity. The code says "kind" for such a name, here and in `TableDefinition.kinds`.
    var kind: String
    /// The table that has them in the store.
    var table: TableDefinition
    /// The table that they move to.
    var target: String
  }

  let old: [TableDefinition]
  let layout: StoreLayout
  /// The entities of the store, by name.
  let entities: [String: Schema.Entity]
  let rows: MovedRowFacts
  let newTables: [String: TableDefinition]
  let oldAssignment: [String: String]
  let newAssignment: [String: String]
  /// The superentities of entities, the nearest first.
  let oldBases: [String: [String]]
  let newBases: [String: [String]]
  /// The matching of the tables of the store with those of the schema.
  let names: PreviousNames
  var tableNames = ColumnNames()
  /// The members, sorted by name.
  var members: [Member] = []
  /// The destinations, by the names of members.
  var destinations: [String: Destination] = [:]
  /// The rebuilt tables of models and links.
  var rebuilt: [TableDefinition] = []
  var models: ModelMove
  var issues: [SwiftDataError.Issue] = []

  /// - Parameters:
  ///   - old: The tables of a store.
  ///   - entities: The entities of the store; nil where it does not record them, so that nothing is found.
  ///   - archived: The archived values.
  ///   - taken: The names of tables beside those of the layouts.
  /// - Returns: Nil when no models move; or the obstacles that can be found without reading rows.
  static func moves(
    from old: [TableDefinition], _ entities: [Schema.Entity]?, _ archived: [ArchivedValues], taken: Set<String>,
    to layout: StoreLayout,
    _ rows: MovedRowFacts
  ) throws -> Result<ModelMove?, LayoutChange.Obstacles> {
    guard let entities, var comparison = TableAssignmentDiff(old, entities, layout, rows),
      try comparison.isNeeded(archived)
    else { return .success(nil) }
    for name in taken.union((old + layout.tables).map(\.name)).union(archived.map(\.table)) {
      _ = comparison.tableNames.claim(name)
    }
    try comparison.findDestinations()
    if comparison.issues.isEmpty { try comparison.addTables(archived) }
    return comparison.issues.isEmpty
      ? .success(comparison.models) : .failure(LayoutChange.Obstacles(issues: comparison.issues))
  }

  /// Nil when no models move, or an early release did not record which columns belong to which properties.
  private init?(_ old: [TableDefinition], _ entities: [Schema.Entity], _ layout: StoreLayout, _ rows: MovedRowFacts) {
    (self.old, self.layout, self.rows) = (old, layout, rows)
    self.entities = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    let (oldAssignment, newAssignment) = (old.tableAssignment, layout.tables.tableAssignment)
    (self.oldAssignment, self.newAssignment) = (oldAssignment, newAssignment)
    newTables = Dictionary(layout.tables.map { ($0.name, $0) }) { first, _ in first }
    oldBases = Self.bases(entities)
    newBases = Self.bases(layout.all.map(\.entity))
    let names = PreviousNames(old: old.map(\.part), new: layout.tables.map(\.part), isDroppedBefore: true)
    self.names = names
    let tables = old.filter(\.compositePrimaryKey.isEmpty)
    let isMoved = { (kind: String, table: TableDefinition) in
      newAssignment[kind].map { $0 != names.present(of: table.name) } ?? false
    }
    let sources = tables.filter { table in (table.kinds ?? []).contains { isMoved($0, table) } }
    guard let source = sources.first, tables.allSatisfy(\.hasProperties) else { return nil }
    models = ModelMove(kinds: [], source: source.name)
    models.kinds = sources.flatMap { table in (table.kinds ?? []).filter { isMoved($0, table) } }.sorted()
    // Models that share a table with moving ones, before or after, are members too.
    let targets = Set(sources.flatMap { table in (table.kinds ?? []).map { assignedTable(of: $0, in: table) } })
    members = tables.flatMap { table -> [Member] in
      let members = (table.kinds ?? []).map { Member(kind: $0, table: table, target: assignedTable(of: $0, in: table)) }
      return members.contains { targets.contains($0.target) } ? members : []
    }.sorted { $0.kind < $1.kind }
    // In a damaged store, an entity may be in two tables.
    guard Set(members.map(\.kind)).count == members.count else { return nil }
  }

  private static func bases(_ entities: [Schema.Entity]) -> [String: [String]] {
    entities.reduce(into: [:]) { bases, entity in bases[entity.name] = entity.superentities.map(\.name) }
  }

  /// The table for the rows of an entity. Entities that the schema lacks go with their superentity.
  private func assignedTable(of kind: String, in table: TableDefinition) -> String {
    ([kind] + (oldBases[kind] ?? [])).lazy.compactMap { newAssignment[$0] }.first
      ?? names.present(of: table.name) ?? table.name
  }

  /// Whether there are models to move, or anything that refers to them.
  private func isNeeded(_ archived: [ArchivedValues]) throws -> Bool {
    let kinds = Set(models.kinds)
    let sources = Set(kinds.compactMap { oldAssignment[$0] })
    let areReferredTo = old.contains { table in
      table.columns.contains { column in
        column.property.map { $0.part == Property.target && kinds.contains($0.type) }
          ?? column.references.map { sources.contains($0.table) } ?? false
      }
    }
    if areReferredTo || archived.contains(where: { sources.contains($0.source) }) { return true }
    return try old.contains { try sources.contains($0.name) && rows.hasRows(of: kinds, in: $0) }
  }

  // MARK: Keys

  var targets: [String] { Set(members.map(\.target)).sorted() }

  /// The tables whose rows move to another one, starting with the one that it replaces.
  func tables(goingTo target: String) -> [TableDefinition] {
    let tables = members.filter { $0.target == target }.map(\.table)
    let byName = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    func rank(_ name: String) -> (Int, String) { (names.present(of: name) == target ? 0 : 1, name) }
    return byName.values.sorted { rank($0.name) < rank($1.name) }
  }

  private mutating func findDestinations() throws {
    for target in targets {
      var last: Int64 = 0
      for table in tables(goingTo: target) {
        let own = try rows.lastAssignedKey(of: table)
        // The new key was never assigned before, so an old identifier finds no other row.
        let shift = last == 0 ? 0 : max(last, own)
        guard own <= RowIdentity.lastNumber - shift else {
          issues.append(.init(entity: table.name, message: "Its keys are too large to move to the table \(target)."))
          return
        }
        for member in members where member.target == target && member.table.name == table.name {
          destinations[member.kind] = Destination(table: target, shift: shift)
        }
        last = shift + own
      }
      models.lastAssignedKeys[target] = last
    }
  }

  /// Whether a table is rebuilt as one of models, so that the rows of all its entities are copied, also of entities that
  /// stay.
  func hasMembers(_ table: String) -> Bool { members.contains { $0.table.name == table } }

  /// The destination of the rows that a to-one refers to; nil where they do not move.
  func destination(of column: Column) -> Destination? {
    column.property.flatMap { $0.part == Property.target ? destinations[$0.type] : nil }
  }

  /// The value of a column after the move.
  ///
  /// - Parameter shift: The number added to the keys of the column's own table. Positions get it too: a table assigns them
  ///   from the same sequence as its keys.
  func value(of column: Column, _ shift: Int64 = 0) -> SQLExpression {
    let isPosition = column.property?.part == Property.position
    return .column(column.name).increased(by: isPosition ? shift : destination(of: column)?.shift ?? 0)
  }

  /// The subentities of an entity in the store.
  func subclasses(of kind: String) -> [String] {
    oldBases.filter { $0.value.contains(kind) }.map(\.key).sorted()
  }

  /// The superentities of an entity in the schema, or in the store for one that the schema lacks.
  func bases(of kind: String) -> [String] { newBases[kind] ?? oldBases[kind] ?? [] }

  /// The condition of rows whose column refers to a row of some entities.
  func refers(_ column: String, to kinds: [String], in table: String) -> SQLExpression {
    .isInSelect(.column(column), Select(columns: [LayoutNames.primaryKey], from: table, condition: .isKind(kinds)))
  }

  // MARK: Tables

  private mutating func addTables(_ archived: [ArchivedValues]) throws {
    for target in targets { addTable(target) }
    for table in old where table.namesKinds && hasMembers(table.name) {
      models.rowChecks.append(
        .init(
          entity: table.name, reason: "The column \(LayoutNames.type) names a class that the store does not know, in",
          table: table.name, condition: .unary(.not, .isKind(table.kinds ?? []))))
    }
    for table in old where table.compositePrimaryKey.isEmpty { try addReferences(of: table) }
    try addLinks()
    models.droppedTables = Set(members.map(\.table.name)).sorted() + models.droppedTables
    try addArchived(archived)
    let remaining = old.filter { !models.droppedTables.contains($0.name) }
    let takenNames = Set(remaining.map { $0.name.lowercased() })
    let doubtful = Dictionary(grouping: rebuilt.map(\.name)) { $0.lowercased() }
      .filter { $0.value.count > 1 || takenNames.contains($0.key) }
    for names in doubtful.values {
      issues.append(.init(entity: names.first, message: "Several tables of the store would become this one."))
    }
    models.tablesAfterMove = remaining + rebuilt
    models.rebuiltTables = rebuilt + models.rebuiltTables
    let tableNames = Set(old.map { $0.name.lowercased() })
    // SQLite parses all triggers when it renames a table, and fails with those of a damaged search index.
    models.droppedSearchIndexes = old.flatMap { table in
      (table.searches ?? []).filter { models.droppedTables.contains(table.name) || $0.isLost }
    }.filter { !tableNames.contains($0.name.lowercased()) }
    models.keyOffsets = destinations.compactMapValues { $0.shift == 0 ? nil : $0.shift }
  }

  /// Updates the to-ones of a table that refer to moved models.
  private mutating func addReferences(of table: TableDefinition) throws {
    for column in table.columns {
      guard let destination = destination(of: column), let kind = column.property?.type,
        let previousTable = oldAssignment[kind]
      else {
        if let target = column.references?.table, hasMembers(target) {
          issues.append(
            .init(
              entity: column.owner ?? table.name, property: column.sourceName,
              message: "The store does not say which models of the table \(target) it refers to."))
        }
        continue
      }
      let others = subclasses(of: kind).filter { destinations[$0].map { $0.table != destination.table } ?? false }
      if others.isEmpty { continue }
      models.rowChecks.append(
        .init(
          entity: column.owner ?? table.name, property: column.sourceName,
          reason: "\(others.joined(separator: ", ")) is no \(kind) any more, and this to-one refers to such models in",
          table: table.name, condition: refers(column.name, to: others, in: previousTable)))
    }
    let isChanged = table.columns.contains { column in
      destination(of: column).map { $0.shift != 0 || $0.table != oldAssignment[column.property?.type ?? ""] } ?? false
    }
    guard isChanged, !hasMembers(table.name) else { return }
    let new = names.present(of: table.name).flatMap { newTables[$0] }
    var copy = table.withoutIndexes
    for (index, column) in table.columns.enumerated() {
      if let destination = destination(of: column) { copy.columns[index].references?.table = destination.table }
      copy.columns[index].defaultValue = new?.columns.first { $0.name == column.name }?.defaultValue(of: column)
    }
    models.droppedTables.append(table.name)
    rebuilt.append(copy)
    add(to: copy.name, columns: copy.columns.map(\.name), table.columns.map { value(of: $0) }, from: table.name)
    models.lastAssignedKeys[table.name] = try rows.lastAssignedKey(of: table)
  }

  /// Inserts rows into a rebuilt table.
  mutating func add(
    to target: String, columns: [String], _ values: [SQLExpression], from table: String,
    where condition: SQLExpression? = nil
  ) {
    models.insertions.append(
      Insert(
        into: ModelMove.temporaryName(of: target), columns: columns,
        from: Select(columns: values, from: .init(table: table, alias: table), condition: condition)))
  }
}

extension TableDefinition {
  /// The table without indexes, which are made after all other changes.
  var withoutIndexes: TableDefinition {
    var table = self
    table.indexes = []
    table.searches = nil
    return table
  }

  /// Whether the store records the property of each column.
  fileprivate var hasProperties: Bool {
    kinds != nil && columns.allSatisfy { $0.isPrimaryKey || $0.namesKinds || $0.property != nil }
  }
}

extension TableDefinition.Column {
  /// The default value, if it fits the type of another column too.
  func defaultValue(of other: Self) -> Value? {
    type == other.type && meaning == other.meaning ? defaultValue : nil
  }
}

extension SQLExpression {
  /// Whether a row belongs to one of some entities.
  static func isKind(_ kinds: [String]) -> SQLExpression {
    .isIn(.column(LayoutNames.type), kinds.map { .text($0) })
  }

  func increased(by number: Int64) -> SQLExpression {
    number == 0 ? self : .binary(.add, self, .value(.integer(number)))
  }
}
