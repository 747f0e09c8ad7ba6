import Workload

final class Enumerate: Work {
  private let statement: Statement

  init(_ store: ItemStore) throws {
    statement = try store.connection.prepare(store.table.select)
  }

  func run() throws -> Int {
    var sum = 0
    try statement.forEachRow { visit(Item(row: $0), &sum) }
    return sum
  }

  /// Gets an object, as whoever enumerates does. In line the compiler would see that none is needed.
  @inline(never)
  private func visit(_ item: Item, _ sum: inout Int) {
    sum += item.count
  }
}
