/// The rows for all peers: the same in each run.
package final class Seeds {
  package static let itemCount = 100_000
  package static let ownerCount = 1_000
  package static let orderCount = 16_282
  /// The number of items for scenarios with more items than should be in memory.
  package static let manyItemsCount = 1_000_000
  /// The number of transactions in a long history.
  package static let manyTransactionsCount = 1_000_000

  /// In the order of their creation dates. Made lazily, so that they are not counted as a peer's memory.
  package private(set) lazy var items = (0..<Self.itemCount).map(ItemSeed.init(number:))
  package private(set) lazy var ownerNames = (0..<Self.ownerCount).map { "Owner " + ItemSeed.label($0, digits: 4) }
  package private(set) lazy var orders = (0..<Self.orderCount).map(OrderSeed.init(number:))

  package init() {}

  /// The number of the owner with `name`.
  package static func ownerNumber(ofName name: String) -> Int {
    Int(name.drop { !$0.isNumber }) ?? -1
  }
}
