import GRDB
import Workload

final class Enumerate: Work {
  private let store: ItemStore

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    try store.queue.read { database in
      let items = try Item.fetchCursor(database.cachedStatement(sql: Item.select))
      var sum = 0
      while let item = try items.next() { sum += item.count }
      return sum
    }
  }
}
