import Foundation
import SwiftData
import Timing
import Workload

/// A fetch of one of many rows.
struct FirstObject {
  private static let repetitions = 1_000

  private let store: ItemStore

  init(_ folder: StoreFolder) throws {
    store = try ItemStore(folder.items)
  }

  /// The seconds from a new context to an object with values, on average.
  func measure() throws -> Double {
    var descriptor = FetchDescriptor<Item>()
    descriptor.fetchLimit = 1
    var sum = 0
    func fetch() throws {
      sum += try store.makeContext().fetch(descriptor).first?.count ?? 0
    }
    try fetch()
    let seconds = try CPUClock.seconds {
      for _ in 0..<Self.repetitions { try fetch() }
    }
    return seconds / Double(Self.repetitions)
  }
}
