import SwiftData
package import Workload

/// Makes items, inserts them, and saves once or for each of them.
package final class Insert: Work {
  private let store: Store
  private let seeds: Seeds
  private let savesEach: Bool
  private let empty: () throws -> Void
  private var context: ModelContext
  private var owners: [Owner] = []
  private var items: [Item] = []

  /// - Parameters:
  ///   - savesEach: Whether only `Selection.singleInserts` items are inserted, and each is saved by itself.
  ///   - empty: Removes all items.
  package init(_ store: Store, _ seeds: Seeds, savesEach: Bool, empty: @escaping () throws -> Void) {
    self.store = store
    self.seeds = seeds
    self.savesEach = savesEach
    self.empty = empty
    context = store.makeContext()
  }

  package func prepare() throws {
    try empty()
    context = store.makeContext()
    owners = try context.owners()
    _ = seeds.items
  }

  package func run() throws -> Int {
    for seed in seeds.items.prefix(savesEach ? Selection.singleInserts : .max) {
      let item = Item(seed, owner: owners[seed.owner])
      context.insert(item)
      if savesEach { try context.save() }
      items.append(item)
    }
    if !savesEach { try context.save() }
    return items.count { !$0.hasChanges }
  }

  package func finish() throws -> Outcome {
    (items, owners) = ([], [])
    return .nothing
  }
}
