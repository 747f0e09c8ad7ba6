import Foundation
import Workload

/// A plain object with the eight values of a row.
final class Item {
  /// The columns that `init(rows:row:)` decodes.
  static let columns = "\"_id\", \"name\", \"detail\", \"count\", \"price\", \"created\", \"flag\", \"owner_id\""

  var id: Int64
  var name: String
  var detail: String?
  var count: Int
  var price: Double
  var created: Date
  var flag: Bool
  var ownerID: Int64?

  @inline(__always)
  init(_ rows: borrowing Rows, _ row: Int32) {
    id = rows.integer(row, 0)
    name = rows.text(row, 1)
    detail = rows.isNull(row, 2) ? nil : rows.text(row, 2)
    count = Int(rows.integer(row, 3))
    price = rows.real(row, 4)
    created = Date(timeIntervalSinceReferenceDate: rows.real(row, 5))
    flag = rows.flag(row, 6)
    ownerID = rows.isNull(row, 7) ? nil : rows.integer(row, 7)
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
