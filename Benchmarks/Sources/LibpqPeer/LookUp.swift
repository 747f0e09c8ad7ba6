package import Workload

/// One statement for each item, without a transaction around them.
package final class LookUp: Work {
  private let connection: Connection
  private var keys: [Int64] = []
  private var items: [Item] = []

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
    try connection.prepare("one", "SELECT \(Item.columns) FROM \"Item\" WHERE \"_id\" = $1")
    let rows = try connection.rows("SELECT \"_id\" FROM \"Item\" ORDER BY \"created\"")
    keys = Selection.lookups.map { rows.integer(Int32($0), 0) }
  }

  package func run() throws -> Int {
    var sum = 0
    for key in keys {
      var parameters = Parameters()
      parameters.append(key)
      let rows = try connection.run("one", parameters)
      guard rows.count == 1 else { continue }
      let item = Item(rows, 0)
      items.append(item)
      sum += item.count
    }
    return sum
  }

  package func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
