import Foundation
import SwiftData
import Workload

/// Fetches objects with a prefetched relationship.
final class PrefetchOwners: Work {
  private let store: ItemStore
  private var context: ModelContext
  private var owners: [Owner] = []

  init(_ store: ItemStore) {
    self.store = store
    context = store.makeContext()
  }

  func prepare() throws {
    context = store.makeContext()
  }

  func run() throws -> Int {
    var descriptor = FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.items]
    owners = try context.fetch(descriptor)
    return owners.reduce(0) { sum, owner in owner.items.reduce(sum) { $0 + $1.count } }
  }

  func finish() throws -> Outcome {
    defer { owners = [] }
    return .objects(Digest(of: owners))
  }
}
