import SwiftData
import Workload

/// Changes one property of each item in the batch and saves.
final class Change: Work {
  private let copy: StoreCopy
  private let history: History
  private var batch: Batch?

  init(_ copy: StoreCopy, history: History = .none) {
    self.copy = copy
    self.history = history
  }

  func prepare() throws {
    batch = try Batch(in: copy, history: history)
  }

  func run() throws -> Int {
    guard let batch else { return 0 }
    for item in batch.items { item.count += 1 }
    try batch.context.save()
    return batch.items.count { !$0.hasChanges }
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.store.file) } ?? .nothing
  }
}
