/// The operations in which the peers are compared.
package enum Scenario: String, CaseIterable, Codable, Sendable {
  case fetchAll = "fetch all 100 k"
  case fetchOrders = "Northwind orders, fetch all"
  case fetchAgain = "fetch the same again while held"
  case readAll = "read every property of 100 k held"
  case fetchFiltered = "filtered, sorted, limit 1,000"
  case countFiltered = "filtered count"
  case lookUp = "fetch by identifier, 10 k, nothing registered"
  case lookUpRegistered = "fetch by identifier, 10 k, all registered"
  case prefetchOwners = "1,000 owners with items, prefetched"
  case walkOwners = "1,000 owners with items, walked lazily"
  case insertAll = "create, insert and save 100 k"
  case insertSingly = "1,000 saves of one insert, NORMAL"
  case insertDurably = "1,000 saves of one insert, FULL"
  case change = "change one property of 10 k registered objects and save"
  case delete = "delete 10 k objects and save"
  case release = "release 100 k"
  case enumerate = "1 M rows enumerated"
  case firstNames = "page of 50 by name, 1st"
  case laterNames = "page of 50 by name, 1,000th"
  case firstIndexedNames = "page of 50 by name, 1st, #Index, 20 times"
  case laterIndexedNames = "page of 50 by name, 1,000th, #Index"
  case searchNames = "50,000 captured texts"
  case searchCounts = "50,000 captured numbers"
  case searchKeys = "50,000 captured identifiers"
  case searchTexts = "search in 100 k texts"
  case searchAccents = "search in 100 k texts with accents"
  case searchIndexed = "search in 100 k texts, indexed"
  case fetchTransactions = "history: fetch 1,000 transactions of one change"

  /// Whether it uses the store with a million items.
  package var needsManyItems: Bool {
    self == .enumerate
  }
}
