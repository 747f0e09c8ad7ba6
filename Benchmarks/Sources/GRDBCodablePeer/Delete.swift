import GRDB
import Workload

/// Deletes the items of the batch by key in one transaction.
final class Delete: Work {
  private let copy: StoreCopy
  private var batch: Batch?

  init(_ copy: StoreCopy) {
    self.copy = copy
  }

  func prepare() throws {
    batch = try Batch(in: copy)
  }

  func run() throws -> Int {
    guard let batch else { return 0 }
    var deleted = 0
    try batch.store.queue.write { database in
      for item in batch.items where try item.delete(database) { deleted += 1 }
    }
    return deleted
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.store.file) } ?? .nothing
  }
}
