import SwiftData
package import Workload

/// Fetches owners with their prefetched items.
package final class PrefetchOwners: Work {
  private let store: Store
  private var context: ModelContext
  private var owners: [Owner] = []

  package init(_ store: Store) {
    self.store = store
    context = store.makeContext()
  }

  package func prepare() throws {
    context = store.makeContext()
  }

  package func run() throws -> Int {
    var descriptor = FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.items]
    owners = try context.fetch(descriptor)
    return owners.reduce(0) { sum, owner in owner.items.reduce(sum) { $0 + $1.count } }
  }

  package func finish() throws -> Outcome {
    defer { owners = [] }
    return .objects(Digest(of: owners))
  }
}
