import GRDB
import Workload

final class FetchAll: Work {
  private let store: ItemStore
  private var items: [Item] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    items = try store.queue.read { try Item.fetchAll($0) }
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
