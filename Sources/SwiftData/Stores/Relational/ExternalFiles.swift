import Foundation
import Relational

/// The files beside a store that hold the large values of external attributes.
///
/// A column that has its value in a file holds the file's name as text. A file is written and synced before the
/// transaction that names it commits, and removed after the one that forgets it did, so that a crash leaves files that
/// nobody names, never names without a file. The former are removed when the store is next opened for writing.
final class ExternalFiles: Sendable {
  /// Larger values go to files: 128 KiB, as on Apple's systems.
  static let threshold = 128 * 1024

  let folder: URL

  init(store: URL) {
    // With its extension, because a store with another one may lie beside this one.
    let name = store.lastPathComponent
    folder = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }

  func write(_ data: Data) throws -> String {
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    do {
      try data.write(to: url)
      let handle = try FileHandle(forWritingTo: url)
      try handle.synchronize()
      try handle.close()
    } catch {
      // A full disk may have taken a part of it.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    return name
  }

  func read(_ name: String) throws -> Data {
    guard UUID(uuidString: name) != nil else { throw CocoaError(.fileReadInvalidFileName) }
    return try Data(contentsOf: folder.appendingPathComponent(name))
  }

  func remove(_ names: some Sequence<String>) {
    for name in names where UUID(uuidString: name) != nil {
      do {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      } catch {
        Log.store.warning("The external file \(name) is left over: \(error)")
      }
    }
  }

  /// Removes the files that no row names. No save may be under way, so this is called in a write transaction.
  func removeOrphans(_ connection: any Connection, _ dialect: any Dialect, _ columns: [(table: String, column: String)])
    throws
  {
    let files = names()
    guard !files.isEmpty else { return }
    var named = Set<String>()
    for (table, column) in columns {
      let quoted = dialect.quoted(column)
      try connection.forEachRow(
        "SELECT \(quoted) FROM \(dialect.quoted(table)) WHERE typeof(\(quoted)) = 'text'"
      ) { named.insert($0.text(0)) }
    }
    remove(files.filter { !named.contains($0) })
  }

  /// The names of all files. No save may be under way, as for `removeOrphans`.
  func names() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }
}
