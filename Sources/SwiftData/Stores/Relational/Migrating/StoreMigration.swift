import Foundation
import Relational

/// Takes a store to a schema, and to the current format: finds the steps, and carries them out in one transaction.
struct StoreMigration {
  let database: any Database
  let layout: StoreLayout
  let record: SchemaRecord
  let files: ExternalFiles?
  let plan: (any SchemaMigrationPlan.Type)?

  /// What there is to do.
  private struct Work {
    var steps: [LayoutChange]
    /// What lies aside, the latest last.
    var kept: [KeptValues]
    /// Whether the store shall say that it has the schema.
    var isRecorded: Bool
  }

  struct Written {
    var metadata: StoreMetadata
    /// The files that no row names any more.
    var obsoleteFiles: [String] = []
  }

  /// Whether there is anything to do, which is not done.
  ///
  /// - Throws: What stands in the way.
  func isNeeded(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    let work = try work(metadata, connection)
    return !work.steps.isEmpty || work.isRecorded && !metadata.has(record)
      || metadata.formatVersion < StoreMetadata.currentFormat
  }

  /// Whether somebody who only reads can do without what there is to do.
  func isReadable(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    guard case .success(let steps) = try steps(metadata, kept(metadata, connection), [], connection) else {
      return false
    }
    return try steps.allSatisfy { step in
      switch step {
      // Texts are compared by the form that all equal ones have, whichever they have in the column.
      case .noteFiles, .changeDeleteRules, .normalizeTexts: true
      case .takeInFiles(let table, let column, _): try fileNames(in: column, of: table, connection).isEmpty
      case .completeLinks(let links): try links.sourceFindings(connection, database.dialect).areMutual
      // The order itself needs no index, and neither do searches.
      default: step.isAboutSorting || step.isAboutSearches
      }
    }
  }

  /// Does what there is to do. Somebody else may be doing the same, so what that is is decided under the lock.
  ///
  /// - Parameter finish: Called in the same transaction, when the tables are those of the schema.
  /// - Returns: Nil when the store is gone.
  func carryOut(finish: (any Connection) throws -> Void) throws -> Written? {
    try database.writeWithoutForeignKeys { connection -> Written? in
      guard var metadata = try StoreMetadata(reading: connection, database.dialect) else { return nil }
      try StoreOpening.check(metadata)
      if metadata.has(record), try layout.tables.found(connection, database.dialect) == layout.tables {
        try finish(connection)
        return Written(metadata: metadata)
      }
      try FormatUpgrade.upgrade(&metadata, connection, database.dialect)
      let work = try work(metadata, connection)
      let obsoleteFiles = try carryOut(work, &metadata, connection)
      try metadata.write(to: connection, database.dialect)
      try finish(connection)
      return Written(metadata: metadata, obsoleteFiles: obsoleteFiles)
    }
  }

  // MARK: What there is to do

