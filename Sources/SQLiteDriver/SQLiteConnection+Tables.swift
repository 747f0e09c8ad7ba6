package import Relational

extension SQLiteConnection {
  package func tableNames() throws -> Set<String> {
    try tableNames(of: ["table", "virtual"])
  }

  private func tableNames(of types: [String]) throws -> Set<String> {
    var names: Set<String> = []
    let list = types.map { "'\($0)'" }.joined(separator: ", ")
    try forEachRow(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type IN (\(list)) AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ) { names.insert($0.text(0)) }
    return names
  }

  package func indexNames() throws -> Set<String> {
    var names: Set<String> = []
    try forEachRow("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") {
      names.insert($0.text(0))
    }
    return names
  }

  package func tables() throws -> [String: ExistingTable] {
    var tables: [String: ExistingTable] = [:]
    // The module of a virtual table reports its columns, and some modules report only that they are damaged.
    for name in try tableNames(of: ["table"]) {
      tables[name] = ExistingTable(name: name, columns: [], indexes: [])
      try forEachRow("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid", [.text(name)]) {
        // The columns of a primary key are never null, though SQLite does not list them as such.
        let isNullable = $0.integer(2) == 0 && $0.integer(3) == 0
        tables[name]?.columns.append(.init(name: $0.text(0), type: $0.text(1), isNullable: isNullable))
      }
      try forEachRow("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'", [.text(name)]) {
        _ = tables[name]?.indexes.insert($0.text(0))
      }
    }
    return tables
  }

  package func danglingReferences(of table: String) throws -> [DanglingReferences] {
    var dangling: [DanglingReferences] = []
    try forEachRow(
      """
      SELECT reference."from", row.parent, count(*) FROM pragma_foreign_key_check(?1) AS row
      JOIN pragma_foreign_key_list(?1) AS reference ON reference.id = row.fkid GROUP BY 1, 2 ORDER BY 1, 2
      """, [.text(table)]
    ) { dangling.append(DanglingReferences(column: $0.text(0), target: $0.text(1), count: Int($0.integer(2)))) }
    return dangling
  }
}
