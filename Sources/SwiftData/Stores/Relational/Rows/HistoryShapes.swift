import Relational

/// What a schema says to the records of a history: which rows change along with one that is deleted, and what is to be
/// kept of it. It is made once for a store.
///
/// `@unchecked Sendable` because nothing of it changes once it is made.
final class HistoryShapes: @unchecked Sendable {
  /// The relationships of any entity that lead to rows of one, by that one's position in the schema.
  private var links: [Int: [IncomingLink]] = [:]
  /// What reads the properties that are to be preserved of deleted rows, by the position of the rows' entity.
  private var projections: [Int: Projection] = [:]

  /// The properties of any entity that are to-ones, as `_ModelState.dirty` has them.
  let toOnes: UInt64
  /// Whether there are relationships with a to-many at both ends.
  let hasManyToMany: Bool

  init(_ layout: StoreLayout) {
    toOnes = layout.all.reduce(0) { $0 | $1.toOnes }
    hasManyToMany = layout.all.contains { layout in
      layout.runtime.toManys.contains { layout.runtime.inverse(of: $0)?.toMany != nil }
    }
    for source in layout.all {
      // What is inherited is found where it is declared.
      let inherited = source.entity.superentity.flatMap { layout.layout(named: $0.name)?.properties.count } ?? 0
      for property in source.properties.dropFirst(inherited) {
        guard let destination = property.destination.flatMap(layout.layout(named:)),
          let link = IncomingLink(source, property)
        else { continue }
        for target in destination.root.family { links[target.ordinal, default: []].append(link) }
      }
    }
    for target in layout.all {
      let names = target.family.flatMap { member in
        member.properties.map(\.name).filter { Self.isPreserved($0, in: member.entity) }
      }
      if names.isEmpty { continue }
      projections[target.ordinal] = Projection(target, including: PropertySelection(names: Set(names)))
    }
  }

  func incomingLinks(of target: EntityLayout) -> [IncomingLink] {
    links[target.ordinal] ?? []
  }

  /// Nil where nothing is to be preserved.
  func preservedProperties(of target: EntityLayout) -> Projection? {
    projections[target.ordinal]
  }

  static func isPreserved(_ property: String, in entity: Schema.Entity) -> Bool {
    entity.attributesByName[property]?.options.contains(.preserveValueOnDeletion) == true
  }
}

/// A relationship that leads to rows of an entity, and how those that lead there are found.
struct IncomingLink {
  /// Whose property it is: a row may be one of a kind of this entity.
  let layout: EntityLayout
  let property: Int
  /// The kinds of the entity, by the names that rows have in the column that tells them apart.
  let ordinals: [String: Int]
  /// Whether the row that is led to has the key of the one that leads there.
  let storesKeyInSource: Bool
  private let storage: PropertyLayout.Storage

  /// The column in which the row that is led to has that key.
  var column: String? {
    switch storage {
    case .inverseReference(_, let column), .referencedMembers(_, let column, _): column
    case .attribute, .ephemeral, .reference, .joinedMembers: nil
    }
  }

  /// Nil for a property whose links the database keeps in no way.
  init?(_ layout: EntityLayout, _ property: PropertyLayout) {
    self.layout = layout
    self.property = property.index
    storage = property.storage
    ordinals = Dictionary(layout.family.map { ($0.entity.name, $0.ordinal) }) { first, _ in first }
    switch property.storage {
    case .reference, .joinedMembers: storesKeyInSource = false
    case .inverseReference, .referencedMembers: storesKeyInSource = true
    case .attribute, .ephemeral: return nil
    }
  }

  /// Selects the rows that lead to those with some keys.
  func select(_ keys: [Int64]) -> Select {
    let values = keys.map { Value.integer($0) }
    let key = SQLExpression.column(LayoutNames.primaryKey)
    let condition: SQLExpression
    switch storage {
    case .reference(let column, _):
      condition = .isIn(.column(column), values)
    case .joinedMembers(let join):
      let pairs = Select(columns: [join.owner], from: join.table, condition: .isIn(.column(join.member), values))
      condition = .isInSelect(key, pairs)
    case .inverseReference(let table, let column), .referencedMembers(let table, let column, _):
      let members = Select(columns: [column], from: table, condition: .isIn(key, values))
      condition = .isInSelect(key, members)
    case .attribute, .ephemeral:
      condition = .isIn(key, [])
    }
    let columns = [LayoutNames.primaryKey] + (layout.typeColumn.map { [$0] } ?? [])
    return Select(columns: columns, from: layout.table, condition: condition)
  }
}
