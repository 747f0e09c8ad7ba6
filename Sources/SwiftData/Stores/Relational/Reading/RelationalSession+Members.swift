import Relational

extension RelationalSession {
  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (Int64, RowKey) -> Void
  ) throws {
    guard let source = RelationshipSource(relationship, layout.layout(of: entity), layout) else { return }
    var select = source.select(owners)
    select.columns = [source.ownerKey, source.memberKey]
    select.orderBy = [.init(source.ownerKey)] + source.orderColumns.map { .init($0) }
    let destination = source.destination
    if let type = destination.typeColumn {
      source.joinMembers(to: &select)
      select.columns.append(.column(table: Projection.alias, name: type))
    }
    let ordinals = Dictionary(
      uniqueKeysWithValues: destination.root.family.map { ($0.entity.name, $0.ordinal) })
    let rendered = store.database.dialect.render(select)
    try readUnregistered { connection in
      try connection.forEachRow(rendered.sql, rendered.parameters) { statement in
        let key = statement.integer(1)
        // An invalid key is a dangling reference, like the key of a missing row.
        guard RowIdentity.isValid(key) else { return }
        var ordinal = destination.ordinal
        if destination.typeColumn != nil {
          let type = statement.text(2)
          guard let known = ordinals[type] else { throw destination.unknownType(type, key) }
          ordinal = known
        }
        receive(statement.integer(0), RowKey(key: key, entity: ordinal))
      }
    }
  }

  func memberRows(
    of relationship: String, in entity: Schema.Entity, owners: [Int64],
    receive: (_ owner: Int, _ order: Int64, RowKey, _RowReader) throws -> Void
  ) throws {
    guard let source = RelationshipSource(relationship, layout.layout(of: entity), layout) else { return }
    let projection = layout.projection(of: source.destination.root)
    var select = source.select(owners)
    if source.joinsMembers {
      source.joinMembers(to: &select)
    } else if try areLargeShare(owners, of: entity) {
      // For a large share of the owners a scan is faster than index lookups. The scan also returns members of other owners,
      // which `indices` skips below.
      select.from.isScanned = true
      select.condition = .isNotNull(source.ownerKey)
    }
    select.columns = projection.columns
    let ownerColumn = select.columnIndex(of: source.ownerKey)
    let orderColumn = source.orderColumns.first.map { select.columnIndex(of: $0) }
    let indices = KeyIndices(owners)
    try read(store.database.dialect.render(select), projection, source.destination.root) { row, reader in
      guard let owner = indices[reader.number(ownerColumn)] else { return }
      let order = orderColumn.map { reader.number($0) } ?? 0
      try receive(owner, order, row, reader)
    }
  }

  /// Whether the owners are at least 256, and at least a quarter of their entity's largest key: scanning the members' table
  /// is then faster than an index lookup for each.
  private func areLargeShare(_ owners: [Int64], of entity: Schema.Entity) throws -> Bool {
    guard owners.count >= 256, let last = try lastKey(of: entity) else { return false }
    return last / 4 <= owners.count
  }
}

/// The tables and columns that hold a relationship's pairs of owner key and target key.
private struct RelationshipSource {
  /// The alias of a table of pairs that is not the members' own table.
  private static let linkAlias = "j"

  let destination: EntityLayout
  /// The table with the pairs of owners and members.
  private let table: String
  private let alias: String
  let ownerKey: SQLExpression
  let memberKey: SQLExpression
  /// The order of the members of one owner.
  let orderColumns: [SQLExpression]
  private var condition: SQLExpression?

  /// Nil if the property is no relationship.
  init?(_ relationship: String, _ entity: EntityLayout, _ layout: StoreLayout) {
    guard let property = entity.property(named: relationship),
      let destination = property.destination.flatMap(layout.layout(named:))
    else { return nil }
    self.destination = destination
    func linkColumn(_ name: String) -> SQLExpression { .column(table: Self.linkAlias, name: name) }
    func memberColumn(_ name: String) -> SQLExpression { .column(table: Projection.alias, name: name) }
    switch property.storage {
    case .referencedMembers(let table, let column, let position):
      (self.table, alias) = (table, Projection.alias)
      (ownerKey, memberKey) = (memberColumn(column), memberColumn(LayoutNames.primaryKey))
      orderColumns = [memberColumn(position), memberKey]
    case .inverseReference(let table, let column):
      (self.table, alias) = (table, Projection.alias)
      (ownerKey, memberKey) = (memberColumn(column), memberColumn(LayoutNames.primaryKey))
      orderColumns = []
    case .joinedMembers(let join):
      (table, alias) = (join.table, Self.linkAlias)
      (ownerKey, memberKey) = (linkColumn(join.owner), linkColumn(join.member))
      orderColumns = [linkColumn(join.position)]
    case .reference(let column, _):
      (table, alias) = (entity.table, Self.linkAlias)
      (ownerKey, memberKey) = (linkColumn(LayoutNames.primaryKey), linkColumn(column))
      orderColumns = []
      condition = .isNotNull(memberKey)
    case .attribute, .ephemeral:
      return nil
    }
  }

  /// Whether the members' own rows have to be joined to the pairs.
  var joinsMembers: Bool { alias != Projection.alias }

  /// Selects the pairs of some owners, still without columns.
  func select(_ owners: [Int64]) -> Select {
    let isOwner = SQLExpression.isIn(ownerKey, owners.map { .integer($0) })
    return Select(
      columns: [], from: .init(table: table, alias: alias),
      condition: condition.map { .binary(.and, isOwner, $0) } ?? isOwner)
  }

  func joinMembers(to select: inout Select) {
    guard joinsMembers else { return }
    let key = SQLExpression.column(table: Projection.alias, name: LayoutNames.primaryKey)
    select.joins = [
      .init(
        source: .init(table: destination.table, alias: Projection.alias),
        on: .binary(.equal, key, memberKey))
    ]
  }
}

extension Select {
  /// The index of a column in the result, to which it is added if it is missing.
  fileprivate mutating func columnIndex(of column: SQLExpression) -> Int32 {
    if let index = columns.firstIndex(of: column) { return Int32(index) }
    columns.append(column)
    return Int32(columns.count - 1)
  }
}

/// The indices of keys in a list.
private struct KeyIndices {
  private let first: Int64
  /// The indices by the distance of the key from the first, for dense keys; negative for other keys.
  private var dense: [Int32]
  private var sparse: [Int64: Int]

  /// - Parameter keys: The keys, without duplicates.
  init(_ keys: [Int64]) {
    first = keys.min() ?? 0
    let width = (keys.max() ?? 0) - first
    if width < 16 * keys.count {
      dense = Array(repeating: -1, count: Int(width) + 1)
      sparse = [:]
      for (index, key) in keys.enumerated() { dense[Int(key - first)] = Int32(truncatingIfNeeded: index) }
    } else {
      dense = []
      sparse = Dictionary(minimumCapacity: keys.count)
      for (index, key) in keys.enumerated() { sparse[key] = index }
    }
  }

  subscript(key: Int64) -> Int? {
    if dense.isEmpty { return sparse[key] }
    let distance = key &- first
    guard distance >= 0, distance < dense.count else { return nil }
    let index = Int(dense[Int(distance)])
    return index >= 0 ? index : nil
  }
}
