import SwiftData
import Workload

/// Reads a relationship of fetched objects without prefetching it.
final class WalkOwners: Work {
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
    owners = try context.owners()
    var sum = 0
    for owner in owners {
      for item in owner.items { sum += item.count }
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { owners = [] }
    return .objects(Digest(of: owners))
  }
}
