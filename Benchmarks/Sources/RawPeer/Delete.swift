import CSQLite
import Workload

/// Deletes the items of the batch by key in one transaction.
final class Delete: Work {
  private let copy: StoreCopy
  private var batch: Batch?

  init(_ copy: StoreCopy) {
    self.copy = copy
  }

  func prepare() throws {
    batch = try Batch(in: copy) { "DELETE FROM \"Item\" WHERE \($0.key) = ?" }
  }

  func run() throws -> Int {
    guard let batch else { return 0 }
    let handle = batch.statement.handle
    var deleted = 0
    try batch.transaction {
      for item in batch.items {
        sqlite3_bind_int64(handle, 1, item.id)
        try batch.statement.run()
        deleted += Int(sqlite3_changes(batch.connection.handle))
      }
    }
    return deleted
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.file) } ?? .nothing
  }
}
