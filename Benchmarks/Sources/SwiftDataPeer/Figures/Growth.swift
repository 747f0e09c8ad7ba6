import Foundation
import SwiftData
import Timing
import Workload

/// The growth of the time of a fetch with its size: 1 if twice as many objects take twice as long.
struct Growth {
  private static let fewItems = 10_000

  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.manyItems)
  }

  /// The exponent between the fastest small and the fastest large fetch.
  func measure() throws -> Double {
    var small = Double.infinity
    var large = Double.infinity
    for _ in 0..<2 {
      for _ in 0..<10 { small = try min(small, fetch(Self.fewItems)) }
      large = try min(large, fetch(Seeds.manyItemsCount))
    }
    return log(large / small) / log(Double(Seeds.manyItemsCount) / Double(Self.fewItems))
  }

  private func fetch(_ count: Int) throws -> Double {
    let context = store.makeContext()
    var descriptor = FetchDescriptor<Item>()
    descriptor.fetchLimit = count
    var items: [Item] = []
    let seconds = try CPUClock.seconds { items = try context.fetch(descriptor) }
    precondition(items.count == count, "The store has too few items.")
    return seconds
  }
}
