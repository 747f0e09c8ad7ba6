import Relational

/// The links of a to-one that is its own inverse now, in a store that had them as those of a one-way relationship: a model
/// may lead to one that leads nowhere, or elsewhere.
struct MutualLinks: Hashable {
  /// Where the links are, or will have come by the time that they are completed.
  var table: String
  var column: TableDefinition.Column
  /// Where they are in the store as it was.
  var source: Source

  struct Source: Hashable {
    /// The table that has the links: that of the models, or one of kept values.
    var links: String
    var column: String
    /// The table that has the models.
    var models: String
  }

  /// The keys of models that do not lead to each other, and what would make them.
  struct Findings {
    /// The models that lead nowhere, and one each that leads to them.
    var missing: [(key: Int64, target: Int64)] = []
    /// The models that lead to one that leads elsewhere, or is what several lead to.
    var contradicting: [Int64] = []

    var areMutual: Bool { missing.isEmpty && contradicting.isEmpty }
  }

  /// What a store has that was not migrated yet.
  ///
  /// - Parameter departing: What goes before.
  func sourceFindings(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Findings {
    try findings(in: source.links, source.column, of: source.models, departing, connection, dialect)
  }

  /// Gives models that lead nowhere the one that leads to them.
  func complete(_ connection: any Connection, _ dialect: any Dialect) throws {
    let missing = try findings(in: table, column.name, of: table, DepartingRows(), connection, dialect).missing
    if missing.isEmpty { return }
    let update = try connection.statement(
      dialect.render(Update(table, set: [.init(column.name, .parameter)], where: .isRow)).sql)
    defer { update.clear() }
    for (key, target) in missing {
      update.bind([.integer(target), .integer(key)])
      _ = try update.step()
      update.reset()
    }
  }

  func issue(_ findings: Findings) -> SwiftDataError.Issue? {
    guard let example = findings.contradicting.first else { return nil }
    return .init(
      entity: column.owner ?? table, property: column.sourceName,
      message: """
        It is its own inverse now, so that two models lead to each other, and \(findings.contradicting.count) models of \
        the store, row \(example) for one, lead to a model that leads to another one. Write @Relationship(inverse: nil) \
        to keep it one-way.
        """)
  }

  private func findings(
    in links: String, _ column: String, of models: String, _ departing: DepartingRows,
    _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Findings {
    let stay = departing.keys(of: models)
    var areThere = SQLExpression.isInSelect(.column(column), stay)
    if stay.condition != nil {
      areThere = .binary(.and, areThere, .isInSelect(.column(LayoutNames.primaryKey), stay))
    }
    let query = Select(columns: [LayoutNames.primaryKey, column], from: links, condition: areThere)
    var targets: [Int64: Int64] = [:]
    try connection.forEachRow(dialect.render(query)) { targets[$0.integer(0)] = $0.integer(1) }
    let leading = Dictionary(grouping: targets.keys) { targets[$0] ?? 0 }
    var findings = Findings()
    for (key, target) in targets.sorted(by: { $0.key < $1.key }) where targets[target] != key {
      if targets[target] == nil, leading[target]?.count == 1 {
        findings.missing.append((target, key))
      } else {
        findings.contradicting.append(key)
      }
    }
    return findings
  }
}
