import Foundation
import Relational

extension TargetMigration {
  /// - Parameter whole: The progress of which the migration is one unit; nil to report nothing.
  /// - Returns: The files that no row names after the transaction.
  /// - Throws: The obstacles, or `CancellationError`.
  func execute(
    _ metadata: inout StoreMetadata, _ connection: any Connection, of whole: Progress?
  ) throws -> [String] {
    let previous = try metadata.layout()
    try connection.beginTableChanges(of: previous + metadata.archivedValues().map(\.definition))
    let plan = try planAfterMoves(&metadata, connection)
    let lastAssignedKeys = try self.lastAssignedKeys(metadata.layout(), connection)
    var archived = plan.archived
    var obsoleteFiles: [String] = []
    var notices: [String] = []
    let references = try ReferenceCheck(plan.steps, layout.tables, connection)
    let firstUse = plan.steps.firstIndex { !$0.dropsSearch }
    let progress = try LayoutProgress(plan.steps, of: whole, connection, dialect)
    for (index, step) in plan.steps.enumerated() {
      try progress.reach(index)
      // All remaining search indexes are those of the schema.
      if index == firstUse { try layout.tables.trustTriggers(connection, dialect, layout.folding) }
      if case .archive(let values) = step {
        if let count = try archive(values, connection) {
          archived.append(values)
          notices += possibleRenaming(of: values, count, in: plan.steps).map { [$0] } ?? []
        }
        continue
      }
      obsoleteFiles += try prepare(step, &archived, connection, progress)
      try run(step, connection, progress)
    }
    try progress.reach(plan.steps.count)
    for (table, last) in lastAssignedKeys.sorted(by: { $0.key < $1.key }) where RowIdentity.isValid(last) {
      try KeySequences.record(last, of: table, connection, dialect)
    }
    try connection.finishTableChanges(of: layout.tables + archived.map(\.definition))
    try references.finish(connection)
    try recordRevision(in: &metadata, previous, connection)
    metadata.archiveText = try SchemaRecord.json(archived)
    metadata.layoutText = target.record.layout
    (metadata.schemaVersion, metadata.schemaHash) = (target.record.version, target.record.hash)
    metadata.schemaText = try target.record.schemaText()
    // If only the format changes, other containers with the open store need not open it again.
    if !plan.steps.isEmpty { metadata.layoutIdentifier = UUID().uuidString }
    for notice in notices { UsageWarning.logOnce(notice, to: Log.store) }
    return obsoleteFiles
  }

  /// The notice about a new property that has the type of a removed one, which may be a renaming without `originalName`.
  /// A stage gives no notice, because its code may set the new property.
  private func possibleRenaming(of archived: ArchivedValues, _ count: Int, in steps: [LayoutChange]) -> String? {
    guard target.loss == .nothing, !archived.areLinks, let old = archived.columns.first, let previous = old.property
    else {
      return nil
    }
    let restored = steps.flatMap { step in
      if case .restore(let values) = step, values.table == archived.source {
        values.columns.map(\.name)
      } else {
        [String]()
      }
    }
    for case .addColumn(let table, let column) in steps
    where table == archived.source && column.owner == old.owner && column.property?.type == previous.type
      && column.property?.part == previous.part && !restored.contains(column.name)
    {
      guard let new = column.property else { continue }
      let entity = column.owner ?? table
      let misspelling = new.originalName == new.name ? "" : " (originalName: \"\(new.originalName)\" names none)"
      return """
        \(entity).\(previous.name) was archived with \(count) values, and \(entity).\(new.name) is new\(misspelling). \
        If that is a renaming, open the store once with \(previous.name) in place of \(new.name), which restores the \
        values, and then rename it with @Attribute(originalName: "\(previous.name)").
        """
    }
    return nil
  }

  /// Moves models to other tables.
  ///
  /// - Returns: The plan for the tables after the move.
  private func planAfterMoves(_ metadata: inout StoreMetadata, _ connection: any Connection) throws -> Plan {
    let plan = try self.plan(metadata, connection)
    guard case .moveModels(let models)? = plan.steps.first else { return plan }
    try models.execute(connection, dialect)
    metadata.layoutText = try SchemaRecord.text(of: models.tablesAfterMove)
    metadata.archiveText = try SchemaRecord.json(models.archivedAfterMove)
    metadata.layoutIdentifier = UUID().uuidString
    return try self.plan(metadata, connection)
  }

  /// Runs the part of a step that is not in its statements, before these.
  ///
  /// - Parameter archived: The archived values.
  /// - Returns: The files that no row names any more.
  private func prepare(
    _ step: LayoutChange, _ archived: inout [ArchivedValues], _ connection: any Connection, _ progress: LayoutProgress
  ) throws -> [String] {
    switch step {
    case .restore(let values):
      archived.removeAll { $0 == values.archived }
      if values.archived.areLinks {
        try KeySequences.rename(values.archived.table, to: values.table, connection, dialect)
      }
    case .adoptFiles(let table, let column, _):
      return try adoptFiles(of: column, in: table, connection, progress)
    case .completeLinks(let links):
      try links.complete(connection, dialect)
    case .normalizeTexts(let table, let columns):
      try normalizeTexts(of: columns, in: table, connection, progress)
    case .renameTable(let from, let to):
      try KeySequences.rename(from, to: to, connection, dialect)
    case .dropTable(let table):
      try KeySequences.remove(table, connection, dialect)
    case .removeModels(let models):
      let files = try models.fileNames(connection, dialect)
      try models.recordLastKey(connection, dialect)
      archived.removeAll { models.forgotten.contains($0) }
      return files
    case .writeLinks(let links):
      try links.recordPositions(connection, dialect)
    case .convert(let values):
      let issue = try reportingDuplicates(step, connection) { try values.run(connection, dialect, progress) }
      if let issue { throw Self.refusal([issue]) }
    case .requireValues(let values):
      guard let update = values.update(ownerCondition(values.column)) else { break }
      try reportingDuplicates(step, connection) { try connection.run(dialect.render(update)) }
    default: break
    }
    return []
  }

