import Foundation
import Relational
import SQLiteDriver

/// A test's own folder, which is removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "sqlite-driver-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "test.store") -> String { "\(path)/\(name)" }

  func contents(_ name: String = "test.store") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  /// Opens the database in a file of the folder.
  func database(
    _ name: String = "test.store", isReadOnly: Bool = false, busyTimeout: Double = 30
  ) throws -> SQLiteDatabase {
    try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: .file(file(name)), isReadOnly: isReadOnly, busyTimeout: busyTimeout))
  }
}

extension SQLiteDatabase {
  static func inMemory(_ change: (inout SQLiteConfiguration) -> Void = { _ in }) throws -> SQLiteDatabase {
    var configuration = SQLiteConfiguration(location: .memory)
    change(&configuration)
    return try SQLiteDatabase(configuration: configuration)
  }

  func execute(_ sql: String) throws {
    try write { try $0.execute(sql) }
  }

  /// The first column of the first row, as an integer.
  func integer(_ sql: String, _ parameters: [Value] = []) throws -> Int64? {
    try read { try $0.integer(sql, parameters) }
  }
}

extension Connection {
  func integer(_ sql: String, _ parameters: [Value] = []) throws -> Int64? {
    var result: Int64?
    try forEachRow(sql, parameters) { result = result ?? $0.integer(0) }
    return result
  }

  func rows(_ sql: String, _ parameters: [Value] = []) throws -> [Value] {
    var rows: [Value] = []
    try forEachRow(sql, parameters) { rows.append($0.value(0)) }
    return rows
  }
}

extension Statement {
  func value(_ column: Int32) -> Value {
    switch type(of: column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(text(column))
    case .blob: .blob(withBlob(column) { Data($0) })
    }
  }
}
