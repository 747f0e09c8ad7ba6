import Foundation

/// The expected result of a scenario, for all peers.
package struct Expectation {
  package let result: Int
  package let digest: Digest?
  package let orders: OrderDigest?

  package init(of scenario: Scenario, on seeds: Seeds) {
    let items = seeds.items
    switch scenario {
    case .fetchAll, .fetchAgain, .readAll:
      self.init(reading: items)
    case .fetchOrders:
      let orders = OrderDigest(of: seeds.orders)
      self.init(result: orders.employees, orders: orders)
    case .fetchFiltered:
      let small = items.filter { $0.count < Selection.smallCount }.sorted { $0.price < $1.price }
      self.init(reading: small.prefix(Selection.limit))
    case .countFiltered:
      self.init(result: items.count { $0.flag && $0.count < Selection.mediumCount })
    case .lookUp, .lookUpRegistered:
      self.init(reading: Selection.lookups.map { items[$0] })
    case .prefetchOwners, .walkOwners:
      let digest = Digest(of: items, countingOwnership: true)
      self.init(result: digest.count, digest: digest)
    case .insertAll:
      self.init(writing: items.count, leaving: items)
    case .insertSingly, .insertDurably:
      self.init(writing: Selection.singleInserts, leaving: items.prefix(Selection.singleInserts))
    case .change:
      var changed = items
      for number in Selection.batch { changed[number].count += 1 }
      self.init(writing: Selection.batch.count, leaving: changed)
    case .delete:
      self.init(writing: Selection.batch.count, leaving: items[Selection.batch.upperBound...])
    case .release:
      self.init(result: 0)
    case .searchNames, .searchKeys:
      self.init(reading: Selection.captured.map { items[$0] })
    case .searchCounts:
      let counts = Set(Selection.captured)
      self.init(reading: items.filter { counts.contains($0.count) })
    case .searchTexts, .searchIndexed:
      self.init(result: items.count { $0.name.localizedStandardContains(Selection.pattern) })
    case .searchAccents:
      self.init(result: items.count { $0.accentedName.localizedStandardContains(Selection.accentedPattern) })
    case .enumerate:
      self.init(result: (0..<Seeds.manyItemsCount).reduce(0) { $0 + ItemSeed.count(number: $1) })
    case .firstNames, .firstIndexedNames:
      self.init(result: NamePage.first.result)
    case .laterNames, .laterIndexedNames:
      self.init(result: NamePage.thousandth.result)
    case .fetchTransactions:
      self.init(result: Selection.singleChanges)
    }
  }

  private init(result: Int, digest: Digest? = nil, orders: OrderDigest? = nil) {
    self.result = result
    self.digest = digest
    self.orders = orders
  }

  private init(reading items: some Sequence<ItemSeed>) {
    let digest = Digest(of: items)
    self.init(result: digest.count, digest: digest)
  }

  private init(writing rows: Int, leaving items: some Sequence<ItemSeed>) {
    self.init(result: rows, digest: Digest(of: items, countingOwnership: true))
  }
}
