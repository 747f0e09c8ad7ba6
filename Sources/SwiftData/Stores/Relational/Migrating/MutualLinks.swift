import Relational

/// The links of a to-one that is its own inverse now, and was a one-way relationship in the store, where a model may refer
/// to one that does not refer back.
struct MutualLinks: Hashable {
  /// The location of the links when they are completed.
  var table: String
  var column: TableDefinition.Column
  /// The location in the store before the migration.
  var source: Source

  struct Source: Hashable {
    /// The table with the links: the one of the models, or one of archived values.
    var links: String
    var column: String
    /// The table that has the models.
    var models: String
  }

  /// The keys of models whose references are not mutual.
  struct Findings {
    /// The models without a reference to which exactly one other model refers, with that one.
    var missing: [(key: Int64, target: Int64)] = []
    /// The models that refer to one that refers elsewhere, or that shares its target with others.
    var contradicting: [Int64] = []

    var areMutual: Bool { missing.isEmpty && contradicting.isEmpty }
  }

  /// The findings in a store before the migration.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  func sourceFindings(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Findings {
    try findings(in: source.links, source.column, of: source.models, departing, connection, dialect)
  }

  /// Makes models without a reference refer to the one that refers to them.
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
        It is its own inverse now, so that two models refer to each other, and \(findings.contradicting.count) models of \
        the store, such as row \(example), refer to a model that refers to another one. Write @Relationship(inverse: nil) \
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
