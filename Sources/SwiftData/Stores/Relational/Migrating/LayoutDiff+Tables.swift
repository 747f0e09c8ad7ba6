import Relational

extension LayoutDiff {
  /// The change of one table.
  private struct TableChange {
    let old: TableDefinition
    let new: TableDefinition
    let names: PreviousNames
    let oldColumns: [String: TableDefinition.Column]
    /// The existing indexes, by the present names of their columns. An index keeps its name when its columns are renamed,
    /// and a new index may need that name.
    let indexes: [TableDefinition.Index]
    /// The archived values to restore to new columns, by the columns.
    let restored: [String: RestoredValues]
    var freeNames = ColumnNames()
    var needsRebuilding = false
    var hasOtherRules = false
    /// The steps that write values of rows, once all columns exist.
    private(set) var fillings: [LayoutChange] = []
    // Conversions precede the other steps of `fillings`.
    private var conversionCount = 0
    private var requiredColumns: Set<String> = []

    init(
      _ old: TableDefinition, _ new: TableDefinition, _ names: PreviousNames, _ restored: [String: RestoredValues]
    ) {
      self.old = old
      self.new = new
      self.names = names
      self.restored = restored
      oldColumns = Dictionary(old.columns.map { ($0.name, $0) }) { first, _ in first }
      indexes = old.indexes.map { index in
        var index = index
        index.columns = index.columns.map { names.present(of: $0) ?? "" }
        return index
      }
      for name in (old.columns + new.columns).map(\.name) + names.renamings.map(\.to) { _ = freeNames.claim(name) }
    }

    /// The previous column of one.
    func previous(_ column: TableDefinition.Column) -> TableDefinition.Column? {
      names.previous(of: column.name).flatMap { oldColumns[$0] }
    }

    /// The columns whose texts are to be normalized.
    var newlyNormalized: [String] {
      new.newlyNormalized { previous($0) ?? restored[$0.name]?.previous(of: $0) }
    }

    mutating func fill(_ change: LayoutChange) { fillings.append(change) }

    mutating func convert(_ change: LayoutChange) {
      fillings.insert(change, at: conversionCount)
      conversionCount += 1
    }

    mutating func require(_ values: RequiredValues) {
      guard requiredColumns.isDisjoint(with: values.columns.map(\.name)) else { return }
      requiredColumns.formUnion(values.columns.map(\.name))
      fillings.append(.requireValues(values))
    }
  }

  mutating func compare(_ old: TableDefinition, _ new: TableDefinition) {
    compareDescriptions(old, new)
    let names = PreviousNames(old: old.columns.map(\.part), new: new.columns.map(\.part))
    archiveValues(old, new, names)
    var change = TableChange(old, new, names, restoredValues(to: new, from: old, names))
    steps += names.renamings.map { .renameColumn(table: new.name, from: $0.from, to: $0.to) }
    let (firstDrop, firstCreation) = (indexesToDrop.count, indexesToCreate.count)
    compareIndexes(change)
    for column in new.columns { compare(column, &change) }
    for links in movedLinks where links.new.table == new.name && !links.new.isJoin { change.fill(.writeLinks(links)) }
    let texts = change.newlyNormalized
    if !texts.isEmpty { change.fill(.normalizeTexts(table: new.name, columns: texts)) }
    steps += change.fillings
    compareMutualLinks(old, new, names, change.restored)
    refuseLosses(change)
    refuseOtherCoding(change)
    compareKeys(&change)
    // SQLite drops no column that a foreign key names.
    if old.columns.contains(where: { names.present(of: $0.name) == nil && $0.references != nil }) {
      change.needsRebuilding = true
    }
    let isRebuilt = change.needsRebuilding || change.hasOtherRules
    compareSearches(old, new, names, isRebuilt: isRebuilt)
    guard isRebuilt else {
      steps += names.dropped.map { .dropColumn(table: new.name, column: $0) }
      return
    }
    // What a rebuilt table loses or gets is part of the step.
    let onlyRulesChanged =
      !change.needsRebuilding && names.dropped.isEmpty && change.indexes.ofValues == new.indexes.ofValues
    // Removed columns and indexes go with the old table.
    steps.append(onlyRulesChanged ? .changeDeleteRules(new) : .rebuildTable(new))
    // Rows may change before the rebuilding, so indexes with functions are dropped first, which this connection may
    // lack, and unique indexes, which texts may violate before they are all normalized.
    indexesToDrop.replaceSubrange(
      firstDrop...,
      with: indexesToDrop[firstDrop...].filter { $0.isAboutSorting || !texts.isEmpty && $0.dropsUniqueIndex })
    indexesToCreate.removeSubrange(firstCreation...)
  }

