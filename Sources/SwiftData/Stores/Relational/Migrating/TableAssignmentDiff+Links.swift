import Relational

extension TableAssignmentDiff {
  /// Links of a many-to-many or a one-way to-many, in a table of the store.
  private struct LinkRows {
    var table: TableDefinition
    /// The tables of the owners and of the members in the store, and the numbers to add to their keys.
    var ownerTable: String
    var memberTable: String
    var ownerShift: Int64 = 0
    var memberShift: Int64 = 0
    /// The entities of the owners; nil for all.
    var kinds: [String]?

    var ownerColumn: String { table.columns[0].name }
    var memberColumn: String { table.columns[1].name }
  }

  /// A join table, seen from one of its sides.
  private struct LinkSide {
    /// The relationship of that side.
    let relationship: (kind: String, name: String)
    /// The entity that it refers to.
    let member: String
    let rows: LinkRows

    init(_ relationship: (kind: String, name: String), _ member: String, _ rows: LinkRows) {
      (self.relationship, self.member, self.rows) = (relationship, member, rows)
    }

    /// The table seen from the other side; nil where that has no order, and so no relationship.
    ///
    /// - Parameter name: The name of the other side's relationship.
    func other(calledAs name: String) -> LinkSide? {
      let columns = rows.table.columns
      guard columns.count == 4 else { return nil }
      var table = rows.table
      table.columns = [columns[1], columns[0], columns[3], columns[2]]
      return LinkSide(
        (kind: member, name: name), relationship.kind,
        LinkRows(table: table, ownerTable: rows.memberTable, memberTable: rows.ownerTable))
    }
  }

  /// Moves the links of moved models. Their table is named after the class that declares the relationship, which may have
  /// changed, and so may its columns; links of several tables can move to one.
  mutating func addLinks() throws {
    var found: [(join: PropertyLayout.JoinTable, rows: LinkRows)] = []
    for table in old where !table.compositePrimaryKey.isEmpty {
      guard table.columns.count > 2, let ownerTable = table.columns[0].references?.table,
        let memberTable = table.columns[1].references?.table, hasMembers(ownerTable) || hasMembers(memberTable)
      else { continue }
      guard let relationship = relationship(of: table, in: ownerTable),
        let member = entities[relationship.kind]?.relationship(named: relationship.name)?.destination,
        oldAssignment[member] == memberTable
      else {
        issues.append(.init(entity: table.name, message: "The store does not say between which models its links are."))
        continue
      }
      models.droppedTables.append(table.name)
      let side = LinkSide(
        relationship, member, LinkRows(table: table, ownerTable: ownerTable, memberTable: memberTable))
      if addLinks(of: side, to: &found) { continue }
      // The schema may have named the join table after the other side.
      let inverse = entities[relationship.kind]?.relationship(named: relationship.name)?.inverseName
      if let inverse, let other = side.other(calledAs: inverse), addLinks(of: other, to: &found) { continue }
      let links = side.rows
      addRowCheck(
        of: links, links.memberColumn, leadingTo: subclasses(of: member), unlike: member, relationship, memberTable)
      addRowCheck(
        of: links, links.ownerColumn, leadingTo: subclasses(of: relationship.kind), unlike: relationship.kind,
        relationship,
        ownerTable)
      try keepLinks(links, relationship.kind, member)
    }
    let tables = Dictionary(grouping: found) { $0.join.table }
    for (_, found) in tables.sorted(by: { $0.key < $1.key }) { try addLinkTable(found) }
  }

