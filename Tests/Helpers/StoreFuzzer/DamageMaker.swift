/// Generates damage.
struct DamageMaker {
  let catalog: StoreCatalog
  var random: FuzzGenerator

  /// Removes the constraints that prevent columns from having values that their properties cannot have.
  static let relaxation = """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
    PRAGMA writable_schema = RESET;
    """

  init(_ catalog: StoreCatalog, _ random: FuzzGenerator) {
    self.catalog = catalog
    self.random = random
  }

  mutating func damages() -> [StoreDamage] {
    let count = random.chance(2) ? 1 : 1 + random.number(below: 6)
    switch random.number(below: 24) {
    case 0..<6: return (0..<count).map { _ in bytes() }
    case 6..<12: return [.sql(Self.relaxation)] + (0..<count).map { _ in .sql(value()) }
    case 12..<14: return (0..<count).map { _ in .sql(value(ofFittingType: true)) }
    case 20..<24: return (0..<count + 1).map { _ in .sql(link()) }
    case 14..<16: return (0..<count).map { _ in .sql(structure()) }
    case 16: return [.sql(metadata())]
    case 17: return [.sql(layout())]
    case 18: return (0..<count).map { _ in file() }
    default:
      return [.sql(Self.relaxation)]
        + (0..<max(2, count)).map { _ in
          switch random.number(below: 5) {
          case 0: .sql(structure())
          case 1: .sql(metadata())
          case 2: file()
          default: .sql(value())
          }
        } + (random.chance(2) ? [bytes()] : [])
    }
  }

  // MARK: Bytes

