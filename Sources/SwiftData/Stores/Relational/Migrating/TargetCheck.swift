import Relational

/// A rule for the targets of a relationship that those of a store may violate.
struct TargetCheck: Hashable {
  enum Rule: Hashable {
    /// No two models refer to the same one.
    case areUnique
    /// All are models of an entity, and not of others that share its table.
    case areModels(of: String, notOf: [String])
  }

  /// The relationship, as the schema names it.
  var entity: String
  var property: String
  var rule: Rule
  /// The column with the keys of the targets, in the store before the migration.
  var source: ColumnSource
  /// The column of the other end: a row is no link where it is null.
  var counterpart: String?
  /// The table of the targets, in the store before the migration.
  var targets: String
  /// Whether its rows record their entity.
  var namesKinds: Bool

  /// The violation of the rule in a store that has not been changed yet.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  func issue(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    let message: String? =
      switch rule {
      case .areUnique: try sharedTargets(departing, connection, dialect)
      case .areModels(let destination, let others):
        try mismatchedTargets(to: destination, others, departing, connection, dialect)
      }
    return message.map { .init(entity: entity, property: property, message: $0) }
  }

  private func sharedTargets(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> String? {
    var query = Select(columns: [source.column], from: source.table, condition: pointsToOneOf(nil, departing))
    query.groupBy = [.column(source.column)]
    query.having = .binary(.greater, .aggregate(.count, nil, distinct: false), .value(.integer(1)))
    query.orderBy = [.init(.column(source.column))]
    var count = 0
    var example: Int64 = 0
    try connection.forEachRow(dialect.render(query)) { row in
      if count == 0 { example = row.integer(0) }
      count += 1
    }
    if count == 0 { return nil }
    return """
      Its inverse is a to-one now, so that at most one model refers to each target, and \(count.of("model")) of the store \
      \(count == 1 ? "has" : "have") several references to it, such as row \(example) of \(targets). Keep one of them in a \
      stage of a migration plan, or keep the inverse a to-many: \(Remedy.beforehand).
      """
  }

  private func mismatchedTargets(
    to destination: String, _ others: [String], _ departing: DepartingRows, _ connection: any Connection,
    _ dialect: any Dialect
  ) throws -> String? {
    let areOthers = namesKinds ? SQLExpression.isIn(.column(LayoutNames.type), others.map { .text($0) }) : nil
    let query = Select(
      columns: [.aggregate(.count, nil, distinct: false)], from: .init(table: source.table, alias: source.table),
      condition: pointsToOneOf(areOthers, departing))
    var count = 0
    try connection.forEachRow(dialect.render(query)) { count = Int($0.integer(0)) }
    if count == 0 { return nil }
    return """
      It refers only to models of \(destination) now, and \(count.of("link")) of the store \
      \(count == 1 ? "refers" : "refer") to models of other classes. Remove these links in a \
      stage of a migration plan, or keep its previous type: \(Remedy.beforehand).
      """
  }

  /// Whether a row refers to a target for which a condition holds; nil for all existing targets.
  private func pointsToOneOf(_ condition: SQLExpression?, _ departing: DepartingRows) -> SQLExpression {
    let condition = departing.limit(condition, to: targets)
    let refersToTarget = SQLExpression.isInSelect(
      .column(source.column), Select(columns: [LayoutNames.primaryKey], from: targets, condition: condition))
    var isLink = refersToTarget
    if let counterpart {
      isLink = .binary(.and, isLink, .isNotNull(.column(counterpart)))
      let keepsTarget = departing.keepsTarget(of: ColumnSource(table: source.table, column: counterpart))
      if let keepsTarget { isLink = .binary(.and, isLink, keepsTarget) }
    }
    return departing.staying(in: source.table).map { .binary(.and, isLink, $0) } ?? isLink
  }
}