  /// Finds the tables of the schema for links, seen from one of their sides.
  ///
  /// - Returns: Whether the schema has such tables.
  private mutating func addLinks(
    of side: LinkSide, to found: inout [(join: PropertyLayout.JoinTable, rows: LinkRows)]
  ) -> Bool {
    let (relationship, member, links) = (side.relationship, side.member, side.rows)
    let owners = [relationship.kind] + subclasses(of: relationship.kind)
    let joins = self.joins(of: owners, relationship.name, links.ownerTable)
    if joins.isEmpty { return false }
    addRowCheck(
      of: links, links.memberColumn, leadingTo: subclasses(of: member), unlike: member, relationship, links.memberTable)
    let lost = owners.filter { kind in newAssignment[kind] != nil && !joins.contains { $0.kinds.contains(kind) } }
    if !lost.isEmpty {
      models.rowChecks.append(
        .init(
          entity: relationship.kind, property: relationship.name,
          reason: "Models of \(lost.joined(separator: ", ")) do not have it any more, and they have links in",
          table: links.table.name, condition: refers(links.ownerColumn, to: lost, in: links.ownerTable)))
    }
    for (join, kinds) in joins
    where isOfMembers(join, of: destinations[member]?.table ?? links.memberTable, relationship) {
      var part = links
      part.ownerShift = kinds.first.flatMap { destinations[$0]?.shift } ?? 0
      part.memberShift = destinations[member]?.shift ?? 0
      part.kinds = kinds.count < owners.count ? kinds : nil
      found.append((join: join, rows: part))
    }
    return true
  }

  /// The relationship that a join table is named after.
  private func relationship(of table: TableDefinition, in modelTable: String) -> (kind: String, name: String)? {
    let relationships = old.first { $0.name == modelTable }?.relationships ?? [:]
    let paths = relationships.filter { $0.value == LinkDescription.joinedMembers }.keys.sorted()
      .map { $0.split(separator: ".", maxSplits: 1).map(String.init) }
    return paths.first { $0.count == 2 && "\($0[0])_\($0[1])" == table.name }.map { (kind: $0[0], name: $0[1]) }
  }

  /// The join tables of the schema for the links of some entities.
  private func joins(
    of kinds: [String], _ relationship: String, _ modelTable: String
  ) -> [(join: PropertyLayout.JoinTable, kinds: [String])] {
    let table = old.first { $0.name == modelTable }
    var joins: [(join: PropertyLayout.JoinTable, kinds: [String])] = []
    for kind in kinds {
      let names = PreviousNames(
        old: relationships(of: kind, in: table),
        new: relationships(of: kind, in: newAssignment[kind].flatMap { newTables[$0] }))
      guard let present = names.present(of: "\(kind).\(relationship)")?.dropFirst(kind.count + 1),
        case .joinedMembers(let join)? = layout.layout(named: kind)?.property(named: String(present))?.storage
      else { continue }
      if let index = joins.firstIndex(where: { $0.join == join }) {
        joins[index].kinds.append(kind)
      } else {
        joins.append((join: join, kinds: [kind]))
      }
    }
    return joins
  }

  /// Adds the obstacle of links to models that are not of their class any more.
  private mutating func addRowCheck(
    of links: LinkRows, _ column: String, leadingTo subclasses: [String], unlike kind: String,
    _ relationship: (kind: String, name: String), _ modelTable: String
  ) {
    guard let destination = destinations[kind] else { return }
    let others = subclasses.filter { destinations[$0]?.table != destination.table }
    if others.isEmpty { return }
    models.rowChecks.append(
      .init(
        entity: relationship.kind, property: relationship.name,
        reason: "\(others.joined(separator: ", ")) is no \(kind) any more, and there are links with such models in",
        table: links.table.name, condition: refers(column, to: others, in: modelTable)))
  }

  /// Whether a join table refers to the table of the moved members; adds an issue where it does not.
  private mutating func isOfMembers(
    _ join: PropertyLayout.JoinTable, of modelTable: String, _ relationship: (kind: String, name: String)
  ) -> Bool {
    let member = newTables[join.table]?.columns.first { $0.name == join.member }?.references?.table
    if member == modelTable { return true }
    issues.append(
      .init(
        entity: relationship.kind, property: relationship.name,
        message: "It refers to models in the table \(member ?? "none"), and its previous targets are in \(modelTable).")
    )
    return false
  }

