import Relational

/// Migrates a store from its schema to one other: plans the steps, and executes them in a transaction of the caller.
struct TargetMigration {
  let dialect: any Dialect
  let target: MigrationTarget
  let files: ExternalFiles?

  var layout: StoreLayout { target.layout }
  private var removableKinds: Set<String> { target.loss.removedModels }

  /// The steps of a migration.
  struct Plan {
    var steps: [LayoutChange]
    /// The archived values, the latest last.
    var archived: [ArchivedValues]
  }

  /// - Throws: The obstacles.
  func plan(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Plan {
    let archived = try archived(metadata, connection)
    switch try steps(metadata, archived, connection.tableNames(), connection) {
    case .success(let steps):
      let lacking = try obstacles(to: steps, connection)
      guard lacking.isEmpty else { throw Self.refusal(lacking) }
      return Plan(steps: steps, archived: archived)
    case .failure(let obstacles):
      throw Self.refusal(obstacles.issues + (try self.obstacles(to: obstacles.checks, connection)))
    }
  }

  /// The steps with their effects, and all obstacles, including values that would violate uniqueness constraints.
  ///
  /// - Parameter store: The simulated store before the steps. They are applied to it.
  func preview(
    _ store: inout MigrationSimulator, _ connection: any Connection
  ) throws -> (changes: [MigrationStep.Change], issues: [SwiftDataError.Issue]) {
    // The rows of a changed store are unknown.
    let rows = MovedRowFacts(connection: store.isChanged ? nil : connection, dialect: dialect)
    let found = try self.steps(from: store.tables, store.entities, store.archived, store.names, rows) {
      try store.presentKinds(connection, dialect)
    }
    var issues: [SwiftDataError.Issue] = []
    let steps: [LayoutChange]
    switch found {
    case .success(let changes): steps = changes
    case .failure(let obstacles): (steps, issues) = (obstacles.checks, obstacles.issues)
    }
    issues += try obstacles(to: store.isChanged ? store.inStore(steps) : steps, connection)
    var changes: [MigrationStep.Change] = []
    for step in steps {
      if step.makesConstraints {
        issues += try step.uniquenessIssues(layout.tables, connection, dialect, simulated: store)
      }
      changes.append(
        MigrationStep.Change(
          summary: step.summary, sql: step.statements(dialect).map(\.sql),
          rowCount: try store.rowCount(of: step, connection, dialect), copiesTable: step.copiesTable))
      try store.apply(step, connection, dialect)
    }
    store.finish(layout)
    return (changes, issues)
  }

  func steps(
    _ metadata: StoreMetadata, _ connection: any Connection
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    try steps(metadata, archived(metadata, connection), [], connection)
  }

  private func steps(
    _ metadata: StoreMetadata, _ archived: [ArchivedValues], _ taken: Set<String>, _ connection: any Connection
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    let found = try metadata.layout().found(connection, dialect)
    return try steps(
      from: found, metadata.schema?.entities, archived, taken, MovedRowFacts(connection: connection, dialect: dialect)
    ) {
      try found.presentKinds(connection, dialect)
    }
  }

  /// - Parameters:
  ///   - entities: The entities of the tables; nil where the store does not record them.
  ///   - taken: The names of tables beside those of the layouts.
  ///   - movedRows: The rows of the tables.
  ///   - presentKinds: The entities that have rows. It may read whole tables.
  private func steps(
    from found: [TableDefinition], _ entities: [Schema.Entity]?, _ archived: [ArchivedValues], _ taken: Set<String>,
    _ movedRows: MovedRowFacts, presentKinds: () throws -> Set<String>
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    let moves = try TableAssignmentDiff.moves(from: found, entities, archived, taken: taken, to: layout, movedRows)
    // The other steps start from the tables after the move of models.
    let models = try? moves.get()
    let old = models?.tablesAfterMove ?? found
    func foundChanges(_ rows: RowFacts) -> Result<[LayoutChange], LayoutChange.Obstacles> {
      moves.thenDiffing { models in
        LayoutChange.changes(
          from: old, to: layout.tables, archived: models?.archivedAfterMove ?? archived, taken: taken, rows: rows)
      }
    }
    let subclasses = subclasses(entities, old)
    // Models of subclasses would lose the properties of a removed class.
    let removable = removableKinds.filter { kind in
      (subclasses[kind] ?? []).allSatisfy { layout.layout(named: $0) == nil }
    }
    var rows = RowFacts(removableKinds: removable, schemas: SchemaFacts(from: entities ?? [], to: layout))
    var changes = foundChanges(rows)
    if case .failure = changes {
      let present = try presentKinds()
      rows.absentKinds = absentKinds(found, subclasses, present)
      rows.leavingKinds = absentKinds(found, subclasses, present.subtracting(removable)).subtracting(rows.absentKinds)
      if !rows.absentKinds.isEmpty || !rows.leavingKinds.isEmpty { changes = foundChanges(rows) }
    }
    return changes.map { steps in
      steps.contains(where: isIdle) ? steps.filter { !isIdle($0) } : steps
    }
  }

  /// The subentities of each entity of the store that share its table.
  private func subclasses(_ entities: [Schema.Entity]?, _ old: [TableDefinition]) -> [String: Set<String>] {
    var subclasses: [String: Set<String>] = [:]
    if let entities {
      let tableAssignment = old.tableAssignment
      for entity in entities {
        for base in entity.superentities
        where base !== entity && tableAssignment[base.name] == tableAssignment[entity.name] {
          subclasses[base.name, default: []].insert(entity.name)
        }
      }
    } else {
      // An early release did not record entities: all that share a table may be subentities of each other.
      for table in old { for kind in table.modelKinds { subclasses[kind] = table.modelKinds.subtracting([kind]) } }
    }
    return subclasses
  }

  /// The entities without rows.
  ///
  /// - Parameters:
  ///   - subclasses: The subentities of each entity of the store.
  ///   - present: The entities of the rows, without their superentities.
  private func absentKinds(
    _ old: [TableDefinition], _ subclasses: [String: Set<String>], _ present: Set<String>
  ) -> Set<String> {
    let tables = old.filter(\.compositePrimaryKey.isEmpty)
    let kinds = tables.reduce(into: Set(layout.all.map(\.entity.name))) { $0.formUnion($1.modelKinds) }
    return kinds.filter { kind in
      let family = layout.layout(named: kind)?.family.map(\.entity.name) ?? []
      return present.isDisjoint(with: family + [kind] + (subclasses[kind] ?? []))
    }
  }

  /// The obstacles in the values and links of the rows.
  private func obstacles(
    to steps: [LayoutChange], _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    // The tables that the other steps check exist only after the move of models.
    if case .moveModels(let models)? = steps.first { return try models.issues(connection, dialect) }
    let departing = DepartingRows(steps)
    var issues =
      try lackingValues(steps, departing, connection) + contradictingLinks(steps, departing, connection)
    for step in steps {
      switch step {
      case .removeModels(let models): issues += try models.issues(departing, connection, dialect)
      case .gatherLinks(let links): issues += try links.issues(departing, connection, dialect)
      case .requireValues(let values):
        let issue = try values.issue(ownerCondition(values.column), departing, connection, dialect)
        issues += issue.map { [$0] } ?? []
      case .convert(let values):
        issues += try values.issue(departing, connection, dialect).map { [$0] } ?? []
        issues += try UnknownCases(values, in: layout)?.issue(departing, connection, dialect).map { [$0] } ?? []
      case .completeStructures(let field): issues += try field.issue(departing, connection, dialect).map { [$0] } ?? []
      case .checkTargets(let check): issues += try check.issue(departing, connection, dialect).map { [$0] } ?? []
      default: break
      }
    }
    return issues
  }

  /// The archived values whose tables exist.
  private func archived(_ metadata: StoreMetadata, _ connection: any Connection) throws -> [ArchivedValues] {
    try ArchivedValues.existing(metadata.archivedValues(), connection)
  }

  /// Whether a step looks for file names in a store that does not record whether it has files, and has none.
  private func isIdle(_ step: LayoutChange) -> Bool {
    guard case .adoptFiles(table: _, _, isKnown: false) = step else { return false }
    return files?.names().isEmpty ?? true
  }

  /// The restored properties that must have a value, and have none in newer rows.
  private func lackingValues(
    _ steps: [LayoutChange], _ departing: DepartingRows, _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    for case .restore(let values) in steps {
      for (index, column) in values.columns.enumerated() where values.required.contains(column.name) {
        var lacks = false
        let query = values.lackQuery(at: index, ownerCondition(column), departing)
        try connection.forEachRow(dialect.render(query)) { _ in lacks = true }
        if lacks {
          issues.append(
            .init(
              entity: column.owner ?? values.table, property: column.sourceName,
              message: """
                It was removed, and there are models that have no value of it. It needs a default value or an optional \
                type to come back\(column.remedyOfAddition).
                """))
        }
      }
    }
    return issues
  }

  /// The to-ones that are their own inverses now, with models that refer to one that does not refer back.
  private func contradictingLinks(
    _ steps: [LayoutChange], _ departing: DepartingRows, _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    for case .completeLinks(let links) in steps {
      issues += try links.issue(links.sourceFindings(departing, connection, dialect)).map { [$0] } ?? []
    }
    return issues
  }

  /// The condition of rows that have a column, in a table that several entities share.
  func ownerCondition(_ column: TableDefinition.Column) -> SQLExpression? {
    guard let owner = column.owner.flatMap({ layout.layout(named: $0) }), let type = owner.typeColumn
    else { return nil }
    return .isIn(.column(type), owner.family.map { .text($0.entity.name) })
  }

  static func refusal(_ issues: [SwiftDataError.Issue]) -> SwiftDataError {
    let only = issues.count == 1 ? issues[0] : nil
    return SwiftDataError.loadIssueModelContainer.with(
      entity: only?.entity, property: only?.property,
      message: only?.message ?? "\(issues.count) changes of the schema keep the store from being opened.",
      hint: "The store was written with another schema, and was not changed.",
      issues: issues)
  }
}
