import Relational

/// The location of a relationship's links, seen from one of its sides.
struct LinkLocation: Hashable {
  var table: String
  /// The column with the key of the model that has the relationship.
  var owner: String
  /// The column with the key of the model that it refers to.
  var member: String
  /// The order of the members of an owner.
  var position: String?
  /// The order of the owners of a member.
  var inversePosition: String?
  /// The tables of the models at both ends.
  var ownerTable: String
  var memberTable: String

  /// Whether the links have a table of their own.
  var isJoin: Bool { ![owner, member].contains(LayoutNames.primaryKey) }

  /// The columns that exist only for the links.
  var columns: Set<String> {
    Set([owner, member, position, inversePosition].compactMap { $0 }).subtracting([LayoutNames.primaryKey])
  }

  /// Whether both are the same location, seen from either side.
  func isSame(as other: LinkLocation) -> Bool { table == other.table && columns == other.columns }

  /// Whether both link models of the same tables, in the same direction.
  func connectsTheSame(as other: LinkLocation) -> Bool {
    ownerTable == other.ownerTable && memberTable == other.memberTable
  }
}

extension [TableDefinition] {
  /// The possible locations of a relationship's links: a to-many does not record which to-one belongs to it.
  ///
  /// - Parameters:
  ///   - relationship: As "kind.relationship".
  ///   - table: The table of the kind.
  ///   - known: The relationship of the schema; nil where it is not known.
  ///   - isUnmatched: Whether the other layout lacks a column: only such columns can get or lose links.
  func linkLocations(
    of relationship: String, in table: TableDefinition, _ known: SchemaFacts.Relationship?,
    isUnmatched: (TableDefinition.Column, String) -> Bool
  ) -> [LinkLocation] {
    let path = relationship.split(separator: ".", maxSplits: 1).map(String.init)
    guard path.count == 2, let description = table.relationships?[relationship] else { return [] }
    let original = (table.relationshipOrigins?[relationship] ?? relationship).dropFirst(path[0].count + 1)
    func locations(_ kinds: [String]) -> [LinkLocation] {
      switch description {
      case LinkDescription.reference:
        table.columns.filter {
          $0.isTarget(of: path[1]) && isOwned($0, by: kinds) && isUnmatched($0, table.name)
        }
        .compactMap { reference($0, of: table) }
      case LinkDescription.inverseReference, LinkDescription.referencedMembers:
        flatMap { other -> [LinkLocation] in
          let isOrdered = description == LinkDescription.referencedMembers
          let columns = other.columns.filter { column -> Bool in
            guard (other.position(beside: column) != nil) == isOrdered else { return false }
            // The table of a to-many does not record which to-one belongs to it.
            return known?.inverse.map { other.has(column, of: $0) } ?? column.refers(to: kinds)
          }
          guard columns.count == 1, isUnmatched(columns[0], other.name) else { return [] }
          return [
            LinkLocation(
              table: other.name, owner: columns[0].name, member: LayoutNames.primaryKey,
              position: other.position(beside: columns[0]), ownerTable: table.name, memberTable: other.name)
          ]
        }
      case LinkDescription.joinedMembers:
        kinds.flatMap { kind -> [LinkLocation] in
          let first = self.first { $0.name == "\(kind)_\(path[1])" && $0.areLinks }
          let second = self.first { $0.otherName == "\(kind)_\(original)" && $0.areLinks }
          return [first?.linkLocation(isFirst: true), second?.linkLocation(isFirst: false)].compactMap { $0 }
        }
      default: []
      }
    }
    // An inherited relationship has its layout where it is declared.
    let own = locations([known?.owner ?? path[0]])
    return own.isEmpty ? locations(known == nil ? table.kinds ?? [] : [path[0]]) : own
  }

  private func isOwned(_ column: TableDefinition.Column, by kinds: [String]) -> Bool {
    column.owner.map { kinds.contains($0) } ?? true
  }

  private func reference(_ column: TableDefinition.Column, of table: TableDefinition) -> LinkLocation? {
    guard let target = targetTable(of: column) else { return nil }
    return LinkLocation(
      table: table.name, owner: LayoutNames.primaryKey, member: column.name,
      inversePosition: table.position(beside: column), ownerTable: table.name, memberTable: target)
  }

  private func targetTable(of column: TableDefinition.Column) -> String? {
    column.references?.table ?? first { $0.kinds?.contains(column.property?.type ?? "") == true }?.name
  }
}

extension TableDefinition {
  fileprivate var areLinks: Bool { !compositePrimaryKey.isEmpty }

  /// The column with the positions of the models that refer to the same one.
  fileprivate func position(beside column: Column) -> String? {
    columns.first {
      $0.property?.part == Column.Property.position && $0.property?.name == column.property?.name
        && $0.owner == column.owner
    }?.name
  }

  /// The location in a join table; nil where it cannot be distinguished from the inverse within one table.
  ///
  /// - Parameter isFirst: Whether it is seen from the side whose key comes first.
  fileprivate func linkLocation(isFirst: Bool) -> LinkLocation? {
    guard columns.count >= 3, let first = columns[0].references?.table, let second = columns[1].references?.table,
      first != second || columns.count > 3
    else { return nil }
    let (position, inverse) = (columns[2].name, columns.count > 3 ? columns[3].name : nil)
    return isFirst
      ? LinkLocation(
        table: name, owner: columns[0].name, member: columns[1].name, position: position, inversePosition: inverse,
        ownerTable: first, memberTable: second)
      : LinkLocation(
        table: name, owner: columns[1].name, member: columns[0].name, position: inverse, inversePosition: position,
        ownerTable: second, memberTable: first)
  }
}

extension TableDefinition {
  /// Whether a column has the targets of a relationship, given as "entity.relationship" with the declaring entity.
  fileprivate func has(_ column: Column, of relationship: String) -> Bool {
    guard relationships?[relationship] != nil, let property = column.property else { return false }
    let owner = column.owner.map { [$0] } ?? kinds ?? []
    return column.isTarget(of: property.name) && owner.contains { "\($0).\(property.name)" == relationship }
  }
}

extension TableDefinition.Column {
  fileprivate func isTarget(of property: String) -> Bool {
    self.property?.name == property && self.property?.part == Property.target
  }

  fileprivate func refers(to kinds: [String]) -> Bool {
    property.map { kinds.contains($0.type) && $0.part == Property.target } ?? false
  }
}
