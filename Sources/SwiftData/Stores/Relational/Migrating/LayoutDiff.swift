import Relational

/// Finds the steps from one layout to another, table by table, and the obstacles.
struct LayoutDiff {
  /// The archived values, the latest first.
  private var archived: [ArchivedValues]
  let rows: RowFacts
  /// The tables of the models, by entity.
  let oldAssignment: [String: String]
  let newAssignment: [String: String]
  /// The previous names of relationships, by their present ones.
  private(set) var previousRelationships: [String: String] = [:]
  private var tableNames = ColumnNames()
  /// The removed tables of models.
  private var removedTables: Set<String> = []
  private(set) var movedLinks: [MovedLinks] = []
  /// The relationships that use the moved links, seen from both sides.
  private var movedRelationships: Set<String> = []
  var searchesToDrop: [LayoutChange] = []
  var searchesToCreate: [LayoutChange] = []
  var indexesToDrop: [LayoutChange] = []
  var steps: [LayoutChange] = []
  var indexesToCreate: [LayoutChange] = []
  var linksToComplete: [LayoutChange] = []
  var issues: [SwiftDataError.Issue] = []

  /// - Parameters:
  ///   - archived: The archived values, the latest last.
  ///   - taken: The names of tables beside those of the layouts.
  ///   - rows: The known facts about the rows.
  init(
    from old: [TableDefinition], to new: [TableDefinition], archived: [ArchivedValues], taken: Set<String>,
    rows: RowFacts
  ) {
    self.archived = archived.reversed()
    self.rows = rows
    (oldAssignment, newAssignment) = (old.tableAssignment, new.tableAssignment)
    for name in taken.union((old + new).map(\.name)).union(archived.map(\.table)) { _ = tableNames.claim(name) }
    let oldTables = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let names = PreviousNames(old: old.map(\.part), new: new.map(\.part), isDroppedBefore: true)
    let newTables = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
    let present = { (table: TableDefinition) in names.present(of: table.name).flatMap { newTables[$0] } }
    for table in old { removeModels(of: table, old, present) }
    previousRelationships = Self.relationshipNames(oldTables, new, names)
    (movedLinks, movedRelationships) = findMoves(old, new, names)
    for links in movedLinks {
      steps += targetChecks(links.old, of: "\(links.entity).\(links.property)") + [.gatherLinks(links)]
    }
    for table in old where !table.compositePrimaryKey.isEmpty && names.present(of: table.name) == nil {
      removeLinks(table)
    }
    steps += names.renamings.map { .renameTable(from: $0.from, to: $0.to) }
    let restored = restoredLinks(to: new.filter { names.previous(of: $0.name) == nil })
    for table in new {
      if let existing = names.previous(of: table.name).flatMap({ oldTables[$0] }) {
        compare(existing, table)
      } else {
        steps.append(.createTable(table))
        if let links = movedLinks.first(where: { $0.new.table == table.name && $0.new.isJoin }) {
          steps.append(.writeLinks(links))
        } else if let links = restored[table.name] {
          steps += targetChecks(links, table) + [.restore(links)]
        }
      }
    }
    keepTables(old)
  }

  var result: Result<[LayoutChange], LayoutChange.Obstacles> {
    guard issues.isEmpty else {
      return .failure(LayoutChange.Obstacles(issues: issues, checks: steps + indexesToCreate + linksToComplete))
    }
    return .success(
      searchesToDrop + indexesToDrop + steps + indexesToCreate + linksToComplete + searchesToCreate)
  }

