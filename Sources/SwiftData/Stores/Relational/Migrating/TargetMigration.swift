import Relational

/// Takes a store from the schema that it has to one other: finds the steps, and carries them out, in a transaction of the
/// caller's.
struct TargetMigration {
  let dialect: any Dialect
  let target: MigrationTarget
  let files: ExternalFiles?

  var layout: StoreLayout { target.layout }
  private var removableKinds: Set<String> { target.loss.removedModels }

  /// What there is to do.
  struct Work {
    var steps: [LayoutChange]
    /// What lies aside, the latest last.
    var kept: [ArchivedValues]
  }

  /// - Throws: What stands in the way.
  func work(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Work {
    let kept = try kept(metadata, connection)
    switch try steps(metadata, kept, connection.tableNames(), connection) {
    case .success(let steps):
      let lacking = try obstacles(to: steps, connection)
      guard lacking.isEmpty else { throw Self.refusal(lacking) }
      return Work(steps: steps, kept: kept)
    case .failure(let obstacles):
      throw Self.refusal(obstacles.issues + (try self.obstacles(to: obstacles.checks, connection)))
    }
  }

  /// What would be done, and what stands in the way of it, values that would repeat among it.
  ///
  /// - Parameter store: What the store will be like by then. It becomes what the steps would make of it.
  func preview(
    _ store: inout MigrationSimulator, _ connection: any Connection
  ) throws -> (changes: [MigrationPreview.Change], issues: [SwiftDataError.Issue]) {
    // What the rows will be like by then, nobody knows.
    let rows = MovedRows(connection: store.isChanged ? nil : connection, dialect: dialect)
    let found = try self.steps(from: store.tables, store.entities, store.kept, store.names, rows) {
      try store.presentKinds(connection, dialect)
    }
    var issues: [SwiftDataError.Issue] = []
    let steps: [LayoutChange]
    switch found {
    case .success(let changes): steps = changes
    case .failure(let obstacles): (steps, issues) = (obstacles.checks, obstacles.issues)
    }
    issues += try obstacles(to: store.isChanged ? store.inStore(steps) : steps, connection)
    var changes: [MigrationPreview.Change] = []
    for step in steps {
      if step.makesConstraints {
        issues += try step.uniquenessIssues(layout.tables, connection, dialect, simulated: store)
      }
      changes.append(
        MigrationPreview.Change(
          summary: step.summary, sql: step.statements(dialect).map(\.sql),
          rowCount: try store.rowCount(of: step, connection, dialect), copiesTable: step.copiesTable))
      try store.take(step, connection, dialect)
    }
    store.finish(layout)
    return (changes, issues)
  }

  func steps(
    _ metadata: StoreMetadata, _ connection: any Connection
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    try steps(metadata, kept(metadata, connection), [], connection)
  }

  private func steps(
    _ metadata: StoreMetadata, _ kept: [ArchivedValues], _ taken: Set<String>, _ connection: any Connection
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    let found = try metadata.layout().found(connection, dialect)
    return try steps(
      from: found, metadata.schema?.entities, kept, taken, MovedRows(connection: connection, dialect: dialect)
    ) {
      try found.presentKinds(connection, dialect)
    }
  }

  /// - Parameters:
  ///   - entities: Those that the tables are of; nil where a store does not say.
  ///   - taken: Names that tables have beside those of the layouts.
  ///   - movedRows: Those of the tables.
  ///   - presentKinds: Those that there are rows of. To find out can take reading all of a table.
  private func steps(
    from found: [TableDefinition], _ entities: [Schema.Entity]?, _ kept: [ArchivedValues], _ taken: Set<String>,
    _ movedRows: MovedRows, presentKinds: () throws -> Set<String>
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    let moves = try TableAssignmentDiff.moves(from: found, entities, kept, taken: taken, to: layout, movedRows)
    // Where models move, the other steps begin with the tables that this leaves.
    let models = try? moves.get()
    let old = models?.layout ?? found
    func foundChanges(_ rows: RowFacts) -> Result<[LayoutChange], LayoutChange.Obstacles> {
      moves.followed { models in
        LayoutChange.changes(from: old, to: layout.tables, kept: models?.kept ?? kept, taken: taken, rows: rows)
      }
    }
    let subclasses = subclasses(entities, old)
    // What a class that goes had, its heirs have, and would have no place for.
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

  /// The entities that inherit from each entity of the store, near or far, and have what it has in its table.
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
      // An early release did not say: any of those that share a table may be.
      for table in old { for kind in table.modelKinds { subclasses[kind] = table.modelKinds.subtracting([kind]) } }
    }
    return subclasses
  }

  /// The entities that there are no rows of.
  ///
  /// - Parameters:
  ///   - heirs: Those of each entity that the store has.
  ///   - present: Those that rows belong to themselves.
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

  /// What values and links of the rows are in the way of.
  private func obstacles(
    to steps: [LayoutChange], _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    // What the other steps look at is there once the models have moved.
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

  /// What lies aside and is still there.
  private func kept(_ metadata: StoreMetadata, _ connection: any Connection) throws -> [ArchivedValues] {
    try ArchivedValues.held(metadata.kept(), connection)
  }

  /// Whether a step looks for the names of files in a store that says nothing of any, and there are none.
  private func isIdle(_ step: LayoutChange) -> Bool {
    guard case .adoptFiles(table: _, _, isKnown: false) = step else { return false }
    return files?.names().isEmpty ?? true
  }

  /// The properties that come back, must have a value, and have none in rows that were made without them.
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

  /// The to-ones that are their own inverses now, and of which models lead to some that do not lead back.
  private func contradictingLinks(
    _ steps: [LayoutChange], _ departing: DepartingRows, _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    for case .completeLinks(let links) in steps {
      issues += try links.issue(links.sourceFindings(departing, connection, dialect)).map { [$0] } ?? []
    }
    return issues
  }

  /// Which rows have values in a column, in a table that several entities share.
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
