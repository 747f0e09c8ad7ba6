import SwiftData
import SwiftDataPostgres
package import Workload

/// A store in a namespace of the server's database, opened by the library.
package struct Store {
  let container: ModelContainer

  /// - Parameter keepsHistory: Whether saves record the default history.
  package init(_ url: String, namespace: String, keepsHistory: Bool = false) throws {
    var configuration = PostgresConfiguration(url: url, namespace: namespace)
    if !keepsHistory { configuration.options.history = .none }
    container = try ModelContainer(for: Item.self, Owner.self, Remark.self, configurations: configuration)
  }

  /// A context without registered models and without autosave.
  func makeContext() -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    return context
  }

  /// Inserts all owners, and items if that is wanted.
  package func fill(from seeds: Seeds, items: Bool) throws {
    let context = makeContext()
    for name in seeds.ownerNames { context.insert(Owner(name: name)) }
    try context.save()
    guard items else { return }
    let owners = try context.owners()
    for seed in seeds.items { context.insert(Item(seed, owner: owners[seed.owner])) }
    try context.save()
  }
}

extension ModelContext {
  /// All owners by number.
  func owners() throws -> [Owner] {
    try fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)]))
  }
}