  /// Rebuilds a join table with the links that move to it.
  private mutating func addLinkTable(_ found: [(join: PropertyLayout.JoinTable, rows: LinkRows)]) throws {
    guard let name = found.first?.join.table, let table = newTables[name] else { return }
    rebuilt.append(table.withoutIndexes)
    var last: Int64 = 0
    var shifts: [String: Int64] = [:]
    for (join, links) in found {
      let shift = shifts[links.table.name] ?? last
      shifts[links.table.name] = shift
      last = max(last, shift + min(try rows.lastAssignedKey(of: links.table), RowIdentity.lastNumber - shift))
      add(links, to: name, [join.owner, join.member, join.position, join.inversePosition], shift)
    }
    models.lastAssignedKeys[name] = last
  }

  /// Adds links to a join table.
  ///
  /// - Parameters:
  ///   - names: The columns to insert into, in the order of the columns of the links; nil for one that is dropped.
  ///   - shift: The number to add to positions.
  private mutating func add(_ links: LinkRows, to table: String, _ names: [String?], _ shift: Int64) {
    let shifts = [links.ownerShift, links.memberShift, shift, shift]
    var columns: [String] = []
    var values: [SQLExpression] = []
    for ((column, name), shift) in zip(zip(links.table.columns, names), shifts) {
      guard let name else { continue }
      columns.append(name)
      values.append(.column(column.name).increased(by: shift))
    }
    add(
      to: table, columns: columns, values, from: links.table.name,
      where: links.kinds.map { refers(links.ownerColumn, to: $0, in: links.ownerTable) })
  }

  /// Moves links for which the schema has no join table any more, for later steps to archive or to move.
  private mutating func keepLinks(_ links: LinkRows, _ owner: String, _ member: String) throws {
    var links = links
    links.ownerShift = destinations[owner]?.shift ?? 0
    links.memberShift = destinations[member]?.shift ?? 0
    var table = links.table.withoutIndexes
    table.columns.retarget(0, to: destinations[owner]?.table ?? links.ownerTable)
    table.columns.retarget(1, to: destinations[member]?.table ?? links.memberTable)
    let names = Dictionary(zip(links.table.columns.map(\.name), table.columns.map(\.name))) { first, _ in first }
    table.compositePrimaryKey = links.table.compositePrimaryKey.map { names[$0] ?? $0 }
    rebuilt.append(table)
    add(links, to: table.name, table.columns.map(\.name), 0)
    models.lastAssignedKeys[table.name] = try rows.lastAssignedKey(of: table)
  }

  // MARK: Archived values

  /// Moves archived values with their models, and archived links with both ends.
  mutating func addArchived(_ archived: [ArchivedValues]) throws {
    for values in archived {
      if values.areLinks {
        try addArchivedLinks(values)
      } else if hasMembers(values.source) {
        addArchivedValues(values)
      } else {
        if values.columns.contains(where: { destination(of: $0) != nil }) {
          addArchived(values, of: values.source, values.columns.first?.owner, nil, 0)
        } else {
          models.archivedAfterMove.append(values)
        }
      }
    }
  }

  private mutating func addArchivedValues(_ values: ArchivedValues) {
    let owner = values.columns.first?.owner
    for target in targets {
      let kinds = members.filter { member in
        member.target == target && member.table.name == values.source
          && (owner.map { $0 == member.kind || oldBases[member.kind]?.contains($0) == true } ?? true)
      }.map(\.kind)
      for (owner, kinds) in owners(of: kinds, at: target) {
        addArchived(values, of: target, owner, kinds, destinations[kinds.first ?? ""]?.shift ?? 0)
      }
    }
  }

