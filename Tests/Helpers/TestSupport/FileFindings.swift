import Foundation
import Relational
import SQLiteDriver

/// Errors that SQLite finds in the file of a store.
func fileFindings(_ store: URL) throws -> [String] {
  let database = try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(store.path)))
  defer { try? database.close() }
  var findings: [String] = []
  try database.read { connection in
    try connection.forEachRow("PRAGMA integrity_check") { row in
      if row.text(0) != "ok" { findings.append("integrity_check: \(row.text(0))") }
    }
    try connection.forEachRow("PRAGMA foreign_key_check") { row in
      findings.append("foreign_key_check: a row of \(row.text(0)) refers to none of \(row.text(2))")
    }
  }
  return findings
}

/// The open files of this process that belong to a store, including SQLite's files, once for each descriptor.
func openFiles(of store: URL) throws -> [String] {
  let folder = "/proc/self/fd"
  let path = store.resolvingSymlinksInPath().path
  // Some may be closed meanwhile.
  return try FileManager.default.contentsOfDirectory(atPath: folder)
    .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    .filter { $0.hasPrefix(path) }
}
