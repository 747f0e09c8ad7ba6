import CSQLite
import Foundation
import SwiftData
import Timing
import Workload

/// The migration of a store with a million rows, compared with SQL statements by hand.
struct MigrationCost {
  enum Change {
    /// An additional property with a default value.
    case addition
    case renaming
    /// A property that becomes optional, for which the table is rebuilt.
    case rebuilding
    /// A stage that iterates over the models of both versions.
    case mapping
  }

  let folder: StoreFolder
  let change: Change

  private static let rowCount = 1_000_000

  /// The seconds of the library.
  func measureLibrary() throws -> Double {
    try migrate(try copy())
  }

  /// The ratio of the library's time to that of SQL by hand.
  func measureBesideSQL() throws -> Double {
    let byHand = try run(statements, try copy())
    return try migrate(try copy()) / byHand
  }

  /// The ratio to a C program that reads each row, and writes it with its own statement.
  func measureBesideRows() throws -> Double {
    let byHand = try mapRows(of: try copy())
    return try migrate(try copy()) / byHand
  }

  private func copy() throws -> URL {
    let template = folder.file("migrated")
    if !FileManager.default.fileExists(atPath: template.path) {
      let container = try ModelContainer(
        for: Schema(versionedSchema: RowsV1.self), configurations: ModelConfiguration(url: template, history: .none))
      try container.close()
      _ = try run(
        """
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(Self.rowCount))
        INSERT INTO Row (title, count, note) SELECT 'row ' || n, n, 'note of ' || n FROM numbers
        """, template)
    }
    let copy = folder.file("migrated \(UUID().uuidString)")
    try FileManager.default.copyItem(at: template, to: copy)
    return copy
  }

  private func migrate(_ store: URL) throws -> Double {
    defer { try? FileManager.default.removeItem(at: store) }
    let configuration = ModelConfiguration(url: store, history: .none)
    return try CPUClock.seconds {
      let container =
        switch change {
        case .addition:
          try ModelContainer(for: Schema(versionedSchema: RowsV2.self), configurations: configuration)
        case .renaming:
          try ModelContainer(for: Schema(versionedSchema: RenamedRows.self), configurations: configuration)
        case .rebuilding:
          try ModelContainer(for: Schema(versionedSchema: OptionalRows.self), configurations: configuration)
        case .mapping:
          try ModelContainer(
            for: Schema(versionedSchema: RowsV2.self), migrationPlan: RowPlan.self, configurations: configuration)
        }
      try container.close()
    }
  }

  private var statements: String {
    switch change {
    case .addition: "ALTER TABLE Row ADD COLUMN total INTEGER NOT NULL DEFAULT 0"
    case .renaming: "ALTER TABLE Row RENAME COLUMN note TO remark"
    case .rebuilding:
      """
      CREATE TABLE made (_id INTEGER PRIMARY KEY, title TEXT NOT NULL, count INTEGER NOT NULL, note TEXT);
      INSERT INTO made SELECT _id, title, count, note FROM Row; DROP TABLE Row; ALTER TABLE made RENAME TO Row
      """
    case .mapping:
      """
      ALTER TABLE Row ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
      UPDATE Row SET total = 2 * count, title = 'Row ' || count
      """
    }
  }

  private struct Failure: Error {
    let code: Int32
  }

  private final class HandMadeRow {
    let key: Int64
    let title: String
    let count: Int64
    let note: String

    init(_ statement: OpaquePointer?) {
      func text(_ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
      }
      key = sqlite3_column_int64(statement, 0)
      title = text(1)
      count = sqlite3_column_int64(statement, 2)
      note = text(3)
    }
  }

  /// - Returns: Seconds.
  private func mapRows(of store: URL) throws -> Double {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    func check(_ code: Int32, _ expected: Int32 = SQLITE_OK) throws {
      guard code == expected else { throw Failure(code: code) }
    }
    return try CPUClock.seconds {
      try check(sqlite3_open(store.path, &handle))
      try check(
        sqlite3_exec(handle, "BEGIN; ALTER TABLE Row ADD COLUMN total INTEGER NOT NULL DEFAULT 0", nil, nil, nil))
      var (read, write): (OpaquePointer?, OpaquePointer?)
      defer {
        sqlite3_finalize(read)
        sqlite3_finalize(write)
      }
      let page = "SELECT _id, title, count, note FROM Row WHERE _id > ? ORDER BY _id LIMIT 1000"
      try check(sqlite3_prepare_v2(handle, page, -1, &read, nil))
      try check(sqlite3_prepare_v2(handle, "UPDATE Row SET total = ?, title = ? WHERE _id = ?", -1, &write, nil))
      var last: Int64 = 0
      while true {
        var rows: [HandMadeRow] = []
        sqlite3_bind_int64(read, 1, last)
        while sqlite3_step(read) == SQLITE_ROW { rows.append(HandMadeRow(read)) }
        sqlite3_reset(read)
        guard let end = rows.last else { break }
        last = end.key
        for row in rows {
          sqlite3_bind_int64(write, 1, 2 * row.count)
          let title = "Row \(row.count)"
          // Copied, because Swift's texts may move.
          sqlite3_bind_text(write, 2, title, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          sqlite3_bind_int64(write, 3, row.key)
          try check(sqlite3_step(write), SQLITE_DONE)
          sqlite3_reset(write)
        }
      }
      try check(sqlite3_exec(handle, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil))
    }
  }

  /// - Returns: Seconds.
  private func run(_ sql: String, _ store: URL) throws -> Double {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    return try CPUClock.seconds {
      let code = sqlite3_open(store.path, &handle)
      guard code == SQLITE_OK else { throw Failure(code: code) }
      let result = sqlite3_exec(handle, "BEGIN; \(sql); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
      guard result == SQLITE_OK else { throw Failure(code: result) }
    }
  }
}

private enum RowsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Row.self] }

  @Model
  final class Row {
    var title: String
    var count: Int
    var note: String

    init(title: String, count: Int, note: String) {
      self.title = title
      self.count = count
      self.note = note
    }
  }
}

private enum RowsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Row.self] }

  @Model
  final class Row {
    var title: String
    var count: Int
    var note: String
    var total = 0

    init(title: String, count: Int, note: String) {
      self.title = title
      self.count = count
      self.note = note
    }
  }
}

private enum RenamedRows: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Row.self] }

  @Model
  final class Row {
    var title: String
    var count: Int
    @Attribute(originalName: "note") var remark: String

    init(title: String, count: Int, remark: String) {
      self.title = title
      self.count = count
      self.remark = remark
    }
  }
}

private enum OptionalRows: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Row.self] }

  @Model
  final class Row {
    var title: String
    var count: Int
    var note: String?

    init(title: String, count: Int) {
      self.title = title
      self.count = count
    }
  }
}

private enum RowPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [RowsV1.self, RowsV2.self] }
  static var stages: [MigrationStage] {
    [
      .mapModels(
        fromVersion: RowsV1.self, toVersion: RowsV2.self, of: RowsV1.Row.self, to: RowsV2.Row.self
      ) { old, new in
        new.total = 2 * old.count
        new.title = "Row \(old.count)"
      }
    ]
  }
}
