import Relational

/// What the targets of a relationship have to be from now on, where those of a store need not have been so far.
struct TargetCheck: Hashable {
  enum Rule: Hashable {
    /// No two models lead to the same one.
    case areSole
    /// They are models of an entity, and of none of some others that share its table.
    case areModels(of: String, notOf: [String])
  }

  /// The relationship, as the schema has it.
  var entity: String
  var property: String
  var rule: Rule
  /// The column that has the keys of the targets, in the store as it was.
  var source: ColumnSource
  /// The column of the other end, where a row without a value in it is no link.
  var counterpart: String?
  /// The table of the targets, in the store as it was.
  var targets: String
  /// Whether its rows say which entities they belong to.
  var namesKinds: Bool

  /// What of a store that has not been changed yet is in the way.
  ///
  /// - Parameter departing: What goes before.
  func issue(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    let message: String? =
      switch rule {
      case .areSole: try sharedTargets(departing, connection, dialect)
      case .areModels(let destination, let others):
        try strangers(to: destination, others, departing, connection, dialect)
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
      Its inverse is a to-one now, so that each model has one that leads to it, and \(count.of("model")) of the store \
      \(count == 1 ? "has" : "have") several, row \(example) of \(targets) for one. Let one lead there alone, in a \
      stage of a migration plan, or leave the inverse a to-many: \(Remedy.beforehand).
      """
  }

  private func strangers(
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
      It leads to models of \(destination) alone now, and \(count.of("link")) of the store \
      \(count == 1 ? "leads" : "lead") to models of other classes. Remove these links in a \
      stage of a migration plan, or give it the type that it had: \(Remedy.beforehand).
      """
  }

  /// Whether a row leads to one of the targets for which a condition holds; nil for all that are there.
  private func pointsToOneOf(_ condition: SQLExpression?, _ departing: DepartingRows) -> SQLExpression {
    let condition = departing.limit(condition, to: targets)
    let leads = SQLExpression.isInSelect(
      .column(source.column), Select(columns: [LayoutNames.primaryKey], from: targets, condition: condition))
    var isLink = leads
    if let counterpart {
      isLink = .binary(.and, isLink, .isNotNull(.column(counterpart)))
      let keepsTarget = departing.keepsTarget(of: ColumnSource(table: source.table, column: counterpart))
      if let keepsTarget { isLink = .binary(.and, isLink, keepsTarget) }
    }
    return departing.staying(in: source.table).map { .binary(.and, isLink, $0) } ?? isLink
  }
}
