import SwiftData
import Workload

/// Work that has to be possible with more rows than fit into memory.
package enum LargeStep: String, CaseIterable, Sendable {
  case open = "open"
  case count = "count all items"
  case ownedItems = "fetch the items of 1,000 owners by index"
  case enumerate = "enumerate all items"

  private static let ownerCount = 1_000

  /// Prepares the step, and returns a closure that runs it and returns the number of rows.
  package func prepare(_ url: String, namespace: String) throws -> () throws -> Int {
    if self == .open {
      return {
        _ = try Store(url, namespace: namespace)
        return 1
      }
    }
    let context = try Store(url, namespace: namespace).makeContext()
    switch self {
    case .open, .count:
      return { try context.fetchCount(FetchDescriptor<Item>()) }
    case .ownedItems:
      var descriptor = FetchDescriptor<Owner>()
      descriptor.fetchLimit = Self.ownerCount
      let owners = try context.fetchIdentifiers(descriptor)
      return {
        try owners.reduce(0) { count, owner in
          let descriptor = FetchDescriptor<Item>(predicate: #Predicate { $0.owner?.persistentModelID == owner })
          return try count + context.fetch(descriptor).count
        }
      }
    case .enumerate:
      return {
        var count = 0
        try context.enumerate(FetchDescriptor<Item>()) { _ in count += 1 }
        return count
      }
    }
  }

  /// The expected number of rows of a store whose owners have a hundred items each.
  package func rows(of itemCount: Int) -> Int {
    switch self {
    case .open: 1
    case .count, .enumerate: itemCount
    case .ownedItems: min(itemCount, Self.ownerCount * 100)
    }
  }
}
