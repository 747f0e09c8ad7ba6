import CSQLite
import Foundation

/// A store opened for reading and writing by hand.
final class ItemStore {
  let connection: Connection
  let table: ItemTable

  init(_ file: URL, isDurable: Bool = false) throws {
    connection = try Connection(file, isDurable: isDurable)
    table = try ItemTable(connection)
  }

  func owners() throws -> [Owner] {
    var owners: [Owner] = []
    try connection.prepare(table.selectOwners).forEachRow { owners.append(Owner(row: $0)) }
    return owners
  }

  /// The keys of all items in the order of their creation dates.
  func keys() throws -> [Int64] {
    var keys: [Int64] = []
    try connection.prepare("SELECT \(table.key) FROM \"Item\" ORDER BY \"created\"").forEachRow {
      keys.append(sqlite3_column_int64($0, 0))
    }
    return keys
  }
}

extension Statement {
  /// All rows of a statement that begins with `ItemTable.select`.
  func items() throws -> [Item] {
    var items: [Item] = []
    try forEachRow { items.append(Item(row: $0)) }
    return items
  }
}
