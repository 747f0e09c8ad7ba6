import GRDB
import Workload

/// One request for each item, all of them in one read transaction.
final class LookUp: Work {
  private let store: ItemStore
  private let keys: [Int64]
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    self.store = store
    let all = try store.queue.read { try Item.order(Item.Columns.created).fetchAll($0) }
    keys = Selection.lookups.compactMap { all[$0].id }
  }

  func run() throws -> Int {
    var sum = 0
    try store.queue.read { database in
      for key in keys {
        guard let item = try Item.fetchOne(database, key: key) else { continue }
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
