import Relational

/// Builds the tables of entities, and the join tables of their relationships.
struct TableBuilder {
  let layouts: [String: EntityLayout]
  var names: ColumnNames
  let rules: LayoutRules
  /// Makes the function of search indexes; called only if there are any.
  private let makeFolding: () -> FoldingFunction
  private var tables: [TableDefinition] = []
  private var joins: [String: TableDefinition] = [:]
  private var joinOrder: [String] = []
  private var joinLayouts: [String: PropertyLayout.JoinTable] = [:]

  init(
    layouts: [String: EntityLayout], names: ColumnNames, rules: LayoutRules,
    folding: @escaping @autoclosure () -> FoldingFunction
  ) {
    self.layouts = layouts
    self.names = names
    self.rules = rules
    makeFolding = folding
  }

  var folding: FoldingFunction { makeFolding() }

  mutating func addTable(of root: EntityLayout) {
    typealias Column = TableDefinition.Column
    var columnNames = ColumnNames(longest: rules.longestName)
    var columns = [
      Column(name: columnNames.claim(LayoutNames.primaryKey), type: .integer, isNullable: false, isPrimaryKey: true)
    ]
    var indexes: [TableDefinition.Index] = []
    if root.family.count > 1 {
      let type = columnNames.claim(LayoutNames.type)
      columns.append(Column(name: type, type: .text, isNullable: false, defaultValue: .text(root.entity.name)))
      for layout in root.family { layout.typeColumn = type }
    }
    // A property has its layout where it is declared, and subentities inherit it.
    var declared: [ObjectIdentifier: PropertyLayout] = [:]
    for layout in root.family {
      layout.properties = layout.runtime.properties.map { property in
        if let known = declared[ObjectIdentifier(property)] { return known }
        let made = makeLayout(
          of: property, in: layout, isShared: layout !== root, &columnNames, &columns, &indexes)
        declared[ObjectIdentifier(property)] = made
        return made
      }
    }
    for layout in root.family { addIndexes(of: layout, to: &indexes) }
    for layout in root.family { addTextIndexes(of: layout, to: &indexes) }
    var table = TableDefinition(
      name: root.table, columns: columns.normalizingTexts(in: root.uniqueColumns), indexes: indexes)
    table.searches = searches(of: root)
    tables.append(table)
  }

  /// Completes the sides of relationships that needed the layout of the other side.
  func finish() -> [TableDefinition] {
    for layout in layouts.values {
      for index in layout.properties.indices {
        layout.properties[index].storage = resolved(layout.properties[index], in: layout)
      }
    }
    let described = tables.map { table in
      var table = table
      let family = layouts.values.filter { $0.table == table.name }
      table.kinds = family.map(\.entity.name).sorted()
      table.relationships = [:]
      for layout in family {
        for property in layout.properties {
          let name = "\(layout.entity.name).\(property.name)"
          guard let relationship = layout.entity.relationship(named: property.name) else { continue }
          table.relationships?[name] =
            isOwnInverse(relationship) ? LinkDescription.ownInverse : property.storage.linkDescription
          if relationship.originalName == relationship.name { continue }
          table.relationshipOrigins = table.relationshipOrigins ?? [:]
          table.relationshipOrigins?[name] = "\(layout.entity.name).\(relationship.originalName)"
        }
      }
      return table
    }
    return named(described + joinOrder.compactMap { joins[$0] })
  }

  /// Whether a to-one is its own inverse.
  private func isOwnInverse(_ relationship: Schema.Relationship) -> Bool {
    guard relationship.isToOneRelationship, let inverse = relationship.inverseName else { return false }
    return layouts[relationship.destination]?.entity.relationship(named: inverse) === relationship
  }

  /// Assigns unique names to the indexes of tables: tables and indexes share one set of names. If two names collide, as
  /// underscores can cause, the first keeps its own.
  private func named(_ tables: [TableDefinition]) -> [TableDefinition] {
    var names = self.names
    var tables = tables
    for table in tables.indices {
      for index in tables[table].indexes.indices {
        tables[table].indexes[index].name = names.claim(tables[table].indexes[index].name)
      }
    }
    return Self.namingSearches(tables, &names)
  }