  private mutating func compareIndexes(_ change: TableChange) {
    let new = change.new
    let dropped = zip(change.old.indexes, change.indexes).filter { !new.indexes.contains($0.1) }.map(\.0)
    indexesToDrop += dropped.sorted { $0.name < $1.name }.map { .dropIndex($0) }
    indexesToCreate += new.indexes.filter { !change.indexes.contains($0) }.map { .createIndex(table: new.name, $0) }
  }

  // MARK: Columns

  private mutating func compare(_ column: TableDefinition.Column, _ change: inout TableChange) {
    let (old, new, names) = (change.old, change.new, change.names)
    if let existing = change.previous(column) {
      compare(existing, column, &change)
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
    } else if let values = change.restored[column.name] {
      restore(column, values, &change)
    } else if column.hasValue(in: old) || rows.lackRows(of: column, in: old) {
      add(column, &change)
    } else {
      issues.append(
        .init(
          entity: column.owner ?? new.name, property: column.sourceName,
          message: misspelling(of: column, in: old) ?? """
            A new property needs a default value or an optional type, for the models that \
            exist\(column.remedyOfAddition).
            """))
    }
  }

  /// The message about a new column whose `originalName` is no property of the store; nil for a column without one.
  private func misspelling(of column: TableDefinition.Column, in old: TableDefinition) -> String? {
    guard let property = column.property, property.originalName != property.name else { return nil }
    let owner = column.owner ?? old.name
    var names: [String] = []
    for other in old.columns where other.owner == nil || other.owner == column.owner {
      if let name = other.property?.name, !names.contains(name) { names.append(name) }
    }
    return """
      Its originalName is "\(property.originalName)", and the \(owner) of the store has no such property. It has \
      \(names.joined(separator: ", ")).
      """
  }

  /// Compares a column with its previous one.
  private mutating func compare(
    _ existing: TableDefinition.Column, _ column: TableDefinition.Column, _ change: inout TableChange
  ) {
    let (old, new) = (change.old, change.new)
    let finding = check(existing, column, old, new)
    if finding.needsRebuilding { change.needsRebuilding = true }
    if let conversion = finding.conversion {
      let step = convert(existing, column, conversion, old, new, &change.freeNames)
      change.convert(step)
    }
    if let values = finding.requiredValues { change.require(values) }
    if existing.owner == nil, existing.property != nil, let owner = column.owner, new.isUnique(column) {
      issues.append(
        .init(
          entity: owner, property: column.sourceName,
          message: """
            All models of \(new.name) had it, and it is unique: the values of models of other classes might \
            repeat.
            """))
    }
    steps += targetChecks(existing, column, old.name, new)
    if let field = structureField(existing, column, old, new, change.names) { change.fill(.completeStructures(field)) }
    if existing.references?.onDelete != column.references?.onDelete { change.hasOtherRules = true }
    if let files = compareFiles(existing, column, new.name) { change.fill(files) }
  }

  /// Adds a column with archived values. One that must have a value is nullable until the values are restored.
  private mutating func restore(
    _ column: TableDefinition.Column, _ values: RestoredValues, _ change: inout TableChange
  ) {
    let new = change.new
    var added = column
    added.isNullable = column.isNullable || values.required.contains(column.name)
    if added.isNullable != column.isNullable { change.needsRebuilding = true }
    steps.append(.addColumn(table: new.name, added))
    if column == values.columns.first {
      steps += targetChecks(values, new)
      change.fill(.restore(values))
    }
    if let previous = values.previous(of: column), let files = compareFiles(previous, column, new.name) {
      change.fill(files)
    }
  }

