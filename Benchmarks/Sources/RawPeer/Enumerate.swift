import Workload

final class Enumerate: Work {
  private let statement: Statement
  /// Retained, as a caller might do: otherwise the compiler would remove the object.
  private var current: Item?

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select)
  }

  func run() throws -> Int {
    var sum = 0
    try statement.forEachRow { row in
      let item = Item(row: row)
      current = item
      sum += item.count
    }
    return sum
  }

  func finish() -> Outcome {
    current = nil
    return .nothing
  }
}
