import Foundation
package import Workload

/// Careful use of SQLite's C interface: statements prepared once, no mutex, text decoded once, plain objects without tracking.
package struct RawC: Peer {
  package static let name = "raw C"

  private let folder: StoreFolder
  private let seeds: Seeds

  package init(folder: StoreFolder, seeds: Seeds) {
    self.folder = folder
    self.seeds = seeds
  }

  package func work(for scenario: Scenario) throws -> (any Work)? {
    switch scenario {
    case .fetchAll, .fetchAgain: try FetchAll(ItemStore(folder.items))
    case .fetchOrders: try FetchOrders(Connection(folder.orders))
    case .readAll: try ReadAll(ItemStore(folder.items))
    case .fetchFiltered: try FetchFiltered(ItemStore(folder.items))
    case .countFiltered: try CountFiltered(ItemStore(folder.items))
    case .lookUp, .lookUpRegistered: try LookUp(ItemStore(folder.items))
    case .prefetchOwners: try PrefetchOwners(ItemStore(folder.items))
    case .walkOwners: try WalkOwners(ItemStore(folder.items))
    case .insertAll: InsertAll(seeds, copy(of: folder.owners))
    case .insertSingly: InsertSingly(seeds, copy(of: folder.owners))
    case .insertDurably: InsertSingly(seeds, copy(of: folder.owners), isDurable: true)
    case .change: Change(copy(of: folder.items))
    case .delete: Delete(copy(of: folder.items))
    case .release: try Release(ItemStore(folder.items))
    case .searchTexts: try SearchTexts(Connection(folder.texts), "name", Selection.pattern)
    case .searchIndexed:
      try SearchTexts(Connection(folder.indexedTexts), "name", of: "SearchableItem", Selection.pattern)
    case .searchAccents: try SearchTexts(Connection(folder.texts), "accentedName", Selection.accentedPattern)
    case .enumerate: try Enumerate(ItemStore(folder.manyItems))
    case .firstNames: try FetchNamePage(.first, folder.names, isIndexed: false)
    case .laterNames: try FetchNamePage(.thousandth, folder.names, isIndexed: false)
    case .firstIndexedNames:
      try FetchNamePage(.first, copy(of: folder.names).make(), isIndexed: true, times: NamePage.repetitions)
    case .laterIndexedNames: try FetchNamePage(.thousandth, copy(of: folder.names).make(), isIndexed: true)
    case .searchNames: try SearchCaptured.names(ItemStore(folder.items), seeds)
    case .searchCounts: try SearchCaptured.counts(ItemStore(folder.items))
    case .searchKeys: try SearchCaptured.keys(ItemStore(folder.items))
    case .fetchTransactions: try FetchTransactions(ItemStore(copy(of: folder.items).make()))
    }
  }

  private func copy(of store: URL) -> StoreCopy {
    folder.copy(of: store, for: Self.self)
  }
}
