import Foundation
import SwiftData
import Timing
import Workload

/// The memory that fetched objects take while somebody holds them.
struct HeldMemory {
  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.items)
  }

  /// The bytes for each object, with all that the library and the page cache keep beside it.
  func measure() throws -> Double {
    let context = store.makeContext()
    let before = try ResidentMemory()
    let items = try context.fetch(FetchDescriptor<Item>())
    let after = try ResidentMemory()
    return withExtendedLifetime(items) { Double(after.current - before.current) / Double(items.count) }
  }
}
