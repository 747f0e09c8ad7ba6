package import Workload

/// Changes one property of each item in the batch, and its column, in one transaction and one round trip.
package final class Change: Work {
  /// The rows of one statement. With more, the server reads the whole table.
  private static let batchSize = 1_000

  private let connection: Connection
  private var items: [Item] = []

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
    try connection.prepare("begin", "BEGIN")
    try connection.prepare("commit", "COMMIT")
    try connection.prepare(
      "update",
      """
      UPDATE "Item" SET "count" = new."count" FROM UNNEST($1::bigint[], $2::bigint[]) AS new ("key", "count")
      WHERE "_id" = new."key"
      """)
  }

  package func prepare() throws {
    try connection.execute("VACUUM \"Item\"")
    let rows = try connection.rows(
      "SELECT \(Item.columns) FROM \"Item\" ORDER BY \"created\" LIMIT \(Selection.batch.count)")
    for row in 0..<rows.count { items.append(Item(rows, row)) }
  }

  package func run() throws -> Int {
    for item in items { item.count += 1 }
    let pipeline = try Pipeline(connection)
    try pipeline.send("begin")
    let starts = stride(from: 0, to: items.count, by: Self.batchSize)
    for start in starts {
      let batch = items[start..<min(start + Self.batchSize, items.count)]
      var parameters = Parameters()
      parameters.append(batch, integers: { $0.id })
      parameters.append(batch, integers: { Int64($0.count) })
      try pipeline.send("update", parameters)
    }
    try pipeline.send("commit")
    try pipeline.synchronize()
    _ = try pipeline.rows("begin")
    var changed = 0
    for _ in starts { changed += try pipeline.rows("update").written }
    _ = try pipeline.rows("commit")
    try pipeline.readSynchronization()
    return changed
  }

  package func finish() throws -> Outcome {
    items = []
    return .nothing
  }
}
