package import Foundation
import SwiftData
import Workload

/// Operations that have to work with more rows than fit into memory.
package enum ScaleStep: String, CaseIterable, Codable, Sendable {
  case open = "open"
  case count = "count all items"
  case ownedItems = "fetch the items of 1,000 owners by index"
  case enumerate = "enumerate all items"
  case change = "change 1,000 items and save"

  private static let ownerCount = 1_000
  private static let changeCount = 1_000

  /// Prepares the step, and returns a closure that runs it and returns the number of rows.
  package func prepare(on file: URL) throws -> () throws -> Int {
    if self == .open {
      return {
        _ = try ItemStore(file)
        return 1
      }
    }
    let context = try ItemStore(file).makeContext()
    switch self {
    case .open, .count:
      return { try context.fetchCount(FetchDescriptor<Item>()) }
    case .ownedItems:
      var descriptor = FetchDescriptor<Owner>()
      descriptor.fetchLimit = Self.ownerCount
      let owners = try context.fetchIdentifiers(descriptor)
      return { try owners.reduce(0) { try $0 + items(of: $1, context).count } }
    case .enumerate:
      return {
        var count = 0
        try context.enumerate(FetchDescriptor<Item>()) { _ in count += 1 }
        return count
      }
    case .change:
      var descriptor = FetchDescriptor<Item>()
      descriptor.fetchLimit = Self.changeCount
      let items = try context.fetch(descriptor)
      return {
        for item in items { item.count += 1 }
        try context.save()
        return items.count { !$0.hasChanges }
      }
    }
  }

  /// The expected number of rows.
  package func rows(of itemCount: Int) -> Int {
    switch self {
    case .open: 1
    case .count, .enumerate: itemCount
    case .ownedItems: Self.ownerCount * 100
    case .change: Self.changeCount
    }
  }

  private func items(of owner: PersistentIdentifier, _ context: ModelContext) throws -> [Item] {
    try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.owner?.persistentModelID == owner }))
  }
}
