import Foundation
import GRDB
import Workload

/// A plain object with the eight values of a row.
final class Item: FetchableRecord {
  static let select = """
    SELECT "_id", "name", "detail", "count", "price", "created", "flag", "owner_id" FROM "Item"
    """
  static let insert = """
    INSERT INTO "Item" ("name", "detail", "count", "price", "created", "flag", "owner_id") VALUES (?, ?, ?, ?, ?, ?, ?)
    """

  var id: Int64
  var name: String
  var detail: String?
  var count: Int
  var price: Double
  var created: Date
  var flag: Bool
  var ownerID: Int64?

  /// Decodes a row of `select`.
  init(row: Row) {
    id = row[0]
    name = row[1]
    detail = row[2]
    count = row[3]
    price = row[4]
    created = Date(timeIntervalSinceReferenceDate: row[5])
    flag = row[6]
    ownerID = row[7]
  }

  /// Makes an item that is not stored yet.
  init(_ seed: ItemSeed, ownerID: Int64) {
    id = 0
    name = seed.name
    detail = seed.detail
    count = seed.count
    price = seed.price
    created = seed.created
    flag = seed.flag
    self.ownerID = ownerID
  }

  func insert(_ database: Database) throws {
    let statement = try database.cachedStatement(sql: Self.insert)
    statement.setUncheckedArguments([
      name, detail, count, price, created.timeIntervalSinceReferenceDate, flag, ownerID,
    ])
    try statement.execute()
    id = database.lastInsertedRowID
  }
}

extension Digest {
  init(of items: some Sequence<Item>) {
    self.init()
    for item in items { add(item) }
  }

  mutating func add(_ item: Item) {
    add(
      name: item.name, detail: item.detail, count: item.count, price: item.price, created: item.created,
      flag: item.flag, isOwned: item.ownerID != nil)
  }
}
