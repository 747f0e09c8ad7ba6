import GRDB
import Workload

/// Changes one property of each item in the batch, and its column, in one transaction.
final class Change: Work {
  private static let sql = "UPDATE \"Item\" SET \"count\" = ? WHERE \"_id\" = ?"

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
    var changed = 0
    try batch.store.queue.write { database in
      let statement = try database.cachedStatement(sql: Self.sql)
      for item in batch.items {
        item.count += 1
        statement.setUncheckedArguments([item.count, item.id])
        try statement.execute()
        changed += database.changesCount
      }
    }
    return changed
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.store.file) } ?? .nothing
  }
}
