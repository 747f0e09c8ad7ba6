import Foundation
import SwiftData
import Timing
import Workload

/// Saves beside registered objects without changes, which should cost nothing.
struct SaveCost {
  private static let repetitions = 500

  private let context: ModelContext
  private let held: [Item]
  private let seed: ItemSeed

  init(_ folder: StoreFolder, registered: Int) throws {
    context = try ItemStore(folder.copy(of: folder.items, for: OpenSwiftData.self).make()).makeContext()
    var descriptor = FetchDescriptor<Item>()
    descriptor.fetchLimit = registered
    held = registered == 0 ? [] : try context.fetch(descriptor)
    seed = ItemSeed(number: 0)
  }

  /// The seconds that each of many saves takes.
  func measure() throws -> Double {
    for _ in 0..<10 { try save() }
    let seconds = try CPUClock.seconds {
      for _ in 0..<Self.repetitions { try save() }
    }
    return withExtendedLifetime(held) { seconds / Double(Self.repetitions) }
  }

  private func save() throws {
    context.insert(Item(seed, owner: nil))
    try context.save()
  }
}