  /// Removes models of a table that the schema lacks or has in another table: where there are none, or where a stage of
  /// a migration plan allows it.
  ///
  /// - Parameters:
  ///   - tables: All tables of the store.
  ///   - presentTable: The present definition of a table; nil where it is removed.
  private mutating func removeModels(
    of old: TableDefinition, _ tables: [TableDefinition], _ presentTable: (TableDefinition) -> TableDefinition?
  ) {
    guard old.compositePrimaryKey.isEmpty else { return }
    let new = presentTable(old)
    let gone = new.map { Set(old.kinds ?? []).subtracting($0.kinds ?? []) } ?? old.modelKinds
    let present = gone.subtracting(rows.absentKinds).sorted()
    var isBlocked = false
    for kind in present {
      if let table = newAssignment[kind] {
        isBlocked = true
        issues.append(
          .init(
            entity: kind, message: "Its models are in the table \(old.name), and the schema has them in \(table)."))
      } else if let spelling = newAssignment.keys.first(where: { isRespelled(kind, as: $0) }) {
        isBlocked = true
        issues.append(
          .init(
            entity: kind,
            message: """
              The store has models of \(kind), and the schema has \(spelling), whose name differs only in \
              capitalization and which is another class. Keep the name \(kind).
              """))
      } else if !rows.removableKinds.contains(kind) {
        isBlocked = true
        issues.append(
          .init(
            entity: kind,
            message: """
              The store has models of \(kind), and the schema none. If the program still has the class, name it: \
              ModelContainer(for: …, \(kind).self). To delete them, use a stage of a migration \
              plan: \(Remedy.removal).
              """))
      }
    }
    if isBlocked || new != nil && present.isEmpty { return }
    let models = RemovedModels(of: new == nil ? nil : present, in: old, tables, archived) { table in
      presentTable(table).map { PreviousNames(old: table.columns.map(\.part), new: $0.columns.map(\.part)) }
    }
    archived.removeAll { models.forgotten.contains($0) }
    if models.kinds == nil {
      removedTables.insert(old.name)
      searchesToDrop += (old.searches ?? []).map { .dropSearch($0) }
    }
    steps.append(.removeModels(models))
  }

  mutating func claimTable(_ name: String) -> String { tableNames.claim(name) }

  /// Whether the links of a column, present or future, are moved.
  private func isMoved(_ column: TableDefinition.Column, of table: String) -> Bool {
    movedLinks.contains { links in
      [links.old, links.new].contains { $0.table == table && $0.columns.contains(column.name) }
    }
  }

  /// Archives the links of a removed table of links.
  private mutating func removeLinks(_ table: TableDefinition) {
    let isMoved = movedLinks.contains { $0.old.table == table.name }
    if !isMoved, !table.columns.contains(where: { removedTables.contains($0.references?.table ?? "") }) {
      steps.append(
        .archive(
          ArchivedValues(
            table: tableNames.claim("\(LayoutNames.archive)_\(table.name)"), source: table.name,
            originalName: table.originalName, otherName: table.otherName, columns: table.columns,
            linkKey: table.compositePrimaryKey)))
    }
    steps.append(.dropTable(table.name))
  }

  /// The archived links to restore to new tables of links.
  private func restoredLinks(to new: [TableDefinition]) -> [String: RestoredValues] {
    let links = Dictionary(archived.filter(\.areLinks).map { ($0.source, $0) }) { latest, _ in latest }
    let parts = links.values.sorted { $0.source < $1.source }.map(\.part)
    let tables = new.filter { !$0.compositePrimaryKey.isEmpty }
    let names = PreviousNames(old: parts, new: tables.map(\.part))
    return tables.reduce(into: [:]) { restored, table in
      guard let previous = names.previous(of: table.name).flatMap({ links[$0] }) else { return }
      restored[table.name] = RestoredValues(previous, to: table.columns, of: table.name)
    }
  }

  /// The archived values to restore to new columns, by the columns.
  func restoredValues(
    to new: TableDefinition, from old: TableDefinition, _ names: PreviousNames
  ) -> [String: RestoredValues] {
    guard new.compositePrimaryKey.isEmpty else { return [:] }
    let archived = archived.filter { !$0.areLinks && $0.source == old.name }
    if archived.isEmpty { return [:] }
    let added = new.columns.filter {
      names.previous(of: $0.name) == nil && $0.property != nil && !isMoved($0, of: new.name)
    }
    return added.grouped.reduce(into: [:]) { restored, columns in
      let used = Set(restored.values.map(\.archived))
      guard
        var values = archived.lazy.filter({ !used.contains($0) })
          .compactMap({ RestoredValues($0, to: columns, of: new.name) }).first
      else { return }
      values.required = Set(values.columns.filter { !$0.hasValue(in: old) }.map(\.name))
      for column in values.columns { restored[column.name] = values }
    }
  }

