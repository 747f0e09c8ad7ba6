import GRDB
import Workload

final class FetchFiltered: Work {
  private let store: ItemStore
  private var items: [Item] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    items = try store.queue.read { database in
      try Item.filter(Item.Columns.count < Selection.smallCount).order(Item.Columns.price).limit(Selection.limit)
        .fetchAll(database)
    }
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
