final class Owner {
  static let select = "SELECT \"_id\", \"name\" FROM \"Owner\" ORDER BY \"name\""

  let id: Int64
  let name: String
  var items: [Item] = []

  init(_ rows: borrowing Rows, _ row: Int32) {
    id = rows.integer(row, 0)
    name = rows.text(row, 1)
  }
}

extension Connection {
  /// All owners by number.
  func owners() throws -> [Owner] {
    let rows = try rows(Owner.select)
    var owners: [Owner] = []
    for row in 0..<rows.count { owners.append(Owner(rows, row)) }
    return owners
  }
}
