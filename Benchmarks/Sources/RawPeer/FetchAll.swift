import Workload

final class FetchAll: Work {
  private let statement: Statement
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select)
  }

  func run() throws -> Int {
    items = try statement.items()
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
