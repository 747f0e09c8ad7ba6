import Foundation
package import Workload

/// Makes items and inserts each in its own transaction, in two round trips, and with what the library writes beside it: the number
/// of the writer, which keeps others from writing, and a row of history.
package final class InsertSingly: Work {
  private let connection: Connection
  private let seeds: Seeds
  private var ownerIDs: [Int64] = []
  private var items: [Item] = []
  /// What the library records for a row, of about the same size.
  private let record = [UInt8](repeating: 1, count: 24)

  package init(_ url: String, namespace: String, _ seeds: Seeds) throws {
    connection = try Connection(url, namespace: namespace)
    self.seeds = seeds
    for (name, sql) in ItemInsertion.statements { try connection.prepare(name, sql) }
    try connection.prepare(
      "lock",
      """
      UPDATE swiftdata_sequences SET last = last + 1 WHERE name = 'swiftdata_writer'
      RETURNING last, nextval('"Item__id_seq"'::regclass)
      """)
    try connection.prepare(
      "history",
      """
      INSERT INTO swiftdata_history ("_id", "at", "author", "process", "bundle", "changes")
      VALUES ($1, $2, $3, $4, $5, $6)
      """)
  }

  package func prepare() throws {
    try connection.execute("TRUNCATE \"Item\"")
    try connection.execute("TRUNCATE swiftdata_history")
    try connection.execute("VACUUM swiftdata_sequences")
    ownerIDs = try connection.owners().map(\.id)
    _ = seeds.items
  }

  package func run() throws -> Int {
    let pipeline = try Pipeline(connection)
    for seed in seeds.items.prefix(Selection.singleInserts) {
      let item = Item(seed, ownerID: ownerIDs[seed.owner])
      items.append(item)
      try insert(item, pipeline)
    }
    return items.count { $0.id != 0 }
  }

  private func insert(_ item: Item, _ pipeline: borrowing Pipeline) throws {
    try pipeline.send("begin")
    try pipeline.send("lock")
    try pipeline.flush()
    _ = try pipeline.rows("begin")
    let numbers = try pipeline.rows("lock")
    item.id = numbers.integer(0, 1)
    var history = Parameters()
    history.append(numbers.integer(0, 0))
    history.append(Date.now.timeIntervalSinceReferenceDate)
    history.appendNull()
    history.append("postgres-bench (1)")
    history.append("postgres-bench")
    history.append(bytea: record)
    try pipeline.send("insert", ItemInsertion.values(of: item))
    try pipeline.send("history", history)
    try pipeline.send("commit")
    try pipeline.synchronize()
    for name in ["insert", "history", "commit"] { _ = try pipeline.rows(name) }
    try pipeline.readSynchronization()
  }

  package func finish() throws -> Outcome {
    items = []
    return .nothing
  }
}
