import Workload

/// Fills stores by COPY.
package struct StoreFilling {
  private static let itemsOfEach = 100

  private let connection: Connection

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
  }

  /// Removes a namespace and all that is in it.
  package static func drop(_ namespace: String, _ url: String) throws {
    try Connection(url, namespace: "public").execute(
      "SET client_min_messages TO error; DROP SCHEMA IF EXISTS \"\(namespace)\" CASCADE")
  }

  /// Fills an empty store with items, and with owners of a hundred items each, spread over the table.
  package func fill(items: Int) throws {
    // Foreign keys are not checked, which would keep an entry in memory for each row.
    try connection.execute("SET session_replication_role TO replica")
    let ownerCount = max(1, items / Self.itemsOfEach)
    let owners = try Copy(into: "\"Owner\" (\"_id\", \"name\")", connection)
    for number in 0..<ownerCount { try owners.add(Int64(number + 1), "Owner \(number)") }
    try owners.end()
    let copy = try Copy(into: "\"Item\" (\(Item.columns))", connection)
    for number in 0..<items {
      let item = Item(ItemSeed(number: number), ownerID: Int64(number % ownerCount + 1))
      item.id = Int64(number + 1)
      try copy.add(item)
    }
    try copy.end()
    for table in ["Item", "Owner"] {
      try connection.execute(
        "SELECT setval(pg_get_serial_sequence('\"\(table)\"', '_id'), (SELECT max(\"_id\") FROM \"\(table)\"))")
    }
    try finish()
  }

  /// Gives the server what autovacuum would have given it after a while.
  package func finish() throws {
    for table in ["Item", "Owner"] { try connection.execute("VACUUM ANALYZE \"\(table)\"") }
  }
}
