package import Foundation
import Relational

/// The parts of a store that can be damaged: its files, tables, columns and rows.
package struct StoreCatalog {
  struct Table {
    var name: String
    var columns: [String]
    /// The declared types of the columns.
    var types: [String]
    var count: Int
    /// Whether rows have primary keys; join tables and metadata have none.
    var hasKeys: Bool
  }

  private(set) var tables: [Table] = []
  private(set) var indexes: [String] = []
  /// The paths and sizes.
  private(set) var files: [(path: String, size: Int)] = []
  private(set) var layout = ""

  package init(of store: URL) throws {
    let folder = store.deletingLastPathComponent()
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
      var isFolder: ObjCBool = false
      let full = folder.appendingPathComponent(path).path
      guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      let size = (try FileManager.default.attributesOfItem(atPath: full)[.size] as? NSNumber)?.intValue ?? 0
      files.append((path, size))
    }
    let raw = RawStore(store)
    layout = try raw.texts("SELECT value FROM swiftdata_metadata WHERE key = 'layout'").first ?? ""
    indexes = try raw.texts("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    let names = try raw.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    for name in names {
      let columns = try raw.texts("SELECT name FROM pragma_table_info('\(name)')")
      let types = try raw.texts("SELECT type FROM pragma_table_info('\(name)')")
      let count = try raw.texts("SELECT count(*) FROM \(RawStore.quoted(name))").first.flatMap { Int($0) } ?? 0
      tables.append(
        Table(name: name, columns: columns, types: types, count: count, hasKeys: columns.contains("_id")))
    }
  }

  /// The external files of large values.
  var externalFiles: [String] {
    files.map(\.path).filter { $0.contains("_EXTERNAL_DATA/") }
  }

  /// The database and its log.
  var databaseFiles: [(path: String, size: Int)] {
    files.filter { !$0.path.contains("_EXTERNAL_DATA/") && $0.size > 0 }
  }
}
