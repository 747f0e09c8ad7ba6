import Relational

// Changes of the schema that the definitions of columns do not show.

extension LayoutDiff {
  /// The previous names of relationships, by their present ones.
  static func relationshipNames(
    _ old: [String: TableDefinition], _ new: [TableDefinition], _ names: PreviousNames
  ) -> [String: String] {
    new.reduce(into: [:]) { previousNames, table in
      guard let previous = names.previous(of: table.name).flatMap({ old[$0] }) else { return }
      let names = PreviousNames(old: previous.relationshipParts, new: table.relationshipParts)
      for relationship in (table.relationships ?? [:]).keys {
        previousNames[relationship] = names.previous(of: relationship)
      }
    }
  }

  /// Whether the links of a relationship stay in their location.
  func areFound(_ oldLink: String, of previous: String, in link: String, of relationship: String) -> Bool {
    if LinkDescription.areFound(oldLink, in: link) { return true }
    // A to-one with a column at its target uses the column of its inverse, and so does a to-many with one owner.
    guard Set([oldLink, link]) == [LinkDescription.inverseReference, LinkDescription.referencedMembers],
      let inverse = rows.schemas.present[relationship]?.inverse, let previousInverse = previousRelationships[inverse]
    else { return false }
    return previousInverse == rows.schemas.previous[previous]?.inverse
  }

  /// Whether a removed class and a new one differ only in capitalization, so that their tables cannot coexist.
  func isRespelled(_ kind: String, as other: String) -> Bool {
    oldAssignment[other] == nil && newAssignment[kind] == nil && other.lowercased() == kind.lowercased()
  }

  // MARK: Targets

  /// The checks of a column with targets of a relationship that allows fewer targets than before.
  func targetChecks(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ oldTable: String, _ newTable: TableDefinition
  ) -> [LayoutChange] {
    let source = ColumnSource(table: oldTable, column: old.name)
    // Archived values may refer to a table that is gone.
    guard let targets = old.references?.table ?? old.property.flatMap({ oldAssignment[$0.type] }),
      oldAssignment.values.contains(targets)
    else { return [] }
    if let relationship = rows.schemas.links[ColumnSource(table: newTable.name, column: new.name)] {
      return kindCheck(of: relationship, source, targets)
    }
    guard let relationship = newTable.relationship(of: new) else { return [] }
    let checks =
      uniquenessCheck(of: relationship, source, targets, newTable)
      + kindCheck(of: relationship, source, targets, previousDestination: old.property?.type)
    guard let inverse = rows.schemas.present[relationship]?.inverse, oldAssignment.values.contains(oldTable) else {
      return checks
    }
    let keys = ColumnSource(table: oldTable, column: LayoutNames.primaryKey)
    return checks + kindCheck(of: inverse, keys, counterpart: old.name, oldTable)
  }

  /// The checks of restored values and links, for which the store does not record the previous relationship.
  func targetChecks(_ values: RestoredValues, _ table: TableDefinition) -> [LayoutChange] {
    zip(values.columns, values.previousNames).flatMap { column, previous -> [LayoutChange] in
      guard let old = values.archived.columns.first(where: { $0.name == previous }) else { return [] }
      return targetChecks(old, column, values.archived.table, table)
    }
  }

  /// The checks of links that move to another location.
  func targetChecks(_ old: LinkLocation, of relationship: String) -> [LayoutChange] {
    let member = ColumnSource(table: old.table, column: old.member)
    let owner = ColumnSource(table: old.table, column: old.owner)
    let checks = kindCheck(of: relationship, member, counterpart: old.owner, old.memberTable)
    guard let inverse = rows.schemas.present[relationship]?.inverse else { return checks }
    return checks + kindCheck(of: inverse, owner, counterpart: old.member, old.ownerTable)
  }

  private func uniquenessCheck(
    of relationship: String, _ source: ColumnSource, _ targets: String, _ table: TableDefinition
  ) -> [LayoutChange] {
    // `MutualLinks` checks relationships that are their own inverses.
    guard rows.schemas.present.isOneToOne(relationship),
      table.relationships?[relationship] != LinkDescription.ownInverse,
      previousRelationships[relationship].map({ rows.schemas.previous.isOneToOne($0) }) != true
    else { return [] }
    return [targetCheck(.areUnique, of: relationship, source, nil, targets)]
  }

  /// - Parameter previousDestination: The previous destination, where the schema of the store does not say it.
  private func kindCheck(
    of relationship: String, _ source: ColumnSource, counterpart: String? = nil, _ targets: String,
    previousDestination: String? = nil
  ) -> [LayoutChange] {
    guard let destination = rows.schemas.present[relationship]?.destination,
      let family = rows.schemas.families[destination]
    else { return [] }
    let previous = previousRelationships[relationship].flatMap { rows.schemas.previous[$0]?.destination }
    if let previous = previousDestination ?? previous, family.contains(previous) { return [] }
    let others = newAssignment.filter { $0.value == newAssignment[destination] && !family.contains($0.key) }.keys
      .sorted()
    // In a table of one entity, rows do not say theirs.
    let kinds = oldAssignment.filter { $0.value == targets }.keys
    guard kinds.contains(where: others.contains) else { return [] }
    return [targetCheck(.areModels(of: destination, notOf: others), of: relationship, source, counterpart, targets)]
  }

  private func targetCheck(
    _ rule: TargetCheck.Rule, of relationship: String, _ source: ColumnSource, _ counterpart: String?,
    _ targets: String
  ) -> LayoutChange {
    let known = rows.schemas.present[relationship]
    return .checkTargets(
      TargetCheck(
        entity: known?.owner ?? relationship, property: known?.name ?? relationship, rule: rule, source: source,
        counterpart: counterpart, targets: targets,
        namesKinds: oldAssignment.values.filter { $0 == targets }.count > 1))
  }

  // MARK: Structures

  /// How optional structures get a new field, or one that must have a value now; nil where nothing is to be done.
  ///
  /// - Parameter previous: Nil where the field is new.
  func structureField(
    _ previous: TableDefinition.Column?, _ column: TableDefinition.Column, _ old: TableDefinition,
    _ new: TableDefinition, _ names: PreviousNames
  ) -> StructureField? {
    guard let field = rows.schemas.fields[ColumnSource(table: new.name, column: column.name)] else { return nil }
    if let previous {
      guard field.isRequired, previous.property?.type != column.property?.type else { return nil }
    } else if !field.isRequired, column.defaultValue == nil {
      return nil
    }
    let others = field.structure.filter { $0 != column.name && names.previous(of: $0) != nil }
    if others.isEmpty { return nil }
    return StructureField(
      table: new.name, column: column, isRequired: field.isRequired, others: others,
      source: .init(table: old.name, column: previous?.name, others: others.compactMap { names.previous(of: $0) }))
  }
}
