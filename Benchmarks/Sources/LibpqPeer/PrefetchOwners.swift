package import Workload

/// One statement for the owners and one for all items, in one round trip.
package final class PrefetchOwners: Work {
  private let connection: Connection
  private var owners: [Owner] = []

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
    try connection.prepare("owners", Owner.select)
    try connection.prepare("items", "SELECT \(Item.columns) FROM \"Item\" WHERE \"owner_id\" IS NOT NULL")
  }

  package func run() throws -> Int {
    let pipeline = try Pipeline(connection)
    try pipeline.send("owners")
    try pipeline.send("items")
    try pipeline.synchronize()
    var places: [Int64: Int] = [:]
    let ownerRows = try pipeline.rows("owners")
    for row in 0..<ownerRows.count {
      let owner = Owner(ownerRows, row)
      places[owner.id] = owners.count
      owners.append(owner)
    }
    let rows = try pipeline.rows("items")
    for row in 0..<rows.count {
      let item = Item(rows, row)
      guard let ownerID = item.ownerID, let place = places[ownerID] else { continue }
      owners[place].items.append(item)
    }
    try pipeline.readSynchronization()
    return owners.reduce(0) { sum, owner in owner.items.reduce(sum) { $0 + $1.count } }
  }

  package func finish() throws -> Outcome {
    defer { owners = [] }
    var digest = Digest()
    for owner in owners {
      let number = Seeds.ownerNumber(ofName: owner.name)
      for item in owner.items {
        digest.add(item)
        digest.ownership += item.count * number
      }
    }
    return .objects(digest)
  }
}
