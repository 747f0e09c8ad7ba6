import Foundation
package import Workload

/// This library in ordinary use, without a history.
package struct OpenSwiftData: Peer {
  package static let name = "OpenSwiftData"

  private let folder: StoreFolder
  private let seeds: Seeds

  package init(folder: StoreFolder, seeds: Seeds) {
    self.folder = folder
    self.seeds = seeds
  }

  package func work(for scenario: Scenario) throws -> (any Work)? {
    switch scenario {
    case .fetchAll: try FetchAll(ItemStore(folder.items))
    case .fetchOrders: try FetchOrders(folder.orders)
    case .fetchAgain: try FetchAgain(ItemStore(folder.items))
    case .readAll: try ReadAll(ItemStore(folder.items))
    case .fetchFiltered: try FetchFiltered(ItemStore(folder.items))
    case .countFiltered: try CountFiltered(ItemStore(folder.items))
    case .lookUp: try LookUp(ItemStore(folder.items))
    case .lookUpRegistered: try LookUpRegistered(ItemStore(folder.items))
    case .prefetchOwners: try PrefetchOwners(ItemStore(folder.items))
    case .walkOwners: try WalkOwners(ItemStore(folder.items))
    case .insertAll: InsertAll(seeds, copy(of: folder.owners))
    case .insertSingly: InsertSingly(seeds, copy(of: folder.owners))
    case .insertDurably: InsertSingly(seeds, copy(of: folder.owners), isDurable: true)
    case .change: Change(copy(of: folder.items))
    case .delete: Delete(copy(of: folder.items))
    case .release: try Release(ItemStore(folder.items))
    case .searchTexts: try SearchTexts(folder.texts, \NamedItem.name, Selection.pattern)
    case .searchAccents: try SearchTexts(folder.texts, \NamedItem.accentedName, Selection.accentedPattern)
    case .searchIndexed: try SearchTexts(folder.indexedTexts, \SearchableItem.name, Selection.pattern)
    case .enumerate: try Enumerate(ItemStore(folder.manyItems))
    case .firstNames: try FetchNamePage<PlainName>(.first, folder.names)
    case .laterNames: try FetchNamePage<PlainName>(.thousandth, folder.names)
    case .firstIndexedNames: try FetchNamePage<IndexedName>(.first, folder.names, times: NamePage.repetitions)
    case .laterIndexedNames: try FetchNamePage<IndexedName>(.thousandth, folder.names)
    case .searchNames: try SearchCaptured.names(ItemStore(folder.items), seeds)
    case .searchCounts: try SearchCaptured.counts(ItemStore(folder.items))
    case .searchKeys: try SearchCaptured.keys(ItemStore(folder.items))
    case .fetchTransactions: try FetchTransactions(ItemStore(copy(of: folder.items).make(), history: .usual))
    }
  }

  private func copy(of store: URL) -> StoreCopy {
    folder.copy(of: store, for: Self.self)
  }
}
