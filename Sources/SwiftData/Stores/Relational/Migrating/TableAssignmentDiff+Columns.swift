import Relational

extension TableAssignmentDiff {
  /// A column of a rebuilt table of models, and the columns that its values come from.
  private struct Slot {
    var name: String
    /// The entity whose rows have the values; nil when all rows have them.
    var owner: String?
    /// The column of the schema; nil where the schema lacks the property, whose values are archived later.
    var present: Column?
    /// By the entities of the rows.
    var origins: [String: Column]

    /// The property, unique within the table.
    var property: String { "\(owner ?? "").\(present?.property?.name ?? name)" }
  }

  /// Rebuilds a table of models, with the rows that move to it or stay.
  ///
  /// Properties of the schema have their columns afterwards. Later steps may convert the values.
  mutating func addTable(_ target: String) {
    let members = self.members.filter { $0.target == target }
    let slots = slots(of: members, target)
    check(slots, target)
    var table = TableDefinition(
      name: target,
      columns: [Column(name: LayoutNames.primaryKey, type: .integer, isNullable: false, isPrimaryKey: true)])
    let newType = newTables[target]?.columns.first(where: \.namesKinds)
    let type = newType ?? (members.count > 1 ? Column(name: LayoutNames.type, type: .text, isNullable: false) : nil)
    if let type { table.columns.append(type) }
    table.columns += slots.compactMap { definition(of: $0, slots, members) }
    table.kinds = members.map(\.kind)
    let links = members.map { ($0.table.relationships ?? [:]).of($0.kind) }
    table.relationships = links.reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }
    let origins = members.map { ($0.table.relationshipOrigins ?? [:]).of($0.kind) }
    let named = origins.reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }
    if !named.isEmpty { table.relationshipOrigins = named }
    rebuilt.append(table)
    for member in members {
      addRows(of: member, slots, hasType: type != nil)
    }
  }

  /// - Parameter bases: The superentities, of the store or of the schema.
  private func isSeen(_ column: Column, by kind: String, _ bases: [String]) -> Bool {
    column.property != nil && column.owner.map { $0 == kind || bases.contains($0) } ?? true
  }

  /// Matches the columns of an entity with those of the schema, whichever class declares their properties.
  private func columnNames(of member: Member) -> PreviousNames {
    let previous = member.table.columns.filter { isSeen($0, by: member.kind, oldBases[member.kind] ?? []) }
    let bases = self.bases(of: member.kind)
    let present = (newTables[member.target]?.columns ?? []).filter { isSeen($0, by: member.kind, bases) }
    return PreviousNames(old: previous.map(\.withoutOwner.part), new: present.map(\.withoutOwner.part))
  }

  private func slots(of members: [Member], _ target: String) -> [Slot] {
    let new = newTables[target]?.columns ?? []
    let pairs = Dictionary(members.map { ($0.kind, columnNames(of: $0)) }) { first, _ in first }
    var names = ColumnNames()
    for name in [LayoutNames.primaryKey, LayoutNames.type] + new.map(\.name) { _ = names.claim(name) }
    var slots: [Slot] = []
    for column in new where column.property != nil {
      let origins = members.reduce(into: [String: Column]()) { origins, member in
        guard let previous = pairs[member.kind]?.previous(of: column.name) else { return }
        origins[member.kind] = member.table.columns.first { $0.name == previous }
      }
      if origins.isEmpty { continue }
      slots.append(Slot(name: column.name, owner: column.owner, present: column, origins: origins))
    }
    for table in tables(goingTo: target) {
      for column in table.columns where column.property != nil {
        let kinds = members.filter { member in
          member.table.name == table.name && isSeen(column, by: member.kind, oldBases[member.kind] ?? [])
            && pairs[member.kind]?.present(of: column.name) == nil
        }.map(\.kind)
        for (owner, kinds) in owners(of: kinds, at: target) {
          let origins = Dictionary(kinds.map { ($0, column) }) { first, _ in first }
          slots.append(Slot(name: names.claim(column.name), owner: owner, present: nil, origins: origins))
        }
      }
    }
    return slots
  }

  /// The owners of a property that some entities have: the topmost ones among them, or nil for all rows of a table.
  func owners(of kinds: [String], at target: String) -> [(owner: String?, kinds: [String])] {
    if kinds.isEmpty { return [] }
    if Set(kinds) == Set(members.filter { $0.target == target }.map(\.kind)) { return [(owner: nil, kinds: kinds)] }
    let highest = Dictionary(grouping: kinds) { kind in bases(of: kind).last { kinds.contains($0) } ?? kind }
    return highest.sorted { $0.key < $1.key }.map { top, kinds in
      let isRoot = layout.layout(named: top).map { $0.root === $0 } ?? false
      return (owner: isRoot ? nil : top, kinds: kinds)
    }
  }

  /// Refuses to merge properties of several classes whose values differ in type, or in their columns.
  private mutating func check(_ slots: [Slot], _ target: String) {
    let known = slots.filter { $0.present != nil }
    var refused: Set<String> = []
    func describe(_ kind: String, _ column: Column) -> String {
      let type = column.property?.type ?? ""
      return "that of \(kind) is \(type.isEmpty ? column.type.rawValue : type)"
    }
    for slot in known {
      let origins = slot.origins.sorted { $0.key < $1.key }
      guard let (kind, column) = origins.first, let other = origins.first(where: { !column.canMerge(with: $0.value) })
      else { continue }
      refused.insert(slot.property)
      issues.append(
        .init(
          entity: slot.owner ?? target, property: column.sourceName,
          message: """
            Several classes had it, and it is one property now: \(describe(kind, column)), and \
            \(describe(other.key, other.value)). Give it another name in one of them, or one type in an earlier version.
            """))
    }
    let properties = Dictionary(grouping: known, by: \.property)
    for (property, slots) in properties.sorted(by: { $0.key < $1.key }) where !refused.contains(property) {
      guard let first = slots.first, slots.contains(where: { Set($0.origins.keys) != Set(first.origins.keys) }) else {
        continue
      }
      issues.append(
        .init(
          entity: first.owner ?? target, property: first.present?.property?.name,
          message: """
            Several classes had it, and it is one property now, whose columns differ in \
            \(Set(slots.flatMap(\.origins.keys)).sorted().joined(separator: ", ")). Give it another name in one of them.
            """))
    }
  }

  /// The value for models that lacked the property; nil without a default value.
  private func fallback(_ slot: Slot) -> Value? {
    slot.origins.values.first.flatMap { slot.present?.defaultValue(of: $0) }
  }

  private func definition(of slot: Slot, _ slots: [Slot], _ members: [Member]) -> Column? {
    guard let (kind, origin) = slot.origins.min(by: { $0.key < $1.key }) else { return nil }
    let origins = Array(slot.origins.values)
    let isGiven = members.filter { isSeen(slot, by: $0.kind) }.allSatisfy { member in
      slot.origins[member.kind].map { $0.isRequired ?? !$0.isNullable } ?? (fallback(slot) != nil)
    }
    var column = origin
    column.name = slot.name
    column.owner = slot.owner
    column.isNullable = slot.owner != nil || !isGiven
    column.isRequired = slot.owner == nil ? nil : isGiven
    column.defaultValue = fallback(slot)
    column.presents = origin.presents?.compactMap { name in slots.first { $0.origins[kind]?.name == name }?.name }
    column.isNormalized = origins.allSatisfy { $0.isNormalized == true } ? true : nil
    if origins.contains(where: { $0.namesFiles == true }) {
      column.namesFiles = true
    } else if origins.contains(where: { $0.namesFiles == nil }) {
      column.namesFiles = nil
    }
    if let destination = destination(of: origin) { column.references?.table = destination.table }
    if let present = slot.present {
      column.originalName = present.originalName
      column.property = present.property
      if let type = origin.property?.type { column.property?.type = type }
    }
    return column
  }

  private func isSeen(_ slot: Slot, by kind: String) -> Bool {
    slot.owner.map { $0 == kind || bases(of: kind).contains($0) } ?? true
  }

  private mutating func addRows(of member: Member, _ slots: [Slot], hasType: Bool) {
    let shift = destinations[member.kind]?.shift ?? 0
    var columns = [LayoutNames.primaryKey]
    var values = [SQLExpression.column(LayoutNames.primaryKey).increased(by: shift)]
    if hasType {
      columns.append(LayoutNames.type)
      values.append(.value(.text(member.kind)))
    }
    for slot in slots {
      if let origin = slot.origins[member.kind] {
        columns.append(slot.name)
        values.append(value(of: origin, shift))
      } else if slot.present != nil, isSeen(slot, by: member.kind), let value = fallback(slot) {
        columns.append(slot.name)
        values.append(.value(value))
      }
    }
    add(
      to: member.target, columns: columns, values, from: member.table.name,
      where: member.table.namesKinds ? .isKind([member.kind]) : nil)
  }
}

extension TableAssignmentDiff {
  /// The relationships of an entity, as "kind.relationship".
  func relationships(of kind: String, in table: TableDefinition?) -> [PreviousNames.Part] {
    (table?.relationshipParts ?? []).filter { $0.name.hasPrefix("\(kind).") }
  }
}

extension [String: String] {
  /// The elements whose keys, as "kind.relationship", belong to an entity.
  fileprivate func of(_ kind: String) -> Self { filter { $0.key.hasPrefix("\(kind).") } }
}

extension TableDefinition.Column {
  /// The column without its owner, as in a table of one class.
  fileprivate var withoutOwner: Self {
    var column = self
    column.owner = nil
    return column
  }

  /// Whether the values of both can become those of one property.
  fileprivate func canMerge(with other: Self) -> Bool {
    means(other) && property?.part == other.property?.part
      && (property?.type == other.property?.type || ValueConversion.Primitive(rawValue: meaning) != nil)
  }
}
