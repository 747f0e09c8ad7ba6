import SwiftData
package import Workload

/// Changes one property of each item in the batch and saves.
package final class Change: Work {
  private let store: Store
  private let tidy: () throws -> Void
  private var context: ModelContext
  private var items: [Item] = []

  /// - Parameter tidy: Lets the server reuse the space of changed rows.
  package init(_ store: Store, tidy: @escaping () throws -> Void) {
    self.store = store
    self.tidy = tidy
    context = store.makeContext()
  }

  package func prepare() throws {
    try tidy()
    context = store.makeContext()
    var descriptor = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)])
    descriptor.fetchLimit = Selection.batch.count
    items = try context.fetch(descriptor)
  }

  package func run() throws -> Int {
    for item in items { item.count += 1 }
    try context.save()
    return items.count { !$0.hasChanges }
  }

  package func finish() throws -> Outcome {
    items = []
    return .nothing
  }
}
