import Foundation
import SwiftData
import Timing
import Workload

/// The growth of memory over many saves, while the main context is idle.
struct BusyMemory {
  private static let someSaves = 20_000
  private static let manySaves = 200_000

  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.copy(of: folder.owners, for: OpenSwiftData.self).make(), history: .usual)
  }

  /// The additional megabytes after all saves compared with after some.
  @MainActor
  func measure() throws -> Double {
    let idle = store.container.mainContext
    let owners = try idle.owners()
    let context = store.makeContext()
    let there = try context.owners()
    let seed = Seeds().items[0]
    var memory = 0
    for number in 0..<Self.manySaves {
      if number == Self.someSaves { memory = try ResidentMemory().current }
      // Rows are inserted, changed and deleted, including models that the idle context has.
      there[number % there.count].name = "\(number)"
      let item = Item(seed, owner: there[number % there.count])
      context.insert(item)
      try context.save()
      context.delete(item)
    }
    let now = try ResidentMemory().current
    return withExtendedLifetime(owners) { Double(now - memory) / 1_048_576 }
  }
}
