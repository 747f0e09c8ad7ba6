import Foundation
import Relational
import SQLiteDriver
import SwiftData
import Testing

/// Reads and changes the files of stores without the library.
enum StoreFiles {
  /// - Parameters:
  ///   - sortKeys: The functions that indexes of texts use, without which their rows cannot be written.
  ///   - foldings: The same for search indexes.
  static func execute(
    _ sql: String, at url: URL, sortKeys: [SortKeyFunction] = [], foldings: [FoldingFunction] = []
  ) throws {
    if PostgresTests.areOn {
      return try PostgresTests.withDatabase(at: url) { database in
        try database.withoutTransaction { try $0.execute(PostgresTests.translated(sql)) }
      }
    }
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(url.path), sortKeys: sortKeys))
    try database.withoutTransaction { connection in
      if !foldings.isEmpty { try connection.trustTriggers(calling: foldings) }
      try connection.execute(sql)
    }
    try database.close()
  }

  /// Runs `body` while a program reads one snapshot of the store.
  static func reading(at url: URL, _ body: () throws -> Void) throws {
    if PostgresTests.areOn { return try PostgresTests.withDatabase(at: url) { try read($0, body) } }
    let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(url.path), isReadOnly: true))
    try read(database, body)
    try database.close()
  }

  private static func read(_ database: some Database, _ body: () throws -> Void) throws {
    try database.read { connection in
      _ = try connection.tableNames()
      try body()
    }
  }

  static func texts(_ sql: String, at url: URL, sortKeys: [SortKeyFunction] = []) throws -> [String] {
    if PostgresTests.areOn {
      return try PostgresTests.withDatabase(at: url) { try texts(PostgresTests.translated(sql), $0) }
    }
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(url.path), isReadOnly: true, sortKeys: sortKeys))
    defer { try? database.close() }
    return try texts(sql, database)
  }

  private static func texts(_ sql: String, _ database: some Database) throws -> [String] {
    try database.read { connection in
      var texts: [String] = []
      try connection.forEachRow(sql) { texts.append($0.text(0)) }
      return texts
    }
  }

  /// A hash of the rows of all tables of a store that is on a server; nil for one in a file.
  static func tables(of url: URL) throws -> String? {
    guard PostgresTests.areOn else { return nil }
    return try PostgresTests.withDatabase(at: url) { database in
      try texts("SELECT md5(schema_to_xml(current_schema(), true, false, '')::text)", database).first
    }
  }

  /// The names and contents of all files in a folder, without shared memory and an empty log, which SQLite leaves when a file
  /// was opened for reading only.
  static func contents(of folder: URL) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path -> (String, Data)? in
        guard !path.hasSuffix("-shm") else { return nil }
        let data = try? Data(contentsOf: folder.appendingPathComponent(path))
        return path.hasSuffix("-wal") && data?.isEmpty == true ? nil : data.map { (path, $0) }
      })
  }
}

/// Opens a store that must be refused, and checks that the error has an explanation and that the files in the folder stay
/// unchanged.
@discardableResult
func expectRefusal(
  in folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation, _ open: () throws -> ModelContainer
) throws -> SwiftDataError? {
  let before = try StoreFiles.contents(of: folder.url)
  let tables = try StoreFiles.tables(of: folder.file())
  let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation) { try open() }
  #expect(error == .loadIssueModelContainer, "\(String(describing: error))", sourceLocation: sourceLocation)
  #expect(error?.details?.message?.isEmpty == false, sourceLocation: sourceLocation)
  #expect(error?.details?.hint?.isEmpty == false, sourceLocation: sourceLocation)
  #expect(try StoreFiles.tables(of: folder.file()) == tables, sourceLocation: sourceLocation)
  let after = try StoreFiles.contents(of: folder.url)
  #expect(after.keys.sorted() == before.keys.sorted(), sourceLocation: sourceLocation)
  for (name, bytes) in before {
    #expect(after[name] == bytes, "\(name) was changed", sourceLocation: sourceLocation)
  }
  return error
}
