import Relational

/// Finds the steps from one layout to another, table by table, and what stands in the way.
struct LayoutComparison {
  /// What lies aside, the latest first.
  private var kept: [KeptValues]
  let rows: RowFacts
  /// The tables of the models, by the names of these.
  let oldHomes: [String: String]
  let newHomes: [String: String]
  /// What relationships were called, by what they are called now.
  private(set) var formerRelationships: [String: String] = [:]
  private var tableNames = ColumnNames()
  /// The tables of models that go, and that nothing can refer to any more.
  private var tablesGone: Set<String> = []
  private var movedLinks: [MovedLinks] = []
  /// The relationships whose links these are, seen from both sides.
  private var movedRelationships: Set<String> = []
  var searchesToDrop: [LayoutChange] = []
  var searchesToCreate: [LayoutChange] = []
  private var indexesToDrop: [LayoutChange] = []
  var steps: [LayoutChange] = []
  private var indexesToCreate: [LayoutChange] = []
  private var linksToComplete: [LayoutChange] = []
  var issues: [SwiftDataError.Issue] = []

  /// - Parameters:
  ///   - kept: What lies aside, the latest last.
  ///   - taken: Names that tables have beside those of the layouts.
  ///   - rows: What is known of the rows.
  init(
    from old: [TableDefinition], to new: [TableDefinition], kept: [KeptValues], taken: Set<String>, rows: RowFacts
  ) {
    self.kept = kept.reversed()
    self.rows = rows
    (oldHomes, newHomes) = (old.homes, new.homes)
    for name in taken.union((old + new).map(\.name)).union(kept.map(\.table)) { _ = tableNames.claim(name) }
    let oldTables = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let names = FormerNames(old: old.map(\.part), new: new.map(\.part), isDroppedBefore: true)
    let newTables = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
    let present = { (table: TableDefinition) in names.present(of: table.name).flatMap { newTables[$0] } }
    for table in old { removeModels(of: table, old, present) }
    formerRelationships = Self.relationshipNames(oldTables, new, names)
    (movedLinks, movedRelationships) = findMoves(old, new, names)
    for links in movedLinks {
      steps += targetChecks(links.old, of: "\(links.entity).\(links.property)") + [.gatherLinks(links)]
    }
    for table in old where !table.compositePrimaryKey.isEmpty && names.present(of: table.name) == nil {
      removeLinks(table)
    }
    steps += names.renamings.map { .renameTable(from: $0.from, to: $0.to) }
    let returning = returningLinks(to: new.filter { names.former(of: $0.name) == nil })
    for table in new {
      if let existing = names.former(of: table.name).flatMap({ oldTables[$0] }) {
        compare(existing, table)
      } else {
        steps.append(.createTable(table))
        if let links = movedLinks.first(where: { $0.new.table == table.name && $0.new.isJoin }) {
          steps.append(.placeLinks(links))
        } else if let links = returning[table.name] {
          steps += targetChecks(links, table) + [.bringBack(links)]
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

  /// Looks for models of a table that the schema lacks, or has elsewhere. They go where there are none, and where a stage
  /// says so.
  ///
  /// - Parameters:
  ///   - tables: Those of the store.
  ///   - presentTable: What one of them is in the schema; nil where it is gone.
  private mutating func removeModels(
    of old: TableDefinition, _ tables: [TableDefinition], _ presentTable: (TableDefinition) -> TableDefinition?
  ) {
    guard old.compositePrimaryKey.isEmpty else { return }
    let new = presentTable(old)
    let gone = new.map { Set(old.kinds ?? []).subtracting($0.kinds ?? []) } ?? old.modelKinds
    let present = gone.subtracting(rows.absentKinds).sorted()
    var isBlocked = false
    for kind in present {
      if let home = newHomes[kind] {
        isBlocked = true
        issues.append(
          .init(
            entity: kind, message: "Its models are in the table \(old.name), and the schema has them in \(home)."))
      } else if let spelling = newHomes.keys.first(where: { isRespelled(kind, as: $0) }) {
        isBlocked = true
        issues.append(
          .init(
            entity: kind,
            message: """
              The store has models of \(kind), and the schema has \(spelling), whose name differs in capital letters \
              alone and is that of another class. Keep the name \(kind).
              """))
      } else if !rows.removableKinds.contains(kind) {
        isBlocked = true
        issues.append(
          .init(
            entity: kind,
            message: """
              The store has models of \(kind), and the schema none. A stage of a migration plan removes them: \
              \(Remedy.removal).
              """))
      }
    }
    if isBlocked || new != nil && present.isEmpty { return }
    let models = RemovedModels(of: new == nil ? nil : present, in: old, tables, kept) { table in
      presentTable(table).map { FormerNames(old: table.columns.map(\.part), new: $0.columns.map(\.part)) }
    }
    kept.removeAll { models.forgotten.contains($0) }
    if models.kinds == nil {
      tablesGone.insert(old.name)
      searchesToDrop += (old.searches ?? []).map { .dropSearch($0) }
    }
    steps.append(.removeModels(models))
  }

  mutating func claimTable(_ name: String) -> String { tableNames.claim(name) }

  /// Whether the links that a column has, or will have, come from elsewhere or go there.
  private func isMoved(_ column: TableDefinition.Column, of table: String) -> Bool {
    movedLinks.contains { links in
      [links.old, links.new].contains { $0.table == table && $0.columns.contains(column.name) }
    }
  }

  /// Puts the links of a table aside, which goes with the property that needed it.
  private mutating func removeLinks(_ table: TableDefinition) {
    let isMoved = movedLinks.contains { $0.old.table == table.name }
    if !isMoved, !table.columns.contains(where: { tablesGone.contains($0.references?.table ?? "") }) {
      steps.append(
        .keep(
          KeptValues(
            table: tableNames.claim("\(LayoutNames.kept)_\(table.name)"), source: table.name,
            originalName: table.originalName, otherName: table.otherName, columns: table.columns,
            linkKey: table.compositePrimaryKey)))
    }
    steps.append(.dropTable(table.name))
  }

  /// The links that tables get which the store lacks.
  private func returningLinks(to new: [TableDefinition]) -> [String: ReturningValues] {
    let links = Dictionary(kept.filter(\.areLinks).map { ($0.source, $0) }) { latest, _ in latest }
    let parts = links.values.sorted { $0.source < $1.source }.map(\.part)
    let tables = new.filter { !$0.compositePrimaryKey.isEmpty }
    let names = FormerNames(old: parts, new: tables.map(\.part))
    return tables.reduce(into: [:]) { returning, table in
      guard let former = names.former(of: table.name).flatMap({ links[$0] }) else { return }
      returning[table.name] = ReturningValues(former, to: table.columns, of: table.name)
    }
  }

  /// The values that new columns get, by the columns.
  private func returningValues(
    to new: TableDefinition, from old: TableDefinition, _ names: FormerNames
  ) -> [String: ReturningValues] {
    guard new.compositePrimaryKey.isEmpty else { return [:] }
    let kept = kept.filter { !$0.areLinks && $0.source == old.name }
    if kept.isEmpty { return [:] }
    let added = new.columns.filter {
      names.former(of: $0.name) == nil && $0.property != nil && !isMoved($0, of: new.name)
    }
    return added.grouped.reduce(into: [:]) { returning, columns in
      let used = Set(returning.values.map(\.kept))
      guard
        var values = kept.lazy.filter({ !used.contains($0) })
          .compactMap({ ReturningValues($0, to: columns, of: new.name) }).first
      else { return }
      values.required = Set(values.columns.filter { !$0.hasValue(in: old) }.map(\.name))
      for column in values.columns { returning[column.name] = values }
    }
  }

  /// Puts the values of columns aside that will be dropped.
  private mutating func keepValues(_ old: TableDefinition, _ new: TableDefinition, _ names: FormerNames) {
    // What is dropped of a table of links is an order without its relationship.
    guard old.compositePrimaryKey.isEmpty else { return }
    let dropped = old.columns.filter { names.present(of: $0.name) == nil && !$0.namesKinds }
    for columns in dropped.filter({ !isMoved($0, of: old.name) }).grouped {
      // What leads to models whose table goes will lead nowhere.
      if columns.contains(where: { tablesGone.contains($0.references?.table ?? "") }) { continue }
      let property = columns[0].property?.name ?? columns[0].name
      let table = tableNames.claim("\(LayoutNames.kept)_\(new.name)_\(property)")
      steps.append(.keep(KeptValues(table: table, source: new.name, columns: columns)))
    }
  }

  /// What the columns do not tell: which kinds of rows there are, and how they are linked.
  private mutating func compareDescriptions(_ old: TableDefinition, _ new: TableDefinition) {
    let links = new.relationships ?? [:]
    let names = FormerNames(old: old.relationshipParts, new: new.relationshipParts)
    for (relationship, link) in links.sorted(by: { $0.key < $1.key }) {
      guard let former = names.former(of: relationship), let oldLink = old.relationships?[former],
        !areFound(oldLink, of: former, in: link, of: relationship)
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

  /// Looks for to-ones that were one-way and are their own inverses.
  private mutating func compareMutualLinks(
    _ old: TableDefinition, _ new: TableDefinition, _ columnNames: FormerNames,
    _ returning: [String: ReturningValues]
  ) {
    let names = FormerNames(old: old.relationshipParts, new: new.relationshipParts)
    for column in new.columns {
      guard let property = column.property, property.part == TableDefinition.Column.Property.target else { continue }
      let relationship = "\(column.owner ?? property.type).\(property.name)"
      guard new.relationships?[relationship] == LinkDescription.ownInverse,
        names.former(of: relationship).flatMap({ old.relationships?[$0] }) != LinkDescription.ownInverse
      else { continue }
      let source: MutualLinks.Source
      if let former = columnNames.former(of: column.name) {
        source = .init(links: old.name, column: former, models: old.name)
      } else if let values = returning[column.name], let former = values.former(of: column) {
        source = .init(links: values.kept.table, column: former.name, models: old.name)
      } else {
        continue
      }
      linksToComplete.append(.completeLinks(MutualLinks(table: new.name, column: column, source: source)))
    }
  }

  private mutating func compare(_ old: TableDefinition, _ new: TableDefinition) {
    compareDescriptions(old, new)
    let oldColumns = Dictionary(old.columns.map { ($0.name, $0) }) { first, _ in first }
    let names = FormerNames(old: old.columns.map(\.part), new: new.columns.map(\.part))
    keepValues(old, new, names)
    let returning = returningValues(to: new, from: old, names)
    var freeNames = ColumnNames()
    for name in (old.columns + new.columns).map(\.name) + names.renamings.map(\.to) { _ = freeNames.claim(name) }
    steps += names.renamings.map { .renameColumn(table: new.name, from: $0.from, to: $0.to) }
    var needsRebuilding = false
    var hasOtherRules = false
    var fillings: [LayoutChange] = []
    // Values are of their new types by the time that rows get some.
    var conversionCount = 0
    var requiredColumns: Set<String> = []
    let (firstDrop, firstCreation) = (indexesToDrop.count, indexesToCreate.count)
    // An index goes along with its columns, and keeps its name, which another one may want.
    let indexes = old.indexes.map { index in
      var index = index
      index.columns = index.columns.map { names.present(of: $0) ?? "" }
      return index
    }
    let dropped = zip(old.indexes, indexes).filter { !new.indexes.contains($0.1) }.map(\.0)
    indexesToDrop += dropped.sorted { $0.name < $1.name }.map { .dropIndex($0) }
    indexesToCreate += new.indexes.filter { !indexes.contains($0) }.map { .createIndex(table: new.name, $0) }
    for column in new.columns {
      if let existing = names.former(of: column.name).flatMap({ oldColumns[$0] }) {
        let change = check(existing, column, old, new)
        needsRebuilding = needsRebuilding || change.needsRebuilding
        if let conversion = change.conversion {
          fillings.insert(convert(existing, column, conversion, old, new, &freeNames), at: conversionCount)
          conversionCount += 1
        }
        if let values = change.requiredValues, requiredColumns.isDisjoint(with: values.columns.map(\.name)) {
          requiredColumns.formUnion(values.columns.map(\.name))
          fillings.append(.requireValues(values))
        }
        if existing.owner == nil, existing.property != nil, let owner = column.owner, new.isUnique(column) {
          issues.append(
            .init(
              entity: owner, property: column.sourceName,
              message: """
                All models of \(new.name) had it, and it is unique: the values of those that are no \(owner) would be in \
                the way of others.
                """))
        }
        steps += targetChecks(existing, column, old.name, new)
        if let field = structureField(existing, column, old, new, names) { fillings.append(.completeStructures(field)) }
        hasOtherRules = hasOtherRules || existing.references?.onDelete != column.references?.onDelete
        if let change = compareFiles(existing, column, new.name) { fillings.append(change) }
      } else if let other = names.rival(of: column, in: new) {
        issues.append(
          .init(
            entity: column.owner ?? new.name, property: column.sourceName,
            message: "It was \(column.originalSourceName) originally, and so was \(other)."))
      } else if let shared = old.columns.first(where: { names.isSplit($0, column, in: new) }) {
        issues.append(
          .init(
            entity: column.owner, property: column.originalSourceName,
            message: """
              All models of \(new.name) had \(shared.originalSourceName), and several classes that inherit from it have it \
              now; only the values of one of them would stay.
              """))
      } else if let values = returning[column.name] {
        // A column that must have a value can have one only once the values are back.
        var added = column
        added.isNullable = column.isNullable || values.required.contains(column.name)
        needsRebuilding = needsRebuilding || added.isNullable != column.isNullable
        steps.append(.addColumn(table: new.name, added))
        if column == values.columns.first {
          steps += targetChecks(values, new)
          fillings.append(.bringBack(values))
        }
        if let former = values.former(of: column), let change = compareFiles(former, column, new.name) {
          fillings.append(change)
        }
      } else if column.hasValue(in: old) || rows.lackRows(of: column, in: old) {
        var added = column
        if let field = structureField(nil, column, old, new, names) {
          // A value beside a structure that is nil would be a part of one.
          added.defaultValue = nil
          fillings.append(.completeStructures(field))
        }
        steps.append(.addColumn(table: new.name, added))
        let fields = (column.presents ?? []).filter { names.former(of: $0) != nil }
        if !fields.isEmpty { fillings.append(.markPresence(table: new.name, column: column.name, of: fields)) }
      } else {
        issues.append(
          .init(
            entity: column.owner ?? new.name, property: column.sourceName,
            message: """
              A new property needs a default value or an optional type, for the models that \
              exist\(column.remedyOfAddition).
              """))
      }
    }
    fillings += movedLinks.filter { $0.new.table == new.name && !$0.new.isJoin }.map { .placeLinks($0) }
    let texts = new.newlyNormalized { column in
      names.former(of: column.name).flatMap { oldColumns[$0] } ?? returning[column.name]?.former(of: column)
    }
    if !texts.isEmpty { fillings.append(.normalizeTexts(table: new.name, columns: texts)) }
    steps += fillings
    compareMutualLinks(old, new, names, returning)
    for column in old.columns where column.presents?.contains(where: { names.present(of: $0) != nil }) == true {
      // What was nil and what has nothing but nil would be one and the same without it.
      guard names.present(of: column.name) == nil, !rows.lackRows(of: column, in: old) else { continue }
      issues.append(
        .init(
          entity: column.owner ?? new.name, property: column.sourceName,
          message: "It is optional no more, or has a field that must have a value where none had to before."))
    }
    for column in old.columns
    where new.columns.contains(where: { names.isMerged(column, $0, in: old) }) && !rows.lackRows(of: column, in: old) {
      issues.append(
        .init(
          entity: column.owner, property: column.originalSourceName,
          message: """
            Several classes had \(column.originalSourceName), and all models of \(new.name) have it now; the values of \
            this class would be lost.
            """))
    }
    let key = old.compositePrimaryKey.map { names.present(of: $0) ?? $0 }
    if key != new.compositePrimaryKey {
      // A renaming can change which side of a join table comes first.
      needsRebuilding = true
      if Set(key) != Set(new.compositePrimaryKey) {
        issues.append(.init(entity: new.name, message: "The table's key changed."))
      }
    }
    // SQLite drops no column that a foreign key names.
    needsRebuilding =
      needsRebuilding || old.columns.contains { names.present(of: $0.name) == nil && $0.references != nil }
    // What a table that is built anew loses or gets along with it is a change of its own.
    let onlyRulesChanged =
      !needsRebuilding && names.dropped.isEmpty && indexes.ofValues == new.indexes.ofValues
    compareSearches(old, new, names, isRebuilt: needsRebuilding || hasOtherRules)
    if needsRebuilding || hasOtherRules {
      // Columns that are gone, and indexes, go with the old table.
      steps.append(onlyRulesChanged ? .changeDeleteRules(new) : .rebuildTable(new))
      // Until then rows may be changed, for which the functions of others would be missing, and texts, which what was
      // unique before would be in the way of.
      indexesToDrop.replaceSubrange(
        firstDrop...,
        with: indexesToDrop[firstDrop...].filter { $0.isAboutSorting || !texts.isEmpty && $0.dropsUniqueIndex })
      indexesToCreate.removeSubrange(firstCreation...)
    } else {
      steps += names.dropped.map { .dropColumn(table: new.name, column: $0) }
    }
  }
}

extension [TableDefinition.Index] {
  fileprivate var ofValues: Set<TableDefinition.Index> {
    Set(filter { $0.functions == nil })
  }
}

extension [TableDefinition.Column] {
  /// The columns of each property together, in their order.
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
  /// The tables of the models, by the names of these.
  var homes: [String: String] {
    reduce(into: [:]) { homes, table in for kind in table.kinds ?? [] { homes[kind] = table.name } }
  }
}

extension TableDefinition {
  /// Whether no two rows may have the same in a column, by itself or with others.
  fileprivate func isUnique(_ column: Column) -> Bool {
    indexes.contains { $0.isUnique && $0.columns.contains(column.name) }
  }

  /// Whether rows of the table would have to have a value of a new column, and have none.
  fileprivate func mayLack(_ column: Column) -> Bool {
    column.isRequired == true && column.owner.map { kinds?.contains($0) == true } ?? true
  }
}

extension TableDefinition.Column {
  /// Whether rows that are there have a value in the column when it is added to their table, or need none.
  fileprivate func hasValue(in table: TableDefinition) -> Bool {
    defaultValue != nil || isNullable && !table.mayLack(self)
  }
}
