import GRDB
import Workload

/// Deletes the items of the batch by key in one transaction.
final class Delete: Work {
  private static let sql = "DELETE FROM \"Item\" WHERE \"_id\" = ?"

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
      let statement = try database.cachedStatement(sql: Self.sql)
      for item in batch.items {
        statement.setUncheckedArguments([item.id])
        try statement.execute()
        deleted += database.changesCount
      }
    }
    return deleted
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.store.file) } ?? .nothing
  }
}
