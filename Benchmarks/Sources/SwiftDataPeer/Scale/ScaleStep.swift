package import Foundation
import SwiftData
import Workload

/// What has to work with more rows than fit into memory.
package enum ScaleStep: String, CaseIterable, Codable, Sendable {
  case open = "open"
  case count = "count all items"
  case ownedItems = "fetch the items of 1,000 owners by index"
  case pages = "walk all items, 10,000 at a time, by a range of dates"
  case change = "change 1,000 items and save"

  private static let ownerCount = 1_000
  private static let changeCount = 1_000

  /// Does what comes before the step, and returns the step itself, which returns how many rows it was about.
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
    case .pages:
      return { try countPageByPage(file) }
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

  /// How many rows it should be about.
  package func rows(of itemCount: Int) -> Int {
    switch self {
    case .open: 1
    case .count, .pages: itemCount
    case .ownedItems: Self.ownerCount * 100
    case .change: Self.changeCount
    }
  }

  private func items(of owner: PersistentIdentifier, _ context: ModelContext) throws -> [Item] {
    try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.owner?.persistentModelID == owner }))
  }

  /// Each page begins where the one before ended, and has a context of its own.
  private func countPageByPage(_ file: URL) throws -> Int {
    let store = try ItemStore(file)
    var count = 0
    var end: Date? = .distantPast
    while let start = end {
      var descriptor = FetchDescriptor<Item>(
        predicate: #Predicate { $0.created > start }, sortBy: [SortDescriptor(\.created)])
      descriptor.fetchLimit = 10_000
      let page = try store.makeContext().fetch(descriptor)
      count += page.count
      end = page.last?.created
    }
    return count
  }
}
