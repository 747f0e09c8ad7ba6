import Foundation
import SwiftData
import Workload

@Model
final class Item {
  var name: String
  var detail: String?
  var count: Int
  var price: Double
  var created: Date
  var flag: Bool
  var owner: Owner?

  init(_ seed: ItemSeed, owner: Owner?) {
    name = seed.name
    detail = seed.detail
    count = seed.count
    price = seed.price
    created = seed.created
    flag = seed.flag
    self.owner = owner
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
      flag: item.flag, isOwned: item.owner != nil)
  }
}
