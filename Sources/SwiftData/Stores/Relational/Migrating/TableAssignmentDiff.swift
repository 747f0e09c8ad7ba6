import Relational

/// Finds the models that a schema has in another table than the store, and what takes them there.
///
/// All tables that such models leave or come to are made anew, and so is what refers to these models. Rows of the class
/// that gives a table its name keep their keys. Others get keys behind those, so that no key was ever that of another row.
struct TableAssignmentDiff {
  typealias Column = TableDefinition.Column
  typealias Property = TableDefinition.Column.Property

  /// Where rows go: to a table, in which their keys are larger by some number.
  struct Place: Hashable {
    var table: String
    var shift: Int64
  }

  /// The rows of one entity, in a table that is made anew.
  struct Member {
    var kind: String
    /// The table that the store has them in.
    var table: TableDefinition
    /// The table that they are to be in.
    var target: String
  }

  let old: [TableDefinition]
  let layout: StoreLayout
  /// The entities of the store, by their names.
  let entities: [String: Schema.Entity]
  let rows: MovedRows
  let newTables: [String: TableDefinition]
  let oldAssignment: [String: String]
  let newAssignment: [String: String]
  /// What entities inherit from, the nearest first.
  let oldBases: [String: [String]]
  let newBases: [String: [String]]
  /// What tables are called, and were.
  let names: PreviousNames
  var tableNames = ColumnNames()
  /// By their names.
  var members: [Member] = []
  /// By the names of members.
  var places: [String: Place] = [:]
  /// The tables of models and links among those that are made anew.
  var rebuilt: [TableDefinition] = []
  var models: MovedModels
  var issues: [SwiftDataError.Issue] = []

  /// - Parameters:
  ///   - old: The tables of a store.
  ///   - entities: What the store says of its entities; nil where it does not say, and nothing can be found then.
  ///   - kept: What lies aside.
  ///   - taken: Names that tables have beside those of the layouts.
  /// - Returns: Nil when no models are elsewhere; or what stands in the way, as far as no rows have to be asked.
  static func moves(
    from old: [TableDefinition], _ entities: [Schema.Entity]?, _ kept: [ArchivedValues], taken: Set<String>,
    to layout: StoreLayout,
    _ rows: MovedRows
  ) throws -> Result<MovedModels?, LayoutChange.Obstacles> {
    guard let entities, var comparison = TableAssignmentDiff(old, entities, layout, rows),
      try comparison.isNeeded(kept)
    else { return .success(nil) }
    for name in taken.union((old + layout.tables).map(\.name)).union(kept.map(\.table)) {
      _ = comparison.tableNames.claim(name)
    }
    try comparison.findPlaces()
    if comparison.issues.isEmpty { try comparison.addTables(kept) }
    return comparison.issues.isEmpty
      ? .success(comparison.models) : .failure(LayoutChange.Obstacles(issues: comparison.issues))
  }

  /// Nil when no models are elsewhere, or an early release has not written down whose columns are whose.
  private init?(_ old: [TableDefinition], _ entities: [Schema.Entity], _ layout: StoreLayout, _ rows: MovedRows) {
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
    models = MovedModels(kinds: [], source: source.name)
    models.kinds = sources.flatMap { table in (table.kinds ?? []).filter { isMoved($0, table) } }.sorted()
    // Who shares a table with those that leave it, or will share one with them, goes along.
    let targets = Set(sources.flatMap { table in (table.kinds ?? []).map { home(of: $0, in: table) } })
    members = tables.flatMap { table -> [Member] in
      let members = (table.kinds ?? []).map { Member(kind: $0, table: table, target: home(of: $0, in: table)) }
      return members.contains { targets.contains($0.target) } ? members : []
    }.sorted { $0.kind < $1.kind }
    // One entity in two tables takes a damaged store.
    guard Set(members.map(\.kind)).count == members.count else { return nil }
  }

  private static func bases(_ entities: [Schema.Entity]) -> [String: [String]] {
    entities.reduce(into: [:]) { bases, entity in bases[entity.name] = entity.superentities.map(\.name) }
  }

