import GRDB
import Workload

/// Releases all items at once.
final class Release: Work {
  private let store: ItemStore
  private var items: [Item] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func prepare() throws {
    items = try store.queue.read { try Item.fetchAll($0) }
  }

  func run() throws -> Int {
    items = []
    return items.count
  }
}
