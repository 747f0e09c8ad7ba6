import Foundation
import SwiftData
import Timing
import Workload

/// The cost of a fetch without rows: creating a predicate, finding its SQL and running it.
struct PredicateCost {
  private static let repetitions = 10_000

  private let context: ModelContext

  /// Opens a store without items and fetches all, so that only the predicate is new.
  init(_ folder: StoreFolder) throws {
    context = try ItemStore(folder.owners).makeContext()
    _ = try context.fetch(FetchDescriptor<Item>())
  }

  /// The seconds that the first fetch takes.
  func measureFirst() throws -> Double {
    try CPUClock.seconds { try fetch(0) }
  }

  /// The seconds that each of many later fetches takes.
  func measureLater() throws -> Double {
    try fetch(0)
    let seconds = try CPUClock.seconds {
      for number in 0..<Self.repetitions { try fetch(number) }
    }
    return seconds / Double(Self.repetitions)
  }

  private func fetch(_ count: Int) throws {
    let name = "Absent"
    _ = try context.fetch(
      FetchDescriptor<Item>(predicate: #Predicate { $0.flag && $0.count < count && $0.name == name }))
  }
}
