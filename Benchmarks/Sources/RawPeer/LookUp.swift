import CSQLite
import Workload

/// One statement for each item, without a transaction around them.
final class LookUp: Work {
  private let statement: Statement
  private let keys: [Int64]
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select + " WHERE \(store.table.key) = ?")
    let all = try store.keys()
    keys = Selection.lookups.map { all[$0] }
  }

  func run() throws -> Int {
    var sum = 0
    for key in keys {
      sqlite3_bind_int64(statement.handle, 1, key)
      try statement.forEachRow { row in
        let item = Item(row: row)
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
