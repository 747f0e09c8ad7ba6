import Foundation
package import Workload

/// GRDB as an expert uses it for speed: SQL by hand, cached statements, rows decoded by position into plain objects.
package struct GRDBByHand: Peer {
  package static let name = "GRDB by hand"

  private let folder: StoreFolder
  private let seeds: Seeds

  package init(folder: StoreFolder, seeds: Seeds) {
    self.folder = folder
    self.seeds = seeds
  }

  package func work(for scenario: Scenario) throws -> (any Work)? {
    switch scenario {
    case .fetchAll: try FetchAll(ItemStore(folder.items))
    case .fetchOrders: try FetchOrders(ItemStore(folder.orders))
    case .readAll: try ReadAll(ItemStore(folder.items))
    case .fetchFiltered: try FetchFiltered(ItemStore(folder.items))
    case .countFiltered: try CountFiltered(ItemStore(folder.items))
    case .lookUp: try LookUp(ItemStore(folder.items))
    case .prefetchOwners: try PrefetchOwners(ItemStore(folder.items))
    case .walkOwners: try WalkOwners(ItemStore(folder.items))
    case .insertAll: InsertAll(seeds, copy(of: folder.owners))
    case .insertSingly: InsertSingly(seeds, copy(of: folder.owners))
    case .insertDurably: InsertSingly(seeds, copy(of: folder.owners), isDurable: true)
    case .change: Change(copy(of: folder.items))
    case .delete: Delete(copy(of: folder.items))
    case .release: try Release(ItemStore(folder.items))
    case .searchTexts, .searchAccents, .searchIndexed: nil
    case .enumerate: try Enumerate(ItemStore(folder.manyItems))
    case .fetchTransactions: try FetchTransactions(ItemStore(copy(of: folder.items).make()))
    // GRDB does not register records.
    case .fetchAgain, .lookUpRegistered: nil
    // GRDB has no such order.
    case .firstNames, .laterNames, .firstIndexedNames, .laterIndexedNames: nil
    // The same as raw C.
    case .searchNames, .searchCounts, .searchKeys: nil
    }
  }

  private func copy(of store: URL) -> StoreCopy {
    folder.copy(of: store, for: Self.self)
  }
}