  /// - Throws: What stands in the way.
  private func work(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Work {
    let kept = try kept(metadata, connection)
    switch try steps(metadata, kept, connection.tableNames(), connection) {
    case .success(let steps):
      let lacking = try lackingValues(steps, connection) + contradictingLinks(steps, connection)
      guard lacking.isEmpty else { throw Self.refusal(lacking) }
      let hasCode = plan?.hasCode == true
      if hasCode, !steps.allSatisfy(\.keepsModels) { try refuseStagesWithCode() }
      // A version that differs in nothing but its hash would be taken for reached, and its code would never run.
      return Work(steps: steps, kept: kept, isRecorded: !hasCode || metadata.schemaHash == record.hash)
    case .failure(let obstacles):
      throw Self.refusal(obstacles.issues)
    }
  }

  private func steps(
    _ metadata: StoreMetadata, _ kept: [KeptValues], _ taken: Set<String>, _ connection: any Connection
  ) throws -> Result<[LayoutChange], LayoutChange.Obstacles> {
    let old = try metadata.layout().found(connection, database.dialect)
    return LayoutChange.changes(from: old, to: layout.tables, kept: kept, taken: taken).map { steps in
      steps.contains(where: isIdle) ? steps.filter { !isIdle($0) } : steps
    }
  }

  /// What lies aside and is still there.
  private func kept(_ metadata: StoreMetadata, _ connection: any Connection) throws -> [KeptValues] {
    try KeptValues.held(metadata.kept(), connection)
  }

  /// Whether a step looks for the names of files in a store that says nothing of any, and there are none.
  private func isIdle(_ step: LayoutChange) -> Bool {
    guard case .takeInFiles(table: _, _, isKnown: false) = step else { return false }
    return files?.names().isEmpty ?? true
  }

  /// The properties that come back, must have a value, and have none in rows that were made without them.
  private func lackingValues(
    _ steps: [LayoutChange], _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    for case .bringBack(let values) in steps {
      for (index, column) in values.columns.enumerated() where values.required.contains(column.name) {
        var lacks = false
        let query = values.lackQuery(at: index, ownerCondition(column))
        try connection.forEachRow(database.dialect.render(query)) { _ in lacks = true }
        if lacks {
          issues.append(
            .init(
              entity: column.owner ?? values.table, property: column.sourceName,
              message: """
                It was removed, and there are models that have no value of it. It needs a default value or an optional \
                type to come back.
                """))
        }
      }
    }
    return issues
  }

  /// The to-ones that are their own inverses now, and of which models lead to some that do not lead back.
  private func contradictingLinks(
    _ steps: [LayoutChange], _ connection: any Connection
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    for case .completeLinks(let links) in steps {
      issues += try links.issue(links.sourceFindings(connection, database.dialect)).map { [$0] } ?? []
    }
    return issues
  }

  /// Which rows have values in a column, in a table that several entities share.
  private func ownerCondition(_ column: TableDefinition.Column) -> SQLExpression? {
    guard let owner = column.owner.flatMap({ layout.layout(named: $0) }), let type = owner.typeColumn
    else { return nil }
    return .isIn(.column(type), owner.family.map { .text($0.entity.name) })
  }

  /// Migration with code is not there yet, and leaving the code out would leave the models half migrated.
  private func refuseStagesWithCode() throws {
    for case .custom(let old, let new, _, _) in plan?.stages.filter(\.hasCode) ?? [] {
      let (old, new) = (Schema.qualifiedName(of: old), Schema.qualifiedName(of: new))
      throw StoreOpening.refusal(
        "The store has an older schema, and the migration plan has code to run from \(old) to \(new).",
        "This release does not run migration stages with code. The store was not changed.")
    }
  }

  private static func refusal(_ issues: [SwiftDataError.Issue]) -> SwiftDataError {
    SwiftDataError.loadIssueModelContainer.with(
      message: "The store was written with another schema, which cannot be taken up silently.",
      hint: "Give new properties a default value or an optional type, or migrate the store. It was not changed.",
      issues: issues)
  }

  // MARK: Doing it

  /// - Returns: The files that no row names any more once the transaction is over.
  private func carryOut(
    _ work: Work, _ metadata: inout StoreMetadata, _ connection: any Connection
  ) throws -> [String] {
    var kept = work.kept
    var obsoleteFiles: [String] = []
    let references = try ReferenceCheck(work.steps, layout.tables, connection)
    let firstUse = work.steps.firstIndex { !$0.dropsSearch }
    for (index, step) in work.steps.enumerated() {
      // By now, indexes for searches that are left are those of the schema.
      if index == firstUse { try layout.tables.trustTriggers(connection, database.dialect, layout.folding) }
      switch step {
      case .keep(let values):
        if try keep(values, connection) { kept.append(values) }
        continue
      case .bringBack(let values):
        kept.removeAll { $0 == values.kept }
        if values.kept.areLinks {
          try KeySequences.rename(values.kept.table, to: values.table, connection, database.dialect)
        }
      case .takeInFiles(let table, let column, _):
        obsoleteFiles += try takeInFiles(of: column, in: table, connection)
      case .completeLinks(let links):
        try links.complete(connection, database.dialect)
      case .normalizeTexts(let table, let columns):
        try normalizeTexts(of: columns, in: table, connection)
      case .renameTable(let from, let to):
        try KeySequences.rename(from, to: to, connection, database.dialect)
      case .dropTable(let table):
        try KeySequences.remove(table, connection, database.dialect)
      default: break
      }
      try run(step, connection)
    }
    try references.finish(connection)
    metadata.keptText = try SchemaRecord.json(kept)
    metadata.layoutText = record.layout
    if work.isRecorded {
      (metadata.schemaVersion, metadata.schemaHash) = (record.version, record.hash)
      metadata.schemaText = try record.schemaText()
    }
    // Who has the store open goes on undisturbed when nothing but the format is another one.
    if !work.steps.isEmpty { metadata.layoutIdentifier = UUID().uuidString }
    return obsoleteFiles
  }

  private func run(_ step: LayoutChange, _ connection: any Connection) throws {
    do {
      for statement in step.statements(database.dialect) { try connection.run(statement) }
    } catch let error as DatabaseError where error.reason == .uniqueViolation {
      let issues = step.uniquenessIssues(layout.tables)
      throw issues.isEmpty ? error : Self.refusal(issues)
    }
  }

  private func normalizeTexts(of columns: [String], in table: String, _ connection: any Connection) throws {
    do {
      try TextNormalization(table: table, columns: columns).run(connection, database.dialect)
    } catch let clash as TextNormalization.Clash {
      let issues = LayoutChange.normalizeTexts(table: table, columns: clash.columns).uniquenessIssues(layout.tables)
      throw issues.isEmpty ? clash.underlying : Self.refusal(issues)
    }
  }

  /// Puts values aside.
  ///
  /// - Returns: Whether there are any.
  private func keep(_ values: KeptValues, _ connection: any Connection) throws -> Bool {
    for statement in values.statements(database.dialect) { try connection.run(statement) }
    guard connection.changeCount > 0 else {
      try connection.execute(database.dialect.dropTable(values.table))
      return false
    }
    if values.areLinks {
      try KeySequences.rename(values.source, to: values.table, connection, database.dialect)
    }
    return true
  }

  /// The rows that have the names of files in a column, by their keys.
  private func fileNames(
    in column: TableDefinition.Column, of table: String, _ connection: any Connection
  ) throws -> [(key: Int64, name: String)] {
    var query = EntityLayout.fileNames(in: column.name, of: table)
    query.columns.insert(.column(LayoutNames.primaryKey), at: 0)
    var names: [(key: Int64, name: String)] = []
    try connection.forEachRow(database.dialect.render(query)) { names.append(($0.integer(0), $0.text(1))) }
    return names
  }

  /// Puts what files have into the rows that name them: SQL would compare the names.
  ///
  /// - Returns: The files.
  private func takeInFiles(
    of column: TableDefinition.Column, in table: String, _ connection: any Connection
  ) throws -> [String] {
    let names = try fileNames(in: column, of: table, connection)
    guard let files, !names.isEmpty else { return [] }
    let update = try connection.statement(
      database.dialect.render(Update(table, set: [.init(column.name, .parameter)], where: .isRow)).sql)
    // The last value would stay with the statement.
    defer { update.clear() }
    for (key, name) in names {
      let data: Data
      do {
        data = try files.read(name)
      } catch {
        throw SwiftDataError.loadIssueModelContainer.with(
          message: "A property asks for external storage no more, and a value of it cannot be read from its file.",
          hint: "Restore the file, or give the property .externalStorage again. The store was not changed.",
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
    }
    return names.map(\.name)
  }
}

extension SchemaMigrationPlan {
  fileprivate static var hasCode: Bool {
    stages.contains(where: \.hasCode)
  }
}