  /// The table that rows of an entity are to be in. Those that the schema lacks go with the class that they inherit from.
  private func home(of kind: String, in table: TableDefinition) -> String {
    ([kind] + (oldBases[kind] ?? [])).lazy.compactMap { newAssignment[$0] }.first
      ?? names.present(of: table.name) ?? table.name
  }

  /// Whether there are models to move, or anything that refers to them.
  private func isNeeded(_ kept: [ArchivedValues]) throws -> Bool {
    let kinds = Set(models.kinds)
    let sources = Set(kinds.compactMap { oldAssignment[$0] })
    let areReferredTo = old.contains { table in
      table.columns.contains { column in
        column.property.map { $0.part == Property.target && kinds.contains($0.type) }
          ?? column.references.map { sources.contains($0.table) } ?? false
      }
    }
    if areReferredTo || kept.contains(where: { sources.contains($0.source) }) { return true }
    return try old.contains { try sources.contains($0.name) && rows.hasRows(of: kinds, in: $0) }
  }

  // MARK: Keys

  var targets: [String] { Set(members.map(\.target)).sorted() }

  /// The tables whose rows come to another one. That whose place it takes is the first.
  func tables(goingTo target: String) -> [TableDefinition] {
    let tables = members.filter { $0.target == target }.map(\.table)
    let byName = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    func rank(_ name: String) -> (Int, String) { (names.present(of: name) == target ? 0 : 1, name) }
    return byName.values.sorted { rank($0.name) < rank($1.name) }
  }

  private mutating func findPlaces() throws {
    for target in targets {
      var last: Int64 = 0
      for table in tables(goingTo: target) {
        let own = try rows.lastNumber(of: table)
        // A key of before is none of now, so that it finds nothing where it was written down.
        let shift = last == 0 ? 0 : max(last, own)
        guard own <= RowIdentity.lastNumber - shift else {
          issues.append(.init(entity: table.name, message: "Its keys are too large for the table \(target)."))
          return
        }
        for member in members where member.target == target && member.table.name == table.name {
          places[member.kind] = Place(table: target, shift: shift)
        }
        last = shift + own
      }
      models.lastNumbers[target] = last
    }
  }

  func isMoving(_ table: String) -> Bool { members.contains { $0.table.name == table } }

  /// Where the rows go that a to-one leads to; nil where they stay as they are.
  func place(of column: Column) -> Place? {
    column.property.flatMap { $0.part == Property.target ? places[$0.type] : nil }
  }

  /// What a column has once the rows have moved.
  ///
  /// - Parameter shift: How much larger the keys of the column's own table are then, from which places come as well.
  func value(of column: Column, _ shift: Int64 = 0) -> SQLExpression {
    let isPosition = column.property?.part == Property.position
    return .column(column.name).increased(by: isPosition ? shift : place(of: column)?.shift ?? 0)
  }

  /// The entities that inherit from one in the store.
  func subclasses(of kind: String) -> [String] {
    oldBases.filter { $0.value.contains(kind) }.map(\.key).sorted()
  }

  /// What entities inherit from by now; those that the schema lacks as they did.
  func bases(of kind: String) -> [String] { newBases[kind] ?? oldBases[kind] ?? [] }

  /// Which rows have a key of one of some entities in a column.
  func leads(_ column: String, to kinds: [String], in table: String) -> SQLExpression {
    .isInSelect(.column(column), Select(columns: [LayoutNames.primaryKey], from: table, condition: .isKind(kinds)))
  }

  // MARK: Tables