  private mutating func add(_ column: TableDefinition.Column, _ change: inout TableChange) {
    let (old, new, names) = (change.old, change.new, change.names)
    var added = column
    if let field = structureField(nil, column, old, new, names) {
      // A value beside a nil structure would make it one that is not nil.
      added.defaultValue = nil
      change.fill(.completeStructures(field))
    }
    steps.append(.addColumn(table: new.name, added))
    let fields = (column.presents ?? []).filter { names.previous(of: $0) != nil }
    if !fields.isEmpty { change.fill(.markPresence(table: new.name, column: column.name, of: fields)) }
  }

  // MARK: Obstacles

  /// Refuses to drop columns whose absence would make values ambiguous, or lose them.
  private mutating func refuseLosses(_ change: TableChange) {
    let (old, new, names) = (change.old, change.new, change.names)
    for column in old.columns where column.presents?.contains(where: { names.present(of: $0) != nil }) == true {
      // Without it, nil could not be distinguished from a structure whose fields are all nil.
      guard names.present(of: column.name) == nil, !rows.lackRows(of: column, in: old) else { continue }
      issues.append(
        .init(
          entity: column.owner ?? new.name, property: column.sourceName,
          message: "It is not optional any more, or has a field that must have a value and none that had to before."))
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
  }

  /// Refuses a structure whose coding changed, which would otherwise count as one removed and one added property.
  private mutating func refuseOtherCoding(_ change: TableChange) {
    let (old, new, names) = (change.old, change.new, change.names)
    var refused: Set<String> = []
    for column in old.columns where names.present(of: column.name) == nil && !rows.lackRows(of: column, in: old) {
      let present = new.columns.first { names.previous(of: $0.name) == nil && column.isOfSameValue(as: $0) }
      guard let present, let previous = column.property, let property = present.property,
        refused.insert("\(present.owner ?? "").\(property.name)").inserted
      else { continue }
      let entity = present.owner ?? new.name
      let (whole, divided) = ("as one value", "in a column for each of its fields")
      let wasWhole = previous.part.count < property.part.count
      issues.append(
        .init(
          entity: entity, property: property.name,
          message: """
            The store has it \(wasWhole ? whole : divided), and the schema has it \(wasWhole ? divided : whole), because its \
            type is coded another way than before. Code it as it was, or give the property of the new type another name, for a \
            stage of a migration plan to fill: \(Remedy.mapping(entity)).
            """))
    }
  }

  private mutating func compareKeys(_ change: inout TableChange) {
    let new = change.new
    let key = change.old.compositePrimaryKey.map { change.names.present(of: $0) ?? $0 }
    if key == new.compositePrimaryKey { return }
    // A renaming can change the order of the sides of a join table.
    change.needsRebuilding = true
    if Set(key) != Set(new.compositePrimaryKey) {
      issues.append(.init(entity: new.name, message: "The table's key changed."))
    }
  }
}

extension [TableDefinition.Index] {
  fileprivate var ofValues: Set<TableDefinition.Index> {
    Set(filter { $0.functions == nil })
  }
}

extension TableDefinition {
  /// Whether a column is part of a unique index.
  fileprivate func isUnique(_ column: Column) -> Bool {
    indexes.contains { $0.isUnique && $0.columns.contains(column.name) }
  }
}

extension TableDefinition.Column {
  /// Whether one column has the whole value of a property, or a structure in it, of which the other has a field.
  fileprivate func isOfSameValue(as present: Self) -> Bool {
    guard presents == nil, present.presents == nil, !isOfLink, !present.isOfLink, let previous = part.property,
      let new = present.part.property, previous.canBe(new)
    else { return false }
    return previous.path.hasPrefix("\(new.originalPath).") || new.originalPath.hasPrefix("\(previous.path).")
  }

  private var isOfLink: Bool {
    property.map { [Property.target, Property.position].contains($0.part) } ?? true
  }
}
