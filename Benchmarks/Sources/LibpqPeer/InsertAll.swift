package import Workload

/// Makes all items, and inserts them in one transaction by arrays, or by COPY.
package final class InsertAll: Work {
  package enum Way: Sendable {
    case unnest, copy
  }

  /// The rows of one statement. The server inserts while the arrays of the next one are made.
  private static let batchSize = 5_000

  private let connection: Connection
  private let seeds: Seeds
  private let way: Way
  private var ownerIDs: [Int64] = []
  private var items: [Item] = []

  package init(_ url: String, namespace: String, _ seeds: Seeds, _ way: Way) throws {
    connection = try Connection(url, namespace: namespace)
    self.seeds = seeds
    self.way = way
    for (name, sql) in ItemInsertion.statements { try connection.prepare(name, sql) }
  }

  package func prepare() throws {
    try connection.execute("TRUNCATE \"Item\"")
    ownerIDs = try connection.owners().map(\.id)
    _ = seeds.items
  }

  package func run() throws -> Int {
    items.reserveCapacity(seeds.items.count)
    for seed in seeds.items { items.append(Item(seed, ownerID: ownerIDs[seed.owner])) }
    switch way {
    case .unnest: try insert()
    case .copy: try copy()
    }
    return items.count { $0.id != 0 }
  }

  /// Gets keys in the first round trip, and writes in the second.
  private func insert() throws {
    let pipeline = try Pipeline(connection)
    try pipeline.send("begin")
    try requestKeys(pipeline)
    try pipeline.flush()
    _ = try pipeline.rows("begin")
    try readKeys(pipeline)
    var batches = 0
    for start in stride(from: 0, to: items.count, by: Self.batchSize) {
      let batch = items[start..<min(start + Self.batchSize, items.count)]
      try pipeline.send("insert many", ItemInsertion.arrays(of: batch))
      batches += 1
    }
    try pipeline.send("commit")
    try pipeline.synchronize()
    for _ in 0..<batches { _ = try pipeline.rows("insert many") }
    _ = try pipeline.rows("commit")
    try pipeline.readSynchronization()
  }

  private func requestKeys(_ pipeline: borrowing Pipeline) throws {
    var parameters = Parameters()
    parameters.append(Int64(items.count))
    try pipeline.send("keys", parameters)
  }

  private func readKeys(_ pipeline: borrowing Pipeline) throws {
    let keys = try pipeline.rows("keys")
    for index in items.indices { items[index].id = keys.integer(Int32(index), 0) }
  }

  /// COPY cannot be part of a pipeline.
  private func copy() throws {
    var parameters = Parameters()
    parameters.append(Int64(items.count))
    try connection.execute("BEGIN")
    let keys = try connection.run("keys", parameters)
    for index in items.indices { items[index].id = keys.integer(Int32(index), 0) }
    let copy = try Copy(into: "\"Item\" (\(Item.columns))", connection)
    for item in items { try copy.add(item) }
    try copy.end()
    try connection.execute("COMMIT")
  }

  package func finish() throws -> Outcome {
    items = []
    return .nothing
  }
}