  private func resolved(_ property: PropertyLayout, in layout: EntityLayout) -> PropertyLayout.Storage {
    guard let relationship = layout.entity.relationship(named: property.name),
      let destination = layouts[relationship.destination], let inverse = relationship.inverseName,
      case .reference(let column, let position)? = destination.property(named: inverse)?.storage
    else { return property.storage }
    switch property.storage {
    case .inverseReference:
      return .inverseReference(table: destination.table, column: column)
    case .referencedMembers:
      return .referencedMembers(table: destination.table, column: column, position: position ?? column)
    default:
      return property.storage
    }
  }

  private mutating func makeLayout(
    of property: _ModelProperty, in layout: EntityLayout, isShared: Bool, _ columnNames: inout ColumnNames,
    _ columns: inout [TableDefinition.Column], _ indexes: inout [TableDefinition.Index]
  ) -> PropertyLayout {
    if let relationship = layout.entity.relationship(named: property.name) {
      return makeLayout(
        of: relationship, property.index, in: layout, isShared: isShared, &columnNames, &columns, &indexes)
    }
    guard let attribute = layout.entity.attribute(named: property.name), !attribute.isTransient else {
      return PropertyLayout(name: property.name, index: property.index, storage: .ephemeral, isOptional: true)
    }
    let coding = ColumnCoding(attribute)
    var added = columnsOf(
      coding, name: attribute.name, originalName: attribute.originalName, isNullable: attribute.isOptional,
      default: attribute.defaultValue, &columnNames)
    if coding.allowsFiles { added[0].namesFiles = attribute.isExternal }
    for column in added.indices {
      added[column].property = .init(
        name: attribute.name, originalName: attribute.originalName, type: attribute.valueDescription,
        part: added[column].property?.part ?? "")
    }
    if isShared { added = added.map { $0.shared(by: layout.entity) } }
    columns += added
    return PropertyLayout(
      name: attribute.name, index: property.index,
      storage: .attribute(coding, columns: added.map(\.name), isExternal: attribute.isExternal),
      isOptional: attribute.isOptional)
  }

  private func columnsOf(
    _ coding: ColumnCoding, name: String, originalName: String, isNullable: Bool, default value: Any?,
    _ columnNames: inout ColumnNames
  ) -> [TableDefinition.Column] {
    guard case .composite(let hasPresence, let fields) = coding else {
      var column = TableDefinition.Column(
        name: columnNames.claim(name), type: coding.columnType, isNullable: isNullable)
      column.meaning = coding.meaning
      column.originalName = originalName
      column.defaultValue = value.flatMap { ValueCollector.values(of: $0, coding).first }
      if column.defaultValue == .null { column.defaultValue = nil }
      return [column]
    }
    var columns: [TableDefinition.Column] = []
    if hasPresence {
      var presence = TableDefinition.Column(name: columnNames.claim(name), type: .integer, isNullable: true)
      presence.originalName = originalName
      columns.append(presence)
    }
    for field in fields {
      var added = columnsOf(
        field.coding, name: "\(name)_\(field.name)", originalName: "\(originalName)_\(field.name)",
        isNullable: isNullable || field.isOptional, default: nil, &columnNames)
      for column in added.indices { added[column].becomeField(field.name) }
      columns += added
    }
    if hasPresence { columns[0].presents = columns.dropFirst().map(\.name) }
    let defaults = value.map { ValueCollector.values(of: $0, coding) } ?? []
    for (index, value) in defaults.enumerated() where columns.indices.contains(index) && value != .null {
      columns[index].defaultValue = value
    }
    return columns
  }

