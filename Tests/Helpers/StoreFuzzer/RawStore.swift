package import Foundation
import Relational
import SQLiteDriver
import SwiftData

/// A store's file as SQLite sees it, without the library except for the functions that its indexes use.
package struct RawStore {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  /// Runs statements without enforcing foreign keys.
  package func execute(_ sql: String) throws {
    try withConnection { connection in
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.execute(sql)
    }
  }

  func withConnection<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    let database = try open(isReadOnly: false)
    defer { try? database.close() }
    return try database.withoutTransaction(body)
  }

  private func open(isReadOnly: Bool) throws -> SQLiteDatabase {
    try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: .file(url.path), isReadOnly: isReadOnly, sortKeys: TextSorting.current.functions))
  }

  package func texts(_ sql: String) throws -> [String] {
    let database = try open(isReadOnly: true)
    defer { try? database.close() }
    return try database.read { connection in
      var texts: [String] = []
      try connection.forEachRow(sql) { texts.append($0.text(0)) }
      return texts
    }
  }

  /// All rows of the tables of models.
  package func contents() throws -> StoreContents {
    let database = try open(isReadOnly: true)
    defer { try? database.close() }
    return try database.read { connection in
      var contents = StoreContents()
      try connection.forEachRow("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") {
        contents.isPredictable = $0.integer(0) == 0
      }
      try connection.forEachRow("PRAGMA quick_check(1)") {
        if $0.text(0) != "ok" { contents.isPredictable = false }
      }
      var names: [String] = []
      try connection.forEachRow(
        """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
        AND name NOT LIKE 'swiftdata%' ORDER BY name
        """
      ) { names.append($0.text(0)) }
      for name in names { contents.tables[name] = try Self.table(name, connection) }
      return contents
    }
  }

  private static func table(_ name: String, _ connection: any Connection) throws -> StoreContents.Table {
    var table = StoreContents.Table()
    try connection.forEachRow("SELECT name FROM pragma_table_info(?)", [.text(name)]) {
      table.columns.append($0.text(0))
    }
    // Long values by their beginning and their length: no damage changes only the middle of a value.
    let values = table.columns.map { column in
      let column = quoted(column)
      return """
        typeof(\(column)) || CASE WHEN length(\(column)) > 500 \
        THEN length(\(column)) || quote(substr(\(column), 1, 50)) ELSE quote(\(column)) END
        """
    }
    try connection.forEachRow("SELECT \(values.joined(separator: ", ")) FROM \(quoted(name)) NOT INDEXED") { row in
      table.rows.append(table.columns.indices.map { row.text(Int32($0)) })
    }
    return table
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
  }
}

/// The contents of a store's tables.
package struct StoreContents: Equatable {
  struct Table: Equatable {
    var columns: [String] = []
    var rows: [[String]] = []
  }

  var tables: [String: Table] = [:]
  /// Whether a change of one row never changes others: there are no triggers, and no tables share pages.
  var isPredictable = true

  /// The differences from earlier contents, at most a few.
  ///
  /// - Parameter isExpected: Whether a difference in a column of a table is ignored.
  package func differences(
    from before: StoreContents, except isExpected: (_ table: String, _ column: String) -> Bool = { _, _ in false }
  ) -> [String] {
    var differences: [String] = []
    for (name, old) in before.tables.sorted(by: { $0.key < $1.key }) {
      guard let new = tables[name], new.columns == old.columns, new.rows.count == old.rows.count else {
        differences.append("\(name): \(old.rows.count) rows before, and \(tables[name]?.rows.count ?? -1) after")
        continue
      }
      for (oldRow, newRow) in zip(old.rows, new.rows) where oldRow != newRow {
        for (index, column) in old.columns.enumerated()
        where oldRow[index] != newRow[index] && !isExpected(name, column) {
          differences.append(
            "\(name).\(column) of \(oldRow.first ?? ""): \(oldRow[index].prefix(60)) became \(newRow[index].prefix(60))"
          )
        }
      }
    }
    return Array(differences.prefix(5))
  }
}
