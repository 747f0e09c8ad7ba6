package import Foundation

/// Sums over items that detect a wrong value in any item.
package struct Digest: Equatable, Sendable {
  package var rows = 0
  package var nameBytes = 0
  package var details = 0
  package var count = 0
  package var price = 0.0
  package var created = 0.0
  package var flags = 0
  package var owned = 0
  /// The owners of the items: the sum of the counts, each times the owner's number. Only for scenarios with owners.
  package var ownership = 0

  package init() {}

  package mutating func add(
    name: String, detail: String?, count: Int, price: Double, created: Date, flag: Bool, isOwned: Bool
  ) {
    rows += 1
    nameBytes += name.utf8.count
    details += detail == nil ? 0 : 1
    self.count += count
    self.price += price
    self.created += created.timeIntervalSinceReferenceDate
    flags += flag ? 1 : 0
    owned += isOwned ? 1 : 0
  }
}

extension Digest {
  init(of items: some Sequence<ItemSeed>, countingOwnership: Bool = false) {
    self.init()
    for item in items {
      add(
        name: item.name, detail: item.detail, count: item.count, price: item.price, created: item.created,
        flag: item.flag, isOwned: true)
      if countingOwnership { ownership += item.count * item.owner }
    }
  }
}
