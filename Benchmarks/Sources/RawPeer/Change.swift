import CSQLite
import Workload

/// Changes one property of each item in the batch, and its column, in one transaction.
final class Change: Work {
  private let copy: StoreCopy
  private var batch: Batch?

  init(_ copy: StoreCopy) {
    self.copy = copy
  }

  func prepare() throws {
    batch = try Batch(in: copy) { "UPDATE \"Item\" SET \"count\" = ? WHERE \($0.key) = ?" }
  }

  func run() throws -> Int {
    guard let batch else { return 0 }
    let handle = batch.statement.handle
    var changed = 0
    try batch.transaction {
      for item in batch.items {
        item.count += 1
        sqlite3_bind_int64(handle, 1, Int64(item.count))
        sqlite3_bind_int64(handle, 2, item.id)
        try batch.statement.run()
        changed += Int(sqlite3_changes(batch.connection.handle))
      }
    }
    return changed
  }

  func finish() throws -> Outcome {
    defer { batch = nil }
    return batch.map { .store($0.file) } ?? .nothing
  }
}
