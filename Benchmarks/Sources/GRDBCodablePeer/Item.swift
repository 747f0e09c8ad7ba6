import Foundation
import GRDB
import Workload

/// A record whose columns are its coding keys.
struct Item: Codable, FetchableRecord, MutablePersistableRecord {
  enum CodingKeys: String, CodingKey {
    case id = "_id"
    case name
    case detail
    case count
    case price
    case created
    case flag
    case ownerID = "owner_id"
  }

  enum Columns {
    static let count = Column(CodingKeys.count)
    static let price = Column(CodingKeys.price)
    static let created = Column(CodingKeys.created)
    static let flag = Column(CodingKeys.flag)
    static let ownerID = Column(CodingKeys.ownerID)
  }

  static let databaseTableName = "Item"

  var id: Int64?
  var name: String
  var detail: String?
  var count: Int
  var price: Double
  var created: Date
  var flag: Bool
  var ownerID: Int64?

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

extension Item {
  /// Makes an item that is not stored yet.
  init(_ seed: ItemSeed, ownerID: Int64) {
    self.init(
      name: seed.name, detail: seed.detail, count: seed.count, price: seed.price, created: seed.created,
      flag: seed.flag, ownerID: ownerID)
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
