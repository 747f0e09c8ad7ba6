import Relational

/// The links of a relationship whose location changes. A temporary table has them while the tables change.
struct MovedLinks: Hashable {
  /// The relationship, as the schema names it.
  var entity: String
  var property: String
  /// The location of the links in the store before the migration.
  var old: LinkLocation
  var new: LinkLocation
  /// Whether a model can have at most one member, or a member at most one owner.
  var hasOneMember: Bool
  var hasOneOwner: Bool
  /// The temporary table.
  var table: String

  private static let (owner, member) = ("owner", "member")
  private static let (position, inversePosition) = ("position", "inverse_position")

  /// The statements that collect the links in the temporary table. Dangling links are dropped.
  func gathering(_ dialect: any Dialect) -> [RenderedStatement] {
    var archive = TableDefinition(
      name: table,
      columns: [Self.owner, Self.member, Self.position, Self.inversePosition].map { name in
        TableDefinition.Column(
          name: name, type: .integer, isNullable: name == Self.position || name == Self.inversePosition)
      },
      compositePrimaryKey: [Self.owner, Self.member])
    archive.indexes = [.init(name: "swiftdata_index_\(table)", columns: [Self.member], isUnique: false)]
    func value(_ column: String?) -> SQLExpression { column.map { .column($0) } ?? .value(.null) }
    let links = Select(
      columns: [value(old.owner), value(old.member), value(old.position), value(old.inversePosition)],
      from: .init(table: old.table, alias: old.table), condition: areSound())
    let filling = Insert(into: table, columns: archive.columns.map(\.name), from: links)
    return dialect.createTable(archive).map { .init($0) } + [dialect.render(filling)]
  }

  /// - Parameter departing: The rows that earlier steps remove.
  private func areSound(_ departing: DepartingRows = DepartingRows()) -> SQLExpression {
    func exists(_ column: String, in table: String) -> SQLExpression {
      .isInSelect(.column(column), departing.keys(of: table))
    }
    return .binary(.and, exists(old.owner, in: old.ownerTable), exists(old.member, in: old.memberTable))
  }

  /// The statements that write the links to their new location and drop the temporary table.
  func writing(_ dialect: any Dialect) -> [RenderedStatement] {
    let links: RenderedStatement =
      if new.isJoin {
        dialect.render(insertion)
      } else if new.owner == LayoutNames.primaryKey {
        dialect.render(
          update(Self.owner, [(new.member, Self.member), (new.inversePosition, Self.inversePosition)]))
      } else {
        dialect.render(update(Self.member, [(new.owner, Self.owner), (new.position, Self.position)]))
      }
    return [links, RenderedStatement(dialect.dropTable(table))]
  }

  private var insertion: Insert {
    var columns = [new.owner, new.member]
    var values: [SQLExpression] = [.column(Self.owner), .column(Self.member)]
    for (column, value) in [(new.position, Self.position), (new.inversePosition, Self.inversePosition)] {
      guard let column else { continue }
      columns.append(column)
      // Links without an order get the same position.
      values.append(.function(.coalesce, [.column(value), .value(.integer(0))]))
    }
    return Insert(
      into: new.table, columns: columns, from: Select(columns: values, from: .init(table: table, alias: table)))
  }

  /// - Parameters:
  ///   - key: The column with the keys of the rows.
  ///   - columns: The columns to set, and those with the values.
  private func update(_ key: String, _ columns: [(String?, String)]) -> Update {
    let isRow = SQLExpression.binary(
      .equal, .column(table: table, name: key), .column(table: new.table, name: LayoutNames.primaryKey))
    var assignments: [Update.Assignment] = []
    for (column, value) in columns {
      guard let column else { continue }
      let found = Select(
        columns: [.column(table: table, name: value)], from: .init(table: table, alias: table), condition: isRow)
      assignments.append(.init(column, .scalar(found)))
    }
    return Update(
      new.table, set: assignments,
      where: .isInSelect(.column(LayoutNames.primaryKey), Select(columns: [key], from: table)))
  }

  /// Records the largest position, so that later members get larger ones.
  func recordPositions(_ connection: any Connection, _ dialect: any Dialect) throws {
    for column in [Self.position, Self.inversePosition] {
      let query = Select(
        columns: [.aggregate(.maximum, .column(column), distinct: false)], from: .init(table: table, alias: table))
      var last: Int64 = 0
      try connection.forEachRow(dialect.render(query)) { last = $0.integer(0) }
      if RowIdentity.isValid(last) { try KeySequences.record(last, of: new.table, connection, dialect) }
    }
  }

  /// The models that have more links than the relationship allows now.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  func issues(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> [SwiftDataError.Issue] {
    var issues: [SwiftDataError.Issue] = []
    func add(_ violation: String) {
      issues.append(
        .init(
          entity: entity, property: property,
          message: """
            Its links are stored in another location now, and \(violation). Remove the surplus links in a stage of a \
            migration plan: \(Remedy.beforehand).
            """))
    }
    if hasOneMember {
      let count = try repetitionCount(of: old.owner, departing, connection, dialect)
      if count > 0 { add("\(count.of("model")) of the store \(count == 1 ? "has" : "have") more than one") }
    }
    if hasOneOwner {
      let count = try repetitionCount(of: old.member, departing, connection, dialect)
      if count > 0 { add("\(count.of("model")) of the store \(count == 1 ? "belongs" : "belong") to more than one") }
    }
    return issues
  }

  private func repetitionCount(
    of column: String, _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> Int {
    // A primary key has no repetitions.
    if column == LayoutNames.primaryKey { return 0 }
    var query = Select(columns: [column], from: old.table, condition: areSound(departing))
    query.groupBy = [.column(column)]
    query.having = .binary(
      .greater, .aggregate(.count, nil, distinct: false), .value(.integer(1)))
    var count = 0
    try connection.forEachRow(dialect.render(query)) { _ in count += 1 }
    return count
  }
}
