import Workload

/// Releases all items at once.
final class Release: Work {
  private let statement: Statement
  private var items: [Item] = []
  private weak var last: Item?

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select)
  }

  func prepare() throws {
    items = try statement.items()
    last = items.last
  }

  func run() throws -> Int {
    items = []
    return last == nil ? 0 : 1
  }
}
