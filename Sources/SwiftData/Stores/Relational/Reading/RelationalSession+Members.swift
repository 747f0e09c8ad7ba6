import Relational

extension RelationalSession {
  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (Int64, RowKey) -> Void
  ) throws {
    guard let source = MemberSource(relationship, layout.layout(of: entity), layout) else { return }
    var select = source.select(owners)
    select.columns = [source.owner, source.member]
    select.orderBy = [.init(source.owner)] + source.ranks.map { .init($0) }
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
    receive: (_ owner: Int, _ rank: Int64, RowKey, _RowReader) throws -> Void
  ) throws {
    guard let source = MemberSource(relationship, layout.layout(of: entity), layout) else { return }
    let projection = layout.projection(of: source.destination.root)
    var select = source.select(owners)
    if source.joinsMembers {
      source.joinMembers(to: &select)
    } else if try areMost(owners, of: entity) {
      // Reading most of the table through an index is slower than scanning it.
      select.from.isScanned = true
      select.condition = .isNotNull(source.owner)
    }
    select.columns = projection.columns
    let ownerColumn = select.position(of: source.owner)
    let rankColumn = source.ranks.first.map { select.position(of: $0) }
    let positions = KeyPositions(owners)
    try read(store.database.dialect.render(select), projection, source.destination.root) { row, reader in
      guard let owner = positions[reader.number(ownerColumn)] else { return }
      let rank = rankColumn.map { reader.number($0) } ?? 0
      try receive(owner, rank, row, reader)
    }
  }

  /// Whether so many owners are given that most rows of the members' table are needed.
  private func areMost(_ owners: [Int64], of entity: Schema.Entity) throws -> Bool {
    guard owners.count >= 256, let last = try lastKey(of: entity) else { return false }
    return last / 4 <= owners.count
  }
}

/// The location of a relationship's members.
private struct MemberSource {
  let destination: EntityLayout
  /// The table with the pairs of owners and members.
  private let table: String
  private let alias: String
  let owner: SQLExpression
  let member: SQLExpression
  /// The order of the members of one owner.
  let ranks: [SQLExpression]
  private var condition: SQLExpression?

  /// Nil if the property is no relationship.
  init?(_ relationship: String, _ entity: EntityLayout, _ layout: StoreLayout) {
    guard let property = entity.property(named: relationship),
      let destination = property.destination.flatMap(layout.layout(named:))
    else { return nil }
    self.destination = destination
    func pair(_ name: String) -> SQLExpression { .column(table: "j", name: name) }
    func own(_ name: String) -> SQLExpression { .column(table: Projection.alias, name: name) }
    switch property.storage {
    case .referencedMembers(let table, let column, let position):
      (self.table, alias) = (table, Projection.alias)
      (owner, member) = (own(column), own(LayoutNames.primaryKey))
      ranks = [own(position), member]
    case .inverseReference(let table, let column):
      (self.table, alias) = (table, Projection.alias)
      (owner, member) = (own(column), own(LayoutNames.primaryKey))
      ranks = []
    case .joinedMembers(let join):
      (table, alias) = (join.table, "j")
      (owner, member) = (pair(join.owner), pair(join.member))
      ranks = [pair(join.position)]
    case .reference(let column, _):
      (table, alias) = (entity.table, "j")
      (owner, member) = (pair(LayoutNames.primaryKey), pair(column))
      ranks = []
      condition = .isNotNull(member)
    case .attribute, .ephemeral:
      return nil
    }
  }

  /// Whether the members' own rows have to be joined to the pairs.
  var joinsMembers: Bool { alias != Projection.alias }

  /// Selects the pairs of some owners, still without columns.
  func select(_ owners: [Int64]) -> Select {
    let isOwner = SQLExpression.isIn(owner, owners.map { .integer($0) })
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
        on: .binary(.equal, key, member))
    ]
  }
}

extension Select {
  /// The position of a column, which is added if it is missing.
  fileprivate mutating func position(of column: SQLExpression) -> Int32 {
    if let position = columns.firstIndex(of: column) { return Int32(position) }
    columns.append(column)
    return Int32(columns.count - 1)
  }
}

/// The positions of keys in a list.
private struct KeyPositions {
  private let first: Int64
  /// The positions by the distance of the key from the first, for dense keys; negative for other keys.
  private var dense: [Int32]
  private var sparse: [Int64: Int]

  /// - Parameter keys: The keys, without duplicates.
  init(_ keys: [Int64]) {
    first = keys.min() ?? 0
    let width = (keys.max() ?? 0) - first
    if width < 16 * keys.count {
      dense = Array(repeating: -1, count: Int(width) + 1)
      sparse = [:]
      for (position, key) in keys.enumerated() { dense[Int(key - first)] = Int32(truncatingIfNeeded: position) }
    } else {
      dense = []
      sparse = Dictionary(minimumCapacity: keys.count)
      for (position, key) in keys.enumerated() { sparse[key] = position }
    }
  }

  subscript(key: Int64) -> Int? {
    if dense.isEmpty { return sparse[key] }
    let distance = key &- first
    guard distance >= 0, distance < dense.count else { return nil }
    let position = Int(dense[Int(distance)])
    return position >= 0 ? position : nil
  }
}