  private mutating func makeLayout(
    of relationship: Schema.Relationship, _ index: Int, in layout: EntityLayout, isShared: Bool,
    _ columnNames: inout ColumnNames, _ columns: inout [TableDefinition.Column],
    _ indexes: inout [TableDefinition.Index]
  ) -> PropertyLayout {
    func made(_ storage: PropertyLayout.Storage) -> PropertyLayout {
      PropertyLayout(
        name: relationship.name, index: index, storage: storage, destination: relationship.destination,
        isOptional: relationship.isOptional)
    }
    let destination = layouts[relationship.destination]
    let inverse = relationship.inverseName.flatMap { destination?.entity.relationship(named: $0) }
    guard relationship.isToOneRelationship else {
      if let inverse, inverse.isToOneRelationship, let destination {
        return made(
          .referencedMembers(
            table: destination.table, column: LayoutNames.toOne(inverse.name),
            position: LayoutNames.position(inverse.name)))
      }
      return made(.joinedMembers(join(relationship, inverse, layout, destination)))
    }
    if let inverse, inverse.isToOneRelationship, let destination,
      !holdsReference(relationship, layout.entity, inverse, destination.entity)
    {
      return made(.inverseReference(table: destination.table, column: LayoutNames.toOne(inverse.name)))
    }
    let column = columnNames.claim(LayoutNames.toOne(relationship.name))
    var definition = TableDefinition.Column(name: column, type: .integer, isNullable: relationship.isOptional)
    definition.originalName = LayoutNames.toOne(relationship.originalName)
    definition.property = .init(
      name: relationship.name, originalName: relationship.originalName, type: relationship.destination,
      part: TableDefinition.Column.Property.target)
    if isShared { definition = definition.shared(by: layout.entity) }
    // A `.noAction` reference may dangle, so it is no foreign key. A `.deny` rule is also enforced by a foreign key, because
    // another process may add a reference during a save.
    if let destination, inverse?.deleteRule != .noAction || inverse == nil {
      definition.references = .init(
        table: destination.table, column: LayoutNames.primaryKey,
        onDelete: relationship.isOptional && inverse?.deleteRule != .deny ? .setNull : .restrict)
    }
    columns.append(definition)
    var position: String?
    if inverse?.isToOneRelationship == false {
      let name = columnNames.claim(LayoutNames.position(relationship.name))
      var column = TableDefinition.Column(name: name, type: .integer, isNullable: true)
      column.originalName = LayoutNames.position(relationship.originalName)
      column.owner = definition.owner
      column.property = definition.property
      column.property?.part = TableDefinition.Column.Property.position
      columns.append(column)
      position = name
    }
    indexes.append(
      TableDefinition.Index(
        name: "\(layout.table)_\(column)", columns: [column] + (position.map { [$0] } ?? []), isUnique: false))
    return made(.reference(column: column, position: position))
  }

  /// Of two to-ones that are each other's inverse, one has the column: the required one, or else the first by its original
  /// name, so that a renaming does not move the column. A relationship that is its own inverse has a column at both ends.
  private func holdsReference(
    _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ inverse: Schema.Relationship,
    _ other: Schema.Entity
  ) -> Bool {
    if relationship === inverse || (entity.name == other.name && relationship.name == inverse.name) { return true }
    if relationship.isOptional != inverse.isOptional { return !relationship.isOptional }
    return (entity.name, relationship.originalName) < (other.name, inverse.originalName)
  }

