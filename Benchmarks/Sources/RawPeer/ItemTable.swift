import CSQLite

/// SQL for the library's tables, whose columns are read from the schema.
struct ItemTable {
  private static let attributes = ["name", "detail", "count", "price", "created", "flag"]

  let key: String
  let owner: String
  private let ownerKey: String
  /// The library's own columns that must not be null.
  private let otherRequired: [String]

  init(_ connection: Connection) throws {
    let items = try Self.columns(of: "Item", connection)
    let owners = try Self.columns(of: "Owner", connection)
    guard let key = items.first(where: \.isKey), let ownerKey = owners.first(where: \.isKey),
      let owner = items.first(where: { $0.name == "owner_id" || $0.name == "owner" }),
      Self.attributes.allSatisfy({ name in items.contains { $0.name == name } })
    else {
      throw SQLiteFailure("The table Item has other columns than expected: \(items.map(\.name))")
    }
    self.key = Self.quoted(key.name)
    self.owner = Self.quoted(owner.name)
    self.ownerKey = Self.quoted(ownerKey.name)
    let known = Set(Self.attributes + [key.name, owner.name])
    otherRequired = items.filter { $0.isRequired && !known.contains($0.name) }.map { Self.quoted($0.name) }
  }

  /// Selects the eight values in the order that `Item` decodes.
  var select: String {
    let columns = [key] + Self.attributes.map(Self.quoted) + [owner]
    return "SELECT \(columns.joined(separator: ", ")) FROM \"Item\""
  }

  var selectOwners: String {
    "SELECT \(ownerKey), \"name\" FROM \"Owner\" ORDER BY \"name\""
  }

  /// Inserts the seven values after the key, in the order of `select`.
  var insert: String {
    let columns = Self.attributes.map(Self.quoted) + [owner] + otherRequired
    let values = Array(repeating: "?", count: Self.attributes.count + 1) + otherRequired.map { _ in "0" }
    return """
      INSERT INTO "Item" (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))
      """
  }

  /// Selects the digest of all items in the order that `Inspection` reads.
  var digest: String {
    """
    SELECT count(*), sum(length("Item"."name")), count("detail"), sum("count"), sum("price"), sum("created"),
      sum("flag"), count(\(owner)), sum("count" * CAST(substr("Owner"."name", 7) AS INTEGER))
    FROM "Item" LEFT JOIN "Owner" ON "Owner".\(ownerKey) = \(owner)
    """
  }

  private struct Column {
    let name: String
    let isKey: Bool
    let isRequired: Bool
  }

  private static func columns(of table: String, _ connection: Connection) throws -> [Column] {
    var columns: [Column] = []
    try connection.prepare("PRAGMA table_info(\(quoted(table)))").forEachRow { row in
      let isRequired = sqlite3_column_int(row, 3) != 0 && sqlite3_column_type(row, 4) == SQLITE_NULL
      let isKey = sqlite3_column_int(row, 5) != 0
      columns.append(Column(name: text(row, 1) ?? "", isKey: isKey, isRequired: isRequired))
    }
    return columns
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
