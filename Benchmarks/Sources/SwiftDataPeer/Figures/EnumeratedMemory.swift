import SwiftData
import Timing
import Workload

/// The additional memory for enumerating many rows instead of some.
struct EnumeratedMemory {
  private static let someItems = 100_000

  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.manyItems)
  }

  /// The megabytes between the two peaks.
  func measure() throws -> Double {
    let some = try peak(of: Self.someItems)
    return try Double(peak(of: Seeds.manyItemsCount) - some) / 1_048_576
  }

  private func peak(of count: Int) throws -> Int {
    let context = store.makeContext()
    var descriptor = FetchDescriptor<Item>()
    descriptor.fetchLimit = count
    var visited = 0
    try ResidentMemory.resetPeak()
    try context.enumerate(descriptor) { _ in visited += 1 }
    precondition(visited == count, "The store has too few items.")
    return try ResidentMemory().peak
  }
}