  private mutating func bytes() -> StoreDamage {
    guard let (file, size) = random.element(of: catalog.databaseFiles) else { return .sql("") }
    let offset = place(in: size)
    switch random.number(below: 10) {
    case 0..<4: return .flip(file: file, at: offset, mask: 1 << UInt8(random.number(below: 8)))
    case 4..<6: return .overwrite(file: file, at: offset, with: extremeBytes())
    case 6:
      let count = 1 + random.number(below: 64)
      return .overwrite(
        file: file, at: offset, with: (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    case 7:
      return .overwrite(file: file, at: offset, with: Array(repeating: 0, count: 1 + random.number(below: 5000)))
    case 8:
      guard random.chance(2) else { return .truncate(file: file, to: offset) }
      return .append(file: file, (0..<random.number(below: 6000)).map { UInt8(truncatingIfNeeded: $0) })
    default:
      let pages = max(1, size / 4096)
      return .copy(
        file: file, from: 4096 * random.number(below: pages), to: 4096 * random.number(below: pages), count: 4096)
    }
  }

  /// An offset in a file: anywhere, in the header, or near the beginning of a page, where SQLite's structures are.
  private mutating func place(in size: Int) -> Int {
    switch random.number(below: 4) {
    case 0: return random.number(below: min(size, 140))
    case 1: return min(size - 1, 4096 * random.number(below: max(1, size / 4096)) + random.number(below: 40))
    default: return random.number(below: size)
    }
  }

  private mutating func extremeBytes() -> [UInt8] {
    let patterns: [[UInt8]] = [
      [0xFF], [0x00], [0x7F], [0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0, 0, 0, 1],
      Array(repeating: 0xFF, count: 9), [0x7F] + Array(repeating: 0xFF, count: 8), [0x81, 0x80, 0x00], [0x06], [0x07],
      [0x08], [0x09], [0x0D], [0x0A], [0x05], [0x02],
    ]
    return random.element(of: patterns) ?? [0]
  }

  // MARK: Rows

  private mutating func table() -> StoreCatalog.Table? {
    // Tables with many columns are chosen more often.
    let weighted = catalog.tables.flatMap { table in Array(repeating: table, count: max(1, table.columns.count / 6)) }
    return random.element(of: weighted)
  }

  /// Sets a value of a row, or of all rows.
  private mutating func value(ofFittingType isFitting: Bool = false) -> String {
    guard let table = table(), let column = random.element(of: table.columns) else { return "" }
    if isFitting {
      return """
        UPDATE OR IGNORE \(RawStore.quoted(table.name)) \
        SET \(RawStore.quoted(column)) = \(fittingValue(column, table)) WHERE \(row(of: table))
        """
    }
    let name = RawStore.quoted(table.name)
    switch random.number(below: 14) {
    case 0:
      return "DELETE FROM \(name) WHERE \(row(of: table))"
    case 1:
      return "INSERT OR REPLACE INTO \(name) SELECT \(copiedColumns(of: table)) FROM \(name) WHERE \(row(of: table))"
    case 2 where table.hasKeys:
      return "UPDATE OR IGNORE \(name) SET _id = \(integer()) WHERE \(row(of: table))"
    case 3:
      return "UPDATE OR IGNORE \(name) SET \(RawStore.quoted(column)) = \(anyValue(column, table))"
    default:
      return
        "UPDATE OR IGNORE \(name) SET \(RawStore.quoted(column)) = \(anyValue(column, table)) WHERE \(row(of: table))"
    }
  }

  private mutating func copiedColumns(of table: StoreCatalog.Table) -> String {
    let changed = random.number(below: table.columns.count)
    return table.columns.enumerated().map { index, column in
      column == "_id"
        ? (random.chance(2) ? integer() : "NULL")
        : index == changed ? anyValue(column, table) : RawStore.quoted(column)
    }.joined(separator: ", ")
  }

  private mutating func row(of table: StoreCatalog.Table) -> String {
    let place = random.number(below: max(1, table.count))
    guard table.hasKeys else {
      let key = RawStore.quoted(table.columns[0])
      return "\(key) = (SELECT \(key) FROM \(RawStore.quoted(table.name)) LIMIT 1 OFFSET \(place))"
    }
    switch random.number(below: 6) {
    case 0: return "_id % \(2 + random.number(below: 5)) = 0"
    case 1: return "_id >= \(place)"
    default: return "_id = \(place + 1)"
    }
  }

  /// A value of the column's type, which most properties can have.
  private mutating func fittingValue(_ column: String, _ table: StoreCatalog.Table) -> String {
    let type = table.columns.firstIndex(of: column).map { table.types[$0] }
    switch type {
    case "INTEGER": return integer()
    case "REAL": return real()
    case "BLOB": return random.chance(4) ? text() : blob()
    default:
      switch random.number(below: 3) {
      case 0: return json()
      case 1: return edited(RawStore.quoted(column))
      default: return text()
      }
    }
  }

  /// Changes references, positions and entities of rows: each value is one that a row may have.
  private mutating func link() -> String {
    var places: [(table: StoreCatalog.Table, column: String)] = []
    for table in catalog.tables where !table.name.hasPrefix("swiftdata") {
      for column in table.columns
      where column.hasSuffix("_id") && column != "_id" || column.hasSuffix("_position") || column == "_type"
        || ["code", "word", "count"].contains(column)
      {
        places.append((table, column))
      }
    }
    guard let (table, column) = random.element(of: places) else { return "" }
    let (name, quoted) = (RawStore.quoted(table.name), RawStore.quoted(column))
    let value: String
    switch column {
    case "_type": value = random.element(of: ["'Exhibit'", "'Painting'", "'Sculpture'"]) ?? "''"
    case "code", "word":
      let index = "\(table.name)_\(column)_unique"
      return
        "DROP INDEX IF EXISTS \(RawStore.quoted(index)); UPDATE \(name) SET \(quoted) = 'code 1' WHERE \(row(of: table))"
    default:
      value =
        switch random.number(below: 4) {
        case 0: table.hasKeys ? "_id" : "1"
        case 1: integer()
        default: "\(1 + random.number(below: 40))"
        }
    }
    return "UPDATE OR IGNORE \(name) SET \(quoted) = \(value) WHERE \(row(of: table))"
  }

  private mutating func anyValue(_ column: String, _ table: StoreCatalog.Table) -> String {
    if !random.chance(3) { return fittingValue(column, table) }
    let own = RawStore.quoted(column)
    switch random.number(below: 12) {
    case 0..<4: return random.chance(3) ? real() : integer()
    case 4..<6: return text()
    case 6: return blob()
    case 7: return json()
    case 8: return "NULL"
    case 9: return RawStore.quoted(random.element(of: table.columns) ?? column)
    case 10:
      let other = random.number(below: max(1, table.count))
      return "(SELECT \(own) FROM \(RawStore.quoted(table.name)) LIMIT 1 OFFSET \(other))"
    default: return edited(own)
    }
  }

  /// The present value with a change.
  private mutating func edited(_ column: String) -> String {
    let length = 1 + random.number(below: 20)
    let edits = [
      "substr(\(column), 1, \(length))", "substr(\(column), \(length))", "\(column) || 'x'",
      "CAST(\(column) AS TEXT)", "CAST(\(column) AS BLOB)", "CAST(\(column) AS INTEGER)", "CAST(\(column) AS REAL)",
      "-\(column)", "replace(\(column), '\"', '')", "replace(\(column), '1', '\"a\"')", "upper(\(column))",
      "replace(\(column), ' ', char(0))", "\(column) || \(column)", "replace(\(column), '{', '[')",
      "replace(\(column), 'layers', '_0')", "char(10) || \(column)", "lower(hex(\(column)))",
    ]
    return random.element(of: edits) ?? column
  }

  private mutating func integer() -> String {
    let values = [
      "9223372036854775807", "(-9223372036854775807 - 1)", "-1", "0", "1", "2", "4611686018427387904",
      "4611686018427387903", "4611686018427387905", "9223372036854775806", "-2", "-9223372036854775807", "127", "128",
      "255", "256", "32768", "65536", "2147483647", "2147483648", "4294967296", "9007199254740993", "100000",
      "1000000000000",
    ]
    return random.chance(4) ? "\(random.number(below: 100))" : random.element(of: values) ?? "0"
  }

  private mutating func real() -> String {
    random.element(of: [
      "9e999", "-9e999", "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "0.5", "-0.0", "1e19", "-1e19",
      "9.3e18", "1e300", "63113904000.5", "4e12", "-4e12", "'NaN'",
    ]) ?? "0"
  }

  private mutating func text() -> String {
    random.element(of: [
      "''", "'x'", "'0'", "'12abc'", "'-1'", "'9223372036854775808'", "CAST(x'FF80C0' AS TEXT)",
      "CAST(x'610062' AS TEXT)", "CAST(x'00' AS TEXT)", "CAST(x'EDA080' AS TEXT)", "CAST(x'F4908080' AS TEXT)",
      "replace(hex(zeroblob(30000)), '0', 'a')", "replace(hex(zeroblob(20000)), '0', char(769))", "'Exhibit'",
      "'Painting'", "'Sculpture'", "'Room'", "'painting'", "'../../test.store'",
      "'00000000-0000-4000-8000-000000000001'", "'00000000-0000-4000-8000-00000000000A'", "'P503123 123'",
      "'P500 1e99999999999999999999'", "'P500 1e-99999999999999999999'", "'P500 1e128'", "'P500 -'", "'P500 '",
      "'N ~ -1e127'", "'P 99999999999999999999999999999999999999999999999999'", "'1e400'", "'0x10'", "'.'", "'1.2.3'",
      "'P500 ' || replace(hex(zeroblob(20000)), '0', '9')", "'http://['", "char(10)", "'a' || char(10) || 'b'",
      "char(10) || char(10)", "'file:///' || replace(hex(zeroblob(5000)), '0', '../')", "'%'", "'shown'", "'SHOWN'",
      "'lost' || char(0)", "'swiftdata_parked_1'", "char(127462, 127463)", "char(65533)", "'1970-01-01'",
    ]) ?? "''"
  }

  private mutating func blob() -> String {
    random.element(of: [
      "x''", "x'00'", "x'FF'", "x'0102'", "zeroblob(16)", "zeroblob(15)", "zeroblob(17)", "zeroblob(8)",
      "x'FFFFFFFFFFFFFFFF'", "x'0000000000000001'", "x'7FFFFFFFFFFFFFFF'", "x'8000000000000000'",
      "zeroblob(3000000)", "x'5B5B5B'", "x'7B7D'",
    ]) ?? "x''"
  }

  private mutating func json() -> String {
    func deep(_ opening: String, _ depth: Int) -> String {
      "replace(hex(zeroblob(\(depth / 2))), '0', '\(opening)')"
    }
    return random.element(of: [
      "'{}'", "'[]'", "'null'", "'1'", "'\"a\"'", "'{'", "'['", "'[1'", "'[1,2'", "'[null]'", "'{\"a\":null}'",
      "'[1e400]'", "'[\"inf\"]'", "'{\"plain\":{}}'", "'{\"plain\":{},\"painted\":{\"layers\":1}}'",
      "'{\"painted\":{}}'", "'{\"painted\":{\"layers\":9223372036854775808}}'", "'{\"painted\":{\"layers\":1.5}}'",
      "'{\"end\":{\"_0\":\"nan\"}}'", "'{\"one\":9223372036854775807}'", "'{\"one\":1,\"one\":2}'", "'[\"\\ud800\"]'",
      "'[\"\\u0000\"]'", "'{\"\":1}'", "' [ ] '", "'[],'", "'NaN'", "'[-]'", "'[00]'", "'[1.]'", "'[\"a]'",
      "'[\"\\x\"]'",
      deep("[", 40_000), deep("{\"a\":", 20_000), deep("{\"bend\":{\"_0\":", 8000),
      "\(deep("{\"bend\":{\"_0\":", 400)) || '{\"end\":{\"_0\":1}}' || \(deep("}}", 400))",
      "\(deep("[", 300)) || \(deep("]", 300))", "\(deep("[", 20_000)) || \(deep("]", 20_000))",
      "'[' || \(deep("\"a\",", 20_000)) || '\"a\"]'", "'[' || \(deep("1", 20_000)) || ']'",
    ]) ?? "'{}'"
  }

  // MARK: Tables

  private mutating func structure() -> String {
    guard let table = random.element(of: catalog.tables), let column = random.element(of: table.columns) else {
      return ""
    }
    let name = RawStore.quoted(table.name)
    let quoted = RawStore.quoted(column)
    let index = RawStore.quoted(random.element(of: catalog.indexes) ?? "")
    switch random.number(below: 16) {
    case 0: return "DROP TABLE \(name)"
    case 1, 2: return "DROP INDEX \(index)"
    case 3: return "ALTER TABLE \(name) DROP COLUMN \(quoted)"
    case 4: return "ALTER TABLE \(name) RENAME COLUMN \(quoted) TO other"
    case 5: return "ALTER TABLE \(name) RENAME TO other"
    case 6: return "ALTER TABLE \(name) RENAME TO other; CREATE VIEW \(name) AS SELECT * FROM other"
    case 7: return "ALTER TABLE \(name) ADD COLUMN more INTEGER"
    case 8:
      let act = random.element(of: ["IGNORE", "ABORT, 'no'", "ROLLBACK, 'no'", "FAIL, 'no'"]) ?? "IGNORE"
      let event = random.element(of: ["INSERT", "UPDATE", "DELETE"]) ?? "UPDATE"
      return "CREATE TRIGGER bad BEFORE \(event) ON \(name) BEGIN SELECT RAISE(\(act)); END"
    case 9:
      return "CREATE TRIGGER worse AFTER UPDATE ON \(name) BEGIN DELETE FROM \(name); END"
    case 10:
      // Without keys, types and conditions, and with some rows twice.
      return """
        CREATE TABLE loose AS SELECT * FROM \(name); DROP TABLE \(name); CREATE TABLE \(name) AS SELECT * FROM loose;
        INSERT INTO \(name) SELECT * FROM loose LIMIT \(random.number(below: 4)); DROP TABLE loose
        """
    case 11:
      let types = ["INTEGER", "REAL", "TEXT", "BLOB"]
      let (from, to) = (random.element(of: types) ?? "", random.element(of: types) ?? "")
      return """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' \(from)', ' \(to)') WHERE name = '\(table.name)';
        PRAGMA writable_schema = RESET
        """
    case 12:
      let edit = random.element(of: [
        "sql = NULL", "rootpage = \(random.number(below: 60))", "sql = sql || 'x'", "name = 'other'", "tbl_name = 'x'",
        "sql = replace(sql, 'CREATE TABLE', 'CREATE VIRTUAL TABLE')", "type = 'view'", "rootpage = 0",
        "sql = replace(sql, 'PRIMARY KEY', '')", "sql = replace(sql, 'WITHOUT ROWID', '')",
        "sql = replace(sql, 'INTEGER PRIMARY KEY', 'INTEGER PRIMARY KEY DESC')",
      ])
      return """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET \(edit ?? "sql = NULL") WHERE rowid = \(1 + random.number(below: 30));
        PRAGMA writable_schema = OFF
        """
    case 13: return "DELETE FROM \(name)"
    case 14: return "DROP INDEX \(index); CREATE UNIQUE INDEX \(index) ON \(name) (\(quoted)) WHERE 0"
    default:
      return random.element(of: [
        "PRAGMA user_version = -1", "PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = 1; VACUUM",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM", "PRAGMA application_id = 7",
        "CREATE TABLE more (a)", "CREATE VIEW v AS SELECT * FROM nothing",
        "CREATE VIRTUAL TABLE fts USING fts5(a)", "CREATE TABLE sequences (a); INSERT INTO sequences VALUES (1)",
      ]) ?? ""
    }
  }

  // MARK: Metadata

  private mutating func metadata() -> String {
    let keys = [
      "format_version", "store_identifier", "schema_version", "schema_hash", "layout", "schema", "kept_values",
    ]
    let key = random.element(of: keys) ?? ""
    switch random.number(below: 8) {
    case 0: return "DELETE FROM swiftdata_metadata WHERE key = '\(key)'"
    case 1: return "UPDATE swiftdata_metadata SET key = \(text()) WHERE key = '\(key)'"
    case 2: return "INSERT OR IGNORE INTO swiftdata_metadata VALUES (\(text()), \(text()))"
    case 3:
      let name = random.element(of: catalog.tables.map(\.name)) ?? ""
      return "INSERT OR REPLACE INTO swiftdata_sequences (name, last) VALUES ('\(name)', \(integer()))"
    case 4:
      let name = random.element(of: catalog.tables.map(\.name)) ?? ""
      return "INSERT OR REPLACE INTO swiftdata_sequences (name, last) VALUES ('\(name)', \(text()))"
    default:
      let value = random.element(of: [integer(), real(), text(), blob(), json()]) ?? "0"
      return "UPDATE swiftdata_metadata SET value = \(value) WHERE key = '\(key)'"
    }
  }

  /// Changes the store's description of its own tables.
  private mutating func layout() -> String {
    var editor = JSONEditor(random: random)
    let edited = editor.edit(catalog.layout)
    random = editor.random
    return
      "UPDATE swiftdata_metadata SET value = '\(edited.replacingOccurrences(of: "'", with: "''"))' WHERE key = 'layout'"
  }

  // MARK: Files

  private mutating func file() -> StoreDamage {
    let store = StoreTemplate.storeName
    let beside = [
      "\(store)-wal", "\(store)-shm", "\(store)-journal", ".\(store)_SUPPORT", ".\(store)_SUPPORT/_EXTERNAL_DATA",
      ".\(store)_SUPPORT/_EXTERNAL_DATA/00000000-0000-4000-8000-00000000000F",
    ]
    let file =
      random.chance(3) ? random.element(of: beside) ?? store : random.element(of: catalog.externalFiles) ?? store
    switch random.number(below: 8) {
    case 0: return .remove(file: file)
    case 1: return .makeFolder(file: file)
    case 2:
      let target = random.element(of: ["/dev/zero", "/dev/null", "nowhere", store, file, "."])
      return .link(file: file, to: target ?? "nowhere")
    case 3: return .makePipe(file: file)
    case 4: return .stretch(file: file, to: 1 << 44)
    case 5: return .truncate(file: file, to: random.number(below: 1000))
    case 6: return .overwrite(file: file, at: 0, with: Array(repeating: 0xA5, count: 5000))
    default: return .append(file: file, Array(repeating: 7, count: random.number(below: 5000)))
    }
  }
}