  /// The last assigned keys of tables that classes without models have left, by their present tables: an identifier of such a
  /// model must not find another one.
  private func lastAssignedKeys(_ old: [TableDefinition], _ connection: any Connection) throws -> [String: Int64] {
    let tableAssignment = layout.tables.tableAssignment
    let rows = MovedRowFacts(connection: connection, dialect: dialect)
    var numbers: [String: Int64] = [:]
    for table in old {
      let targets = Set((table.kinds ?? []).compactMap { tableAssignment[$0] }).subtracting([table.name])
      if targets.isEmpty { continue }
      let last = try rows.lastAssignedKey(of: table)
      for target in targets { numbers[target] = max(numbers[target] ?? 0, last) }
    }
    return numbers
  }

  /// Records the renamed and removed properties that transactions of the history name, to find them with the new schema.
  ///
  /// - Parameter tables: The tables of the store before any models moved.
  private func recordRevision(
    in metadata: inout StoreMetadata, _ tables: [TableDefinition], _ connection: any Connection
  ) throws {
    guard let schema = metadata.schema, let ends = try HistoryTable.ends(connection, dialect) else { return }
    // Applications delete transactions of their choice: earlier ones than the last deleted one may remain.
    var revisions = metadata.historyRevisions.filter { $0.last >= ends.first }
    if let revision = HistoryRevision(through: ends.last, from: schema, tables, to: layout) {
      revisions.append(revision)
    }
    if revisions.isEmpty, metadata.historyText == nil { return }
    metadata.historyText = try SchemaRecord.json(revisions)
  }

  private func run(_ step: LayoutChange, _ connection: any Connection, _ progress: LayoutProgress) throws {
    try reportingDuplicates(step, connection) {
      switch step {
      case .rebuildTable(let table), .changeDeleteRules(let table): if try connection.redefine(table) { return }
      case .dropIndex(let index): if try connection.drop(index: index.name) { return }
      default: break
      }
      for statement in step.statements(dialect) {
        try progress.checkCancellation()
        try connection.run(statement)
      }
    }
  }

  /// Runs a step, and reports the repeated values that violate a constraint.
  private func reportingDuplicates<Answer>(
    _ step: LayoutChange, _ connection: any Connection, _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try connection.attempt(body)
    } catch let error as DatabaseError where error.reason == .uniqueViolation {
      let issues = try step.uniquenessIssues(layout.tables, connection, dialect)
      throw issues.isEmpty ? error : Self.refusal(issues)
    }
  }

  private func normalizeTexts(
    of columns: [String], in table: String, _ connection: any Connection, _ progress: LayoutProgress
  ) throws {
    do {
      try connection.attempt {
        try TextNormalization(table: table, columns: columns).run(connection, dialect, progress)
      }
    } catch let failure as TextNormalization.RepeatedTexts {
      let issues = try LayoutChange.normalizeTexts(table: table, columns: failure.columns)
        .uniquenessIssues(layout.tables, connection, dialect)
      throw issues.isEmpty ? failure.underlying : Self.refusal(issues)
    }
  }

  /// Archives values.
  ///
  /// - Returns: The number of values; nil when there are none.
  private func archive(_ values: ArchivedValues, _ connection: any Connection) throws -> Int? {
    for statement in values.statements(dialect) { try connection.run(statement) }
    let count = connection.changeCount
    guard count > 0 else {
      try connection.execute(dialect.dropTable(values.table))
      return nil
    }
    if values.areLinks {
      try KeySequences.rename(values.source, to: values.table, connection, dialect)
    }
    return count
  }

  /// The keys and file names of rows that name files in a column.
  func fileNames(
    in column: TableDefinition.Column, of table: String, _ connection: any Connection
  ) throws -> [(key: Int64, name: String)] {
    var query = EntityLayout.fileNames(in: column.name, of: table)
    query.columns.insert(.column(LayoutNames.primaryKey), at: 0)
    var names: [(key: Int64, name: String)] = []
    try connection.forEachRow(dialect.render(query)) { names.append(($0.integer(0), $0.text(1))) }
    return names
  }

  /// Moves the contents of files into the rows that name them.
  ///
  /// - Returns: The files.
  private func adoptFiles(
    of column: TableDefinition.Column, in table: String, _ connection: any Connection, _ progress: LayoutProgress
  ) throws -> [String] {
    let names = try fileNames(in: column, of: table, connection)
    guard let files, !names.isEmpty else { return [] }
    let update = try connection.statement(
      dialect.render(Update(table, set: [.init(column.name, .parameter)], where: .isRow)).sql)
    // A bound value would stay with the statement.
    defer { update.clear() }
    for (key, name) in names {
      let data: Data
      do {
        data = try files.read(name)
      } catch {
        throw SwiftDataError.loadIssueModelContainer.with(
          message:
            "A property does not use external storage any more, and one of its values cannot be read from its file.",
          hint: "Restore the file, or add .externalStorage to the property again. The store was not changed.",
          underlying: error,
          issues: [
            .init(
              entity: column.owner ?? table, property: column.sourceName,
              message: "The file \(name) of row \(key) cannot be read.")
          ])
      }
      update.bind([.blob(data), .integer(key)])
      _ = try update.step()
      update.reset()
      try progress.advance(by: 1)
    }
    return names.map(\.name)
  }
}
