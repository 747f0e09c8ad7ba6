package import Foundation
import SwiftData
package import Workload

/// Writes the stores for all peers.
package enum StoreBuilder {
  /// Writes the stores of owners and of items.
  package static func buildItems(in folder: StoreFolder, from seeds: Seeds) throws {
    try insertOwners(into: ItemStore(folder.owners), seeds)
    let items = try ItemStore(folder.items)
    try insertOwners(into: items, seeds)
    let context = items.makeContext()
    let owners = try context.owners()
    for seed in seeds.items { context.insert(Item(seed, owner: owners[seed.owner])) }
    try context.save()
  }

  /// Writes the stores of orders, names and texts.
  package static func buildOthers(in folder: StoreFolder, from seeds: Seeds) throws {
    try insertOrders(into: folder.orders, seeds)
    try insertNames(into: folder.names)
    try insert(seeds.items.map { NamedItem($0) }, into: folder.texts)
    try insert(seeds.items.map { SearchableItem($0) }, into: folder.indexedTexts)
  }

  /// Makes a store with empty tables.
  package static func makeEmpty(_ file: URL) throws {
    _ = try ItemStore(file)
  }

  /// Makes a store whose history has one transaction.
  package static func makeTransaction(in file: URL) throws {
    let context = try ItemStore(file, history: .unlimited).makeContext()
    context.insert(Owner(name: "0"))
    try context.save()
  }

  private static func insertOrders(into file: URL, _ seeds: Seeds) throws {
    let container = try ModelContainer(for: Order.self, configurations: ModelConfiguration(url: file, history: .none))
    let context = ModelContext(container)
    for seed in seeds.orders { context.insert(Order(seed)) }
    try context.save()
  }

  private static func insert<Model: PersistentModel>(_ models: [Model], into file: URL) throws {
    let container = try ModelContainer(for: Model.self, configurations: ModelConfiguration(url: file, history: .none))
    let context = ModelContext(container)
    for model in models { context.insert(model) }
    try context.save()
  }

  private static func insertOwners(into store: ItemStore, _ seeds: Seeds) throws {
    let context = store.makeContext()
    for name in seeds.ownerNames { context.insert(Owner(name: name)) }
    try context.save()
  }
}