  /// - Parameter kinds: The entities of the rows; nil for all rows, with their keys unchanged.
  private mutating func addArchived(
    _ values: ArchivedValues, of table: String, _ owner: String?, _ kinds: [String]?, _ shift: Int64
  ) {
    let isShared = old.first { $0.name == values.source }?.namesKinds == true
    var moved = values
    let property = values.columns.first.map { $0.property?.name ?? $0.name } ?? ""
    moved.table = tableNames.claim("\(LayoutNames.archive)_\(table)_\(property)")
    moved.source = table
    for (index, column) in values.columns.enumerated() {
      moved.columns[index].owner = owner
      if let destination = destination(of: column) { moved.columns[index].references?.table = destination.table }
    }
    addArchived(
      moved, in: values,
      [.column(LayoutNames.primaryKey).increased(by: shift)] + values.columns.map { value(of: $0, shift) },
      kinds.flatMap { isShared ? refers(LayoutNames.primaryKey, to: $0, in: values.source) : nil })
  }

  private mutating func addArchived(
    _ moved: ArchivedValues, in previous: ArchivedValues, _ values: [SQLExpression], _ condition: SQLExpression?
  ) {
    models.archivedAfterMove.append(moved)
    models.rebuiltTables.append(moved.definition)
    if !models.droppedTables.contains(previous.table) { models.droppedTables.append(previous.table) }
    add(
      to: moved.table, columns: moved.definition.columns.map(\.name), values, from: previous.table, where: condition)
  }

  private mutating func addArchivedLinks(_ values: ArchivedValues) throws {
    let tableAssignment = values.columns.map { $0.references?.table ?? "" }
    guard tableAssignment.contains(where: { hasMembers($0) }) else {
      models.archivedAfterMove.append(values)
      return
    }
    var moved = values
    moved.table = tableNames.claim("\(LayoutNames.archive)_\(values.source)")
    var expressions: [SQLExpression] = []
    for (index, column) in values.columns.enumerated() {
      guard hasMembers(tableAssignment[index]) else {
        expressions.append(.column(column.name))
        continue
      }
      guard
        let destination = destination(
          ofLinksIn: tableAssignment[index], calledAs: index == 0 ? values.source : values.otherName)
      else {
        issues.append(
          .init(
            entity: tableAssignment[index],
            message: """
              Links of a removed relationship are in the table \(values.table), and it is ambiguous which models they refer \
              to now. Drop the table if they are not needed.
              """))
        return
      }
      moved.columns.retarget(index, to: destination.table)
      moved.linkKey = moved.linkKey.map { $0 == column.name ? moved.columns[index].name : $0 }
      let others = members.filter { $0.table.name == tableAssignment[index] && destinations[$0.kind] != destination }
        .map(\.kind)
      if !others.isEmpty {
        models.rowChecks.append(
          .init(
            entity: tableAssignment[index],
            reason: """
              Links of a removed relationship are in the table \(values.table), and would not refer to models of \
              \(others.joined(separator: ", ")) any more. Drop the table if they are not needed: it refers to such models in
              """,
            table: values.table, condition: refers(column.name, to: others, in: tableAssignment[index])))
      }
      expressions.append(.column(column.name).increased(by: destination.shift))
    }
    addArchived(moved, in: values, expressions, nil)
    var previous = values.definition
    previous.name = values.table
    models.lastAssignedKeys[moved.table] = try rows.lastAssignedKey(of: previous)
  }

  /// The destination of the models in a table to which some links refer, whose table is named after one of the entities.
  private func destination(ofLinksIn table: String, calledAs name: String?) -> Destination? {
    let kinds = members.filter { $0.table.name == table }.map(\.kind)
    let all = Set(kinds.compactMap { destinations[$0] })
    if all.count == 1 { return all.first }
    let named = Set(kinds.filter { name?.hasPrefix("\($0)_") == true }.compactMap { destinations[$0] })
    return named.count == 1 ? named.first : nil
  }
}

extension [TableDefinition.Column] {
  /// Makes a column of links refer to another table, and renames it if it was named after the previous one.
  fileprivate mutating func retarget(_ index: Int, to table: String) {
    guard let previous = self[index].references?.table else { return }
    self[index].references?.table = table
    let name = LayoutNames.reference(to: table)
    guard self[index].name == LayoutNames.reference(to: previous), !contains(where: { $0.name == name }) else { return }
    self[index].name = name
    self[index].originalName = name
  }
}
