import Foundation
import Relational

/// Migrates a store to a schema and to the current format: plans the steps, and executes them in one transaction.
struct StoreMigration {
  let database: any Database
  let targets: MigrationTargets
  let files: ExternalFiles?

  struct Written {
    var metadata: StoreMetadata
    /// The files that no row names after the migration.
    var obsoleteFiles: [String] = []
  }

  /// Whether the store has to be migrated. It changes nothing.
  ///
  /// - Throws: The obstacles of the migration.
  func isNeeded(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    let plan = try migration(to: targets.first).plan(metadata, connection)
    return !plan.steps.isEmpty || !metadata.has(targets.last.record)
      || metadata.formatVersion < StoreMetadata.currentFormat
  }

  /// Whether a read-only container can use the store without the migration.
  func isReadable(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    let migration = migration(to: targets.last)
    guard case .success(let steps) = try migration.steps(metadata, connection) else { return false }
    return try steps.allSatisfy { step in
      switch step {
      // Texts are compared by their normal forms, whatever their form in the column.
      case .recordFiles, .changeDeleteRules, .normalizeTexts: true
      case .adoptFiles(let table, let column, _): try migration.fileNames(in: column, of: table, connection).isEmpty
      case .completeLinks(let links): try links.sourceFindings(DepartingRows(), connection, database.dialect).areMutual
      case .completeStructures(let field):
        try field.update == nil && field.issue(DepartingRows(), connection, database.dialect) == nil
      case .checkTargets(let check): try check.issue(DepartingRows(), connection, database.dialect) == nil
      // Sorting and searching plan without an index.
      default: step.isAboutSorting || step.isAboutSearches
      }
    }
  }

  /// Migrates the store. The steps are planned under the lock, because another process may migrate the store at once.
  ///
  /// The current `Progress` of the thread, if there is one, counts the rows.
  ///
  /// - Parameters:
  ///   - begin: Called under the lock, before anything is read.
  ///   - finish: Called in the same transaction, after the tables have changed.
  /// - Returns: Nil when the store is gone.
  /// - Throws: The obstacles, errors of the database, or `CancellationError`. The store is unchanged then.
  func execute(begin: () throws -> Void, finish: (any Connection) throws -> Void) throws -> Written? {
    try database.writeWithoutForeignKeys { connection -> Written? in
      try begin()
      guard var metadata = try StoreMetadata(reading: connection, database.dialect) else { return nil }
      try StoreOpening.check(metadata)
      let tables = targets.last.layout.tables
      if metadata.has(targets.last.record), try tables.found(connection, database.dialect) == tables {
        try finish(connection)
        return Written(metadata: metadata)
      }
      try targets.check(metadata)
      try FormatUpgrade.upgrade(&metadata, connection, database.dialect)
      let progress = Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(targets.all.count))
      let obsoleteFiles = try targets.all.flatMap { target in
        try migration(to: target).execute(&metadata, connection, of: progress)
      }
      try metadata.write(to: connection, database.dialect)
      try finish(connection)
      return Written(metadata: metadata, obsoleteFiles: obsoleteFiles)
    }
  }

  private func migration(to target: MigrationTarget) -> TargetMigration {
    TargetMigration(dialect: database.dialect, target: target, files: files)
  }
}
