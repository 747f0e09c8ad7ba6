import GRDB
import Workload

final class CountFiltered: Work {
  private let store: ItemStore

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    try store.queue.read { database in
      try Item.filter(Item.Columns.flag && Item.Columns.count < Selection.mediumCount).fetchCount(database)
    }
  }
}
