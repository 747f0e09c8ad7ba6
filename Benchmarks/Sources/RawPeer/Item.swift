import CSQLite
import Foundation
import Workload

/// A plain object with the eight values of a row.
final class Item {
  var id: Int64
  var name: String
  var detail: String?
  var count: Int
  var price: Double
  var created: Date
  var flag: Bool
  var ownerID: Int64?

  /// Decodes the current row of a statement made by `ItemTable`.
  @inline(__always)
  init(row: OpaquePointer) {
    id = sqlite3_column_int64(row, 0)
    name = text(row, 1) ?? ""
    detail = text(row, 2)
    count = Int(sqlite3_column_int64(row, 3))
    price = sqlite3_column_double(row, 4)
    created = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 5))
    flag = sqlite3_column_int(row, 6) != 0
    ownerID = sqlite3_column_type(row, 7) == SQLITE_NULL ? nil : sqlite3_column_int64(row, 7)
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
