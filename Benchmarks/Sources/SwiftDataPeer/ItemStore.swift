import Foundation
import SwiftData
import Workload

/// A store opened through the library.
struct ItemStore {
  let file: URL
  let container: ModelContainer

  init(_ file: URL, isDurable: Bool = false, history: History = .none) throws {
    self.file = file
    var configuration = ModelConfiguration(url: file, history: history)
    if isDurable { configuration.durability = .full }
    container = try ModelContainer(for: Item.self, Owner.self, configurations: configuration)
  }

  /// A context without registered models and without autosave.
  func makeContext() -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    return context
  }
}

extension ModelContext {
  /// All owners by number.
  func owners() throws -> [Owner] {
    try fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)]))
  }

  /// The items to change or delete.
  func batch() throws -> [Item] {
    var descriptor = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)])
    descriptor.fetchLimit = Selection.batch.count
    return try fetch(descriptor)
  }

  /// The identifiers of the items to look up.
  func lookups() throws -> [PersistentIdentifier] {
    let all = try fetchIdentifiers(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)]))
    return Selection.lookups.map { all[$0] }
  }
}
