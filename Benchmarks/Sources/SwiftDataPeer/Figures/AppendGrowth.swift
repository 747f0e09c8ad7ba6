import Foundation
import SwiftData
import Timing
import Workload

/// The growth of the time for appending members one by one with their number: 1 if each takes the same time.
struct AppendGrowth {
  private static let fewMembers = 1_000
  private static let manyMembers = 10_000

  private let store: ItemStore
  private let seeds = Seeds()

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.owners)
  }

  /// The exponent between the fastest short and the fastest long series.
  func measure() throws -> Double {
    var short = Double.infinity
    var long = Double.infinity
    for _ in 0..<5 {
      for _ in 0..<5 { short = try min(short, append(Self.fewMembers)) }
      long = try min(long, append(Self.manyMembers))
    }
    return log(long / short) / log(Double(Self.manyMembers) / Double(Self.fewMembers))
  }

  private func append(_ count: Int) throws -> Double {
    let context = store.makeContext()
    context.autosaveEnabled = false
    let owner = Owner(name: "0")
    context.insert(owner)
    let items = seeds.items.prefix(count).map { Item($0, owner: nil) }
    let seconds = CPUClock.seconds {
      for item in items { owner.items.append(item) }
    }
    precondition(owner.items.count == count && items.last?.owner === owner, "A member is missing.")
    // A context defers the cleanup of changes, which would be counted otherwise.
    context.rollback()
    return seconds
  }
}
