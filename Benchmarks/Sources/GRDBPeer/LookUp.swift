import GRDB
import Workload

/// One statement for each item, all of them in one read transaction.
final class LookUp: Work {
  private static let keys = "SELECT \"_id\" FROM \"Item\" ORDER BY \"created\""
  private static let sql = Item.select + " WHERE \"_id\" = ?"

  private let store: ItemStore
  private let keys: [Int64]
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    self.store = store
    let all = try store.queue.read { try Int64.fetchAll($0, sql: Self.keys) }
    keys = Selection.lookups.map { all[$0] }
  }

  func run() throws -> Int {
    var sum = 0
    try store.queue.read { database in
      let statement = try database.cachedStatement(sql: Self.sql)
      for key in keys {
        guard let item = try Item.fetchOne(statement, arguments: [key]) else { continue }
        items.append(item)
        sum += item.count
      }
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
