package import Workload

/// One statement, whose rows become objects, in the order of their insertion, as the library's.
package final class FetchAll: Work {
  private let connection: Connection
  private var items: [Item] = []

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
    try connection.prepare("all", "SELECT \(Item.columns) FROM \"Item\" ORDER BY \"_id\"")
  }

  package func run() throws -> Int {
    let rows = try connection.run("all")
    items.reserveCapacity(Int(rows.count))
    for row in 0..<rows.count { items.append(Item(rows, row)) }
    return items.reduce(0) { $0 + $1.count }
  }

  package func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
