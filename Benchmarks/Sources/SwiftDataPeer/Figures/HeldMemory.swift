import Foundation
import SwiftData
import Timing
import Workload

/// The memory of fetched objects that are retained.
struct HeldMemory {
  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.items)
  }

  /// The bytes for each object, including the library's and the page cache's memory.
  func measure() throws -> Double {
    let context = store.makeContext()
    let before = try ResidentMemory()
    let items = try context.fetch(FetchDescriptor<Item>())
    let after = try ResidentMemory()
    return withExtendedLifetime(items) { Double(after.current - before.current) / Double(items.count) }
  }
}
