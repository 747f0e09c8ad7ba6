import Foundation
import SwiftData
import Timing
import Workload

/// A fetch of the last of many transactions.
struct LastTransaction {
  private static let repetitions = 100

  private let context: ModelContext

  init(_ folder: StoreFolder) throws {
    context = try ItemStore(folder.manyTransactions, history: .unlimited).makeContext()
  }

  /// The seconds that each of many fetches takes.
  func measure() throws -> Double {
    try fetch()
    let seconds = try CPUClock.seconds {
      for _ in 0..<Self.repetitions { try fetch() }
    }
    return seconds / Double(Self.repetitions)
  }

  private func fetch() throws {
    let number = try context.lastTransaction()?.transactionIdentifier ?? 0
    precondition(number > Int64(Seeds.manyTransactionsCount), "The history is too short.")
  }
}