  private mutating func addTables(_ kept: [ArchivedValues]) throws {
    for target in targets { addTable(target) }
    for table in old where table.namesKinds && isMoving(table.name) {
      models.obstacles.append(
        .init(
          entity: table.name, reason: "The column \(LayoutNames.type) names a class that the store does not know, in",
          table: table.name, condition: .unary(.not, .isKind(table.kinds ?? []))))
    }
    for table in old where table.compositePrimaryKey.isEmpty { try addReferences(of: table) }
    try addLinks()
    models.dropped = Set(members.map(\.table.name)).sorted() + models.dropped
    try addArchived(kept)
    let remaining = old.filter { !models.dropped.contains($0.name) }
    let takenNames = Set(remaining.map { $0.name.lowercased() })
    let doubtful = Dictionary(grouping: rebuilt.map(\.name)) { $0.lowercased() }
      .filter { $0.value.count > 1 || takenNames.contains($0.key) }
    for names in doubtful.values {
      issues.append(.init(entity: names.first, message: "Several tables of the store would become this one."))
    }
    models.layout = remaining + rebuilt
    models.made = rebuilt + models.made
    let tableNames = Set(old.map { $0.name.lowercased() })
    // A database that renames a table reads all triggers, and fails with those of an index that is damaged.
    models.droppedSearches = old.flatMap { table in
      (table.searches ?? []).filter { models.dropped.contains(table.name) || $0.isLost }
    }.filter { !tableNames.contains($0.name.lowercased()) }
    models.shifts = places.compactMapValues { $0.shift == 0 ? nil : $0.shift }
  }

  /// Lets the to-ones of a table follow the models that they lead to.
  private mutating func addReferences(of table: TableDefinition) throws {
    for column in table.columns {
      guard let place = place(of: column), let kind = column.property?.type, let home = oldAssignment[kind] else {
        if let target = column.references?.table, isMoving(target) {
          issues.append(
            .init(
              entity: column.owner ?? table.name, property: column.sourceName,
              message: "The store does not say which models of the table \(target) it leads to."))
        }
        continue
      }
      let others = subclasses(of: kind).filter { places[$0].map { $0.table != place.table } ?? false }
      if others.isEmpty { continue }
      models.obstacles.append(
        .init(
          entity: column.owner ?? table.name, property: column.sourceName,
          reason: "\(others.joined(separator: ", ")) is no \(kind) any more, and this to-one leads to such models in",
          table: table.name, condition: leads(column.name, to: others, in: home)))
    }
    let isChanged = table.columns.contains { column in
      place(of: column).map { $0.shift != 0 || $0.table != oldAssignment[column.property?.type ?? ""] } ?? false
    }
    guard isChanged, !isMoving(table.name) else { return }
    let new = names.present(of: table.name).flatMap { newTables[$0] }
    var copy = table.withoutIndexes
    for (index, column) in table.columns.enumerated() {
      if let place = place(of: column) { copy.columns[index].references?.table = place.table }
      copy.columns[index].defaultValue = new?.columns.first { $0.name == column.name }?.defaultValue(of: column)
    }
    models.dropped.append(table.name)
    rebuilt.append(copy)
    add(to: copy.name, columns: copy.columns.map(\.name), table.columns.map { value(of: $0) }, from: table.name)
    models.lastNumbers[table.name] = try rows.lastNumber(of: table)
  }

  /// Adds rows to a table that is made anew.
  mutating func add(
    to target: String, columns: [String], _ values: [SQLExpression], from table: String,
    where condition: SQLExpression? = nil
  ) {
    models.rows.append(
      Insert(
        into: MovedModels.temporaryName(of: target), columns: columns,
        from: Select(columns: values, from: .init(table: table, alias: table), condition: condition)))
  }
}

extension TableDefinition {
  /// The table by itself: what serves to find its rows is made once all else has changed.
  var withoutIndexes: TableDefinition {
    var table = self
    table.indexes = []
    table.searches = nil
    return table
  }

  /// Whether the store says of all columns what property they belong to.
  fileprivate var hasProperties: Bool {
    kinds != nil && columns.allSatisfy { $0.isPrimaryKey || $0.namesKinds || $0.property != nil }
  }
}

extension TableDefinition.Column {
  /// The default value, where it is one of another column as well.
  func defaultValue(of other: Self) -> Value? {
    type == other.type && meaning == other.meaning ? defaultValue : nil
  }
}

extension SQLExpression {
  /// Whether a row of the only table of a statement is of one of some entities.
  static func isKind(_ kinds: [String]) -> SQLExpression {
    .isIn(.column(LayoutNames.type), kinds.map { .text($0) })
  }

  func increased(by number: Int64) -> SQLExpression {
    number == 0 ? self : .binary(.add, self, .value(.integer(number)))
  }
}