  /// Archives the values of columns that will be dropped.
  mutating func archiveValues(_ old: TableDefinition, _ new: TableDefinition, _ names: PreviousNames) {
    // A column dropped from a table of links is a position, useless without its relationship.
    guard old.compositePrimaryKey.isEmpty else { return }
    let dropped = old.columns.filter { names.present(of: $0.name) == nil && !$0.namesKinds }
    for columns in dropped.filter({ !isMoved($0, of: old.name) }).grouped {
      // References to models whose table is removed would dangle.
      if columns.contains(where: { removedTables.contains($0.references?.table ?? "") }) { continue }
      let property = columns[0].property?.name ?? columns[0].name
      let table = tableNames.claim("\(LayoutNames.archive)_\(new.name)_\(property)")
      steps.append(.archive(ArchivedValues(table: table, source: new.name, columns: columns)))
    }
  }

  /// Compares what the columns do not show: the entities of the rows, and how they are linked.
  mutating func compareDescriptions(_ old: TableDefinition, _ new: TableDefinition) {
    let links = new.relationships ?? [:]
    let names = PreviousNames(old: old.relationshipParts, new: new.relationshipParts)
    for (relationship, link) in links.sorted(by: { $0.key < $1.key }) {
      guard let previous = names.previous(of: relationship), let oldLink = old.relationships?[previous],
        !areFound(oldLink, of: previous, in: link, of: relationship)
      else { continue }
      let path = relationship.split(separator: ".").map(String.init)
      if movedRelationships.contains(relationship) || rows.lackRows(of: path.first ?? "") { continue }
      issues.append(
        .init(
          entity: path.first, property: path.last,
          message: """
            It was \(oldLink), and is \(link) now. Give it another name, and link the models in a stage of a migration \
            plan: \(Remedy.mapping(path.first ?? new.name)).
            """))
    }
    if Set(old.kinds ?? []) != Set(new.kinds ?? []) || Set((old.relationships ?? [:]).keys) != Set(links.keys) {
      steps.append(.describeTable(new.name))
    }
  }

  /// Finds to-ones that were one-way and are their own inverses now.
  mutating func compareMutualLinks(
    _ old: TableDefinition, _ new: TableDefinition, _ columnNames: PreviousNames,
    _ restored: [String: RestoredValues]
  ) {
    let names = PreviousNames(old: old.relationshipParts, new: new.relationshipParts)
    for column in new.columns {
      guard let property = column.property, property.part == TableDefinition.Column.Property.target else { continue }
      let relationship = "\(column.owner ?? property.type).\(property.name)"
      guard new.relationships?[relationship] == LinkDescription.ownInverse,
        names.previous(of: relationship).flatMap({ old.relationships?[$0] }) != LinkDescription.ownInverse
      else { continue }
      let source: MutualLinks.Source
      if let previous = columnNames.previous(of: column.name) {
        source = .init(links: old.name, column: previous, models: old.name)
      } else if let values = restored[column.name], let previous = values.previous(of: column) {
        source = .init(links: values.archived.table, column: previous.name, models: old.name)
      } else {
        continue
      }
      linksToComplete.append(.completeLinks(MutualLinks(table: new.name, column: column, source: source)))
    }
  }
}

extension [TableDefinition.Column] {
  /// The columns grouped by property, in their order.
  fileprivate var grouped: [[TableDefinition.Column]] {
    reduce(into: []) { groups, column in
      let group = groups.firstIndex { group in
        group[0].property != nil && group[0].property?.name == column.property?.name && group[0].owner == column.owner
      }
      if let group { groups[group].append(column) } else { groups.append([column]) }
    }
  }
}

extension [TableDefinition] {
  /// The tables of the models, by entity.
  var tableAssignment: [String: String] {
    reduce(into: [:]) { tableAssignment, table in for kind in table.kinds ?? [] { tableAssignment[kind] = table.name } }
  }
}

extension TableDefinition {
  /// Whether existing rows must have a value in a new column, and would have none.
  fileprivate func mayLack(_ column: Column) -> Bool {
    column.isRequired == true && column.owner.map { kinds?.contains($0) == true } ?? true
  }
}

extension TableDefinition.Column {
  /// Whether existing rows have a value in the column when it is added to their table, or need none.
  func hasValue(in table: TableDefinition) -> Bool {
    defaultValue != nil || isNullable && !table.mayLack(self)
  }
}
