import Relational

/// Counts the rows of tables, once each.
struct RowCounts {
  private var counts: [String: Int] = [:]
  /// The current names of tables, by the names that steps give them.
  private var presentNames: [String: String] = [:]

  /// Nil for a missing table.
  mutating func count(
    for step: LayoutChange, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int? {
    if case .renameTable(let from, let to) = step { presentNames[to] = presentNames[from] ?? from }
    guard let table = step.slowTable else { return 0 }
    let name = presentNames[table] ?? table
    if let known = counts[name] { return known }
    guard try connection.tableNames().contains(name) else { return nil }
    var count = 0
    let query = Select(
      columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: name, alias: name), condition: nil)
    try connection.forEachRow(dialect.render(query)) { count = Int($0.integer(0)) }
    counts[name] = count
    return count
  }
}
