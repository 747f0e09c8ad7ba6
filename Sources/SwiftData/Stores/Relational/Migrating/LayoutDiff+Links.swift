import Relational

extension LayoutDiff {
  /// Finds the links that can be moved without ambiguity.
  ///
  /// - Returns: The links, and the relationships whose links they are, seen from both sides.
  mutating func findMoves(
    _ old: [TableDefinition], _ new: [TableDefinition], _ names: PreviousNames
  ) -> (links: [MovedLinks], relationships: Set<String>) {
    let oldTables = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let columnNames = new.reduce(into: [String: PreviousNames]()) { columnNames, table in
      guard let previous = names.previous(of: table.name).flatMap({ oldTables[$0] }) else { return }
      columnNames[table.name] = PreviousNames(old: previous.columns.map(\.part), new: table.columns.map(\.part))
    }
    let isGone = { (column: TableDefinition.Column, table: String) in
      names.present(of: table).flatMap { columnNames[$0] }?.present(of: column.name) == nil
    }
    let isAdded = { (column: TableDefinition.Column, table: String) in
      columnNames[table]?.previous(of: column.name) == nil
    }
    var moves: [MovedLinks] = []
    var relationships: Set<String> = []
    var unresolved: [(relationship: String, olds: [LinkLocation], news: [LinkLocation])] = []
    for table in new {
      guard let previous = names.previous(of: table.name).flatMap({ oldTables[$0] }) else { continue }
      let relationshipNames = PreviousNames(old: previous.relationshipParts, new: table.relationshipParts)
      for (relationship, link) in (table.relationships ?? [:]).sorted(by: { $0.key < $1.key }) {
        guard let previousName = relationshipNames.previous(of: relationship),
          let oldLink = previous.relationships?[previousName],
          !areFound(oldLink, of: previousName, in: link, of: relationship)
        else { continue }
        // A join table that stays, or existed before, has the links of another relationship.
        let known = rows.schemas.present[relationship]
        let olds = old.linkLocations(
          of: previousName, in: previous, rows.schemas.previous[previousName], isUnmatched: isGone
        )
        .filter { !$0.isJoin || names.present(of: $0.table) == nil }
        let news = new.linkLocations(of: relationship, in: table, known, isUnmatched: isAdded)
          .filter { !$0.isJoin || names.previous(of: $0.table) == nil }
        let pairs = olds.flatMap { location in
          news.filter { $0.connectsTheSame(as: location) && !$0.isSame(as: location) }.map { (location, $0) }
        }
        guard pairs.count == 1, let (from, to) = pairs.first,
          !moves.contains(where: { $0.old.isSame(as: from) || $0.new.isSame(as: to) })
        else {
          unresolved.append((relationship, olds, news))
          continue
        }
        let path = relationship.split(separator: ".", maxSplits: 1).map(String.init)
        moves.append(
          MovedLinks(
            entity: known?.owner ?? path.first ?? table.name, property: path.last ?? relationship, old: from, new: to,
            hasOneMember: [LinkDescription.reference, LinkDescription.inverseReference].contains(link),
            hasOneOwner: link == LinkDescription.referencedMembers || link == LinkDescription.inverseReference
              || rows.schemas.present.isOneToOne(relationship),
            table: claimTable("swiftdata_moved_\(path.joined(separator: "_"))")))
        relationships.insert(relationship)
      }
    }
    // The inverses of the moved relationships.
    for (relationship, olds, news) in unresolved {
      let isMoved = moves.contains { move in
        olds.contains { $0.isSame(as: move.old) } && news.contains { $0.isSame(as: move.new) }
      }
      if isMoved { relationships.insert(relationship) }
    }
    return (moves, relationships)
  }
}