  private mutating func join(
    _ relationship: Schema.Relationship, _ inverse: Schema.Relationship?, _ layout: EntityLayout,
    _ destination: EntityLayout?
  ) -> PropertyLayout.JoinTable {
    let owner = layout.entity
    let ownerTable = layout.table
    let memberTable = destination?.table ?? relationship.destination
    if let known = joinLayouts["\(owner.name).\(relationship.name)"] { return known }
    let isSymmetric = inverse.map { $0.name == relationship.name && owner.name == relationship.destination } ?? false
    if let inverse, owner.name == relationship.destination, inverse.name < relationship.name {
      // Of two sides within one entity, the first by name gives its name to the table, whatever their order in source code.
      _ = join(inverse, relationship, layout, destination)
    }
    if let inverse, !isSymmetric, let known = joinLayouts["\(relationship.destination).\(inverse.name)"] {
      // The other side has a layout already.
      return PropertyLayout.JoinTable(
        table: known.table, owner: known.member, member: known.owner, position: known.inversePosition ?? known.position,
        inversePosition: known.position)
    }
    let isOfOneTable = ownerTable == memberTable
    /// The names of the columns, in order, by the present or original names of the two sides.
    func columnNames(_ name: String, _ inverse: String?) -> [String] {
      var names = ColumnNames(longest: rules.longestName)
      let inverse = isSymmetric ? nil : inverse
      return [
        names.claim(isOfOneTable ? LayoutNames.toOne(inverse ?? "owner") : LayoutNames.reference(to: ownerTable)),
        names.claim(isOfOneTable ? LayoutNames.toOne(name) : LayoutNames.reference(to: memberTable)),
        names.claim(LayoutNames.position(name)),
      ] + (inverse.map { [names.claim(LayoutNames.position($0))] } ?? [])
    }
    let table = names.claim("\(owner.name)_\(relationship.name)")
    let current = columnNames(relationship.name, inverse?.name)
    let original = columnNames(relationship.originalName, inverse?.originalName)
    let (ownerColumn, memberColumn, position) = (current[0], current[1], current[2])
    let inversePosition = current.count > 3 ? current[3] : nil
    let columns = zip(current, original).enumerated().map { index, names in
      var column = TableDefinition.Column(name: names.0, type: .integer, isNullable: false)
      column.originalName = names.1
      // Without an order on one side, its positions are zero.
      if index > 1 { column.defaultValue = .integer(0) }
      if index < 2 {
        let rules = [relationship.deleteRule, isSymmetric ? relationship.deleteRule : inverse?.deleteRule]
        // If both sides deny, the link of two models that are deleted together has to be deleted with one of them.
        let keepsTarget = rules[index] == .deny && rules[1 - index] != .deny
        column.references = .init(
          table: index == 0 ? ownerTable : memberTable, column: LayoutNames.primaryKey,
          onDelete: keepsTarget ? .restrict : .cascade)
      }
      return column
    }
    var definition = TableDefinition(
      name: table, columns: columns, compositePrimaryKey: [ownerColumn, memberColumn],
      indexes: [TableDefinition.Index(name: "\(table)_\(memberColumn)", columns: [memberColumn], isUnique: false)])
    // Within one entity, the original name of the table may be from the other side.
    let isOfOneEntity = owner.name == relationship.destination
    let first = isOfOneEntity ? inverse.map { min($0.originalName, relationship.originalName) } : nil
    let originalTable = "\(owner.name)_\(first ?? relationship.originalName)"
    if originalTable != table { definition.originalName = originalTable }
    if let inverse, !isSymmetric { definition.otherName = "\(relationship.destination)_\(inverse.originalName)" }
    joins[table] = definition
    joinOrder.append(table)
    let made = PropertyLayout.JoinTable(
      table: table, owner: ownerColumn, member: memberColumn, position: position, inversePosition: inversePosition)
    joinLayouts["\(owner.name).\(relationship.name)"] = made
    return made
  }

  private func addIndexes(of layout: EntityLayout, to indexes: inout [TableDefinition.Index]) {
    for (paths, isUnique) in layout.entity.uniquenessConstraints.map({ ($0, true) })
      + layout.entity.indices.map({ ($0, false) })
    {
      let columns = paths.compactMap { layout.column(path: $0) }
      guard columns.count == paths.count, !columns.isEmpty else { continue }
      let name = "\(layout.table)_\(columns.joined(separator: "_"))\(isUnique ? "_unique" : "")"
      let isKnown = indexes.contains {
        // The index of a to-one also has the positions.
        $0.isUnique == isUnique && ($0.columns == columns || $0.name == name && $0.columns.starts(with: columns))
      }
      if isKnown { continue }
      indexes.append(TableDefinition.Index(name: name, columns: columns, isUnique: isUnique))
    }
  }
}

extension TableDefinition.Column {
  /// Marks the column as a field of a value; the property is set later.
  fileprivate mutating func becomeField(_ name: String) {
    let inner = property?.part ?? ""
    property = .init(name: "", type: "", part: inner.isEmpty ? name : "\(name).\(inner)")
  }

  /// The column in a table that several entities share, null in rows of others.
  fileprivate func shared(by entity: Schema.Entity) -> Self {
    var column = self
    column.owner = entity.name
    column.isRequired = !isNullable
    column.isNullable = true
    return column
  }
}

extension EntityLayout {
  /// The column of a property, or of a field of a composite, given as a path with dots.
  func column(path: String) -> String? {
    let names = path.split(separator: ".").map(String.init)
    guard let first = names.first, let property = property(named: first) else { return nil }
    switch property.storage {
    case .reference(let column, _): return column
    case .attribute(let coding, let columns, _):
      return coding.columnIndex(of: names.dropFirst()).map { columns[$0] }
    default: return nil
    }
  }
}

extension ColumnCoding {
  /// The position, among an attribute's columns, of the column for a path of field names.
  func columnIndex(of path: some Collection<String>) -> Int? {
    guard let name = path.first else {
      if case .composite = self { return nil }
      return 0
    }
    guard case .composite(_, let fields) = self, let field = fields.first(where: { $0.name == name }) else {
      return nil
    }
    return field.coding.columnIndex(of: path.dropFirst()).map { field.offset + $0 }
  }
}
