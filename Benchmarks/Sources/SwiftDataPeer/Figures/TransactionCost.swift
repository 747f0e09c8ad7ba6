import Foundation
import SwiftData
import Timing
import Workload

/// The cost that `transaction` adds to the save of one change.
struct TransactionCost {
  private static let repetitions = 500
  private static let rounds = 9

  private let context: ModelContext
  private let item: Item

  init(_ folder: StoreFolder) throws {
    context = try ItemStore(folder.copy(of: folder.items, for: OpenSwiftData.self).make()).makeContext()
    var descriptor = FetchDescriptor<Item>()
    descriptor.fetchLimit = 1
    guard let item = try context.fetch(descriptor).first else { throw CocoaError(.coderValueNotFound) }
    self.item = item
  }

  /// The additional seconds: the fastest rounds of both are compared.
  func measure() throws -> Double {
    var plain = Double.infinity
    var inside = Double.infinity
    for _ in 0..<Self.rounds {
      plain = try min(plain, seconds(save))
      inside = try min(inside, seconds { try context.transaction { item.count += 1 } })
    }
    return inside - plain
  }

  private func save() throws {
    item.count += 1
    try context.save()
  }

  private func seconds(_ body: () throws -> Void) throws -> Double {
    let seconds = try CPUClock.seconds {
      for _ in 0..<Self.repetitions { try body() }
    }
    return seconds / Double(Self.repetitions)
  }
}
