import Foundation
package import Workload

/// This library with the default history.
package struct OpenSwiftDataWithHistory: Peer {
  package static let name = "OpenSwiftData, history"
  /// The scenarios in which it is compared with the library without a history.
  package static let scenarios: [Scenario] = [.insertAll, .change, .delete, .insertSingly, .insertDurably]

  private let folder: StoreFolder
  private let seeds: Seeds

  package init(folder: StoreFolder, seeds: Seeds) {
    self.folder = folder
    self.seeds = seeds
  }

  package func work(for scenario: Scenario) throws -> (any Work)? {
    switch scenario {
    case .insertAll: InsertAll(seeds, copy(of: folder.owners), history: .usual)
    case .insertSingly: InsertSingly(seeds, copy(of: folder.owners), history: .usual)
    case .insertDurably: InsertSingly(seeds, copy(of: folder.owners), isDurable: true, history: .usual)
    case .change: Change(copy(of: folder.items), history: .usual)
    case .delete: Delete(copy(of: folder.items), history: .usual)
    // The scenario saves nothing.
    default: nil
    }
  }

  private func copy(of store: URL) -> StoreCopy {
    folder.copy(of: store, for: Self.self)
  }
}
