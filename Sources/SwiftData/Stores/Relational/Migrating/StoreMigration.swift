import Foundation
import Relational

/// Takes a store to a schema, and to the current format: finds the steps, and carries them out in one transaction.
struct StoreMigration {
  let database: any Database
  let targets: MigrationTargets
  let files: ExternalFiles?

  struct Written {
    var metadata: StoreMetadata
    /// The files that no row names any more.
    var obsoleteFiles: [String] = []
  }

  /// Whether there is anything to do, which is not done.
  ///
  /// - Throws: What stands in the way.
  func isNeeded(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    let work = try migration(to: targets.first).work(metadata, connection)
    return !work.steps.isEmpty || !metadata.has(targets.last.record)
      || metadata.formatVersion < StoreMetadata.currentFormat
  }

  /// Whether somebody who only reads can do without what there is to do.
  func isReadable(_ metadata: StoreMetadata, _ connection: any Connection) throws -> Bool {
    let migration = migration(to: targets.last)
    guard case .success(let steps) = try migration.steps(metadata, connection) else { return false }
    return try steps.allSatisfy { step in
      switch step {
      // Texts are compared by the form that all equal ones have, whichever they have in the column.
      case .recordFiles, .changeDeleteRules, .normalizeTexts: true
      case .adoptFiles(let table, let column, _): try migration.fileNames(in: column, of: table, connection).isEmpty
      case .completeLinks(let links): try links.sourceFindings(DepartingRows(), connection, database.dialect).areMutual
      case .completeStructures(let field):
        try field.update == nil && field.issue(DepartingRows(), connection, database.dialect) == nil
      case .checkTargets(let check): try check.issue(DepartingRows(), connection, database.dialect) == nil
      // The order itself needs no index, and neither do searches.
      default: step.isAboutSorting || step.isAboutSearches
      }
    }
  }

  /// Does what there is to do. Somebody else may be doing the same, so what that is is decided under the lock.
  ///
  /// The current `Progress` of the thread, if there is one, counts the rows.
  ///
  /// - Parameters:
  ///   - begin: Called under the lock, before anything is looked at.
  ///   - finish: Called in the same transaction, when the tables are those of the schema.
  /// - Returns: Nil when the store is gone.
  /// - Throws: What stands in the way, what the database throws, or `CancellationError`. Nothing has changed then.
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
