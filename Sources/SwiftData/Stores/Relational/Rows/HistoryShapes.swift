import Relational

/// The facts of a schema that the history needs: which rows change along with a deleted one, and which of its values are
/// preserved. They are computed once for a store.
///
/// `@unchecked Sendable` because nothing changes after the initializer.
final class HistoryShapes: @unchecked Sendable {
  /// The relationships of any entity that refer to rows of one, by that one's position in the schema.
  private var links: [Int: [IncomingLink]] = [:]
  /// The projections of preserved properties, by the position of the deleted rows' entity.
  private var projections: [Int: Projection] = [:]

  /// The to-one properties of all entities, as bits of `_ModelState.dirty`.
  let toOnes: UInt64
  /// Whether any relationship has a to-many at both ends.
  let hasManyToMany: Bool

  init(_ layout: StoreLayout) {
    toOnes = layout.all.reduce(0) { $0 | $1.toOnes }
    hasManyToMany = layout.all.contains { layout in
      layout.runtime.toManys.contains { layout.runtime.inverse(of: $0)?.toMany != nil }
    }
    for source in layout.all {
      // Inherited properties are handled at the entity that declares them.
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

  /// Nil if no properties are preserved.
  func preservedProperties(of target: EntityLayout) -> Projection? {
    projections[target.ordinal]
  }

  static func isPreserved(_ property: String, in entity: Schema.Entity) -> Bool {
    entity.attributesByName[property]?.options.contains(.preserveValueOnDeletion) == true
  }
}

/// A relationship that refers to rows of an entity, and how to find the rows that refer to them.
struct IncomingLink {
  /// The entity of the property; a row may be of a subentity.
  let layout: EntityLayout
  let property: Int
  /// The family of the entity, by the names in its type column.
  let ordinals: [String: Int]
  /// Whether the row of the target has the key of the row that refers to it.
  let storesKeyInSource: Bool
  private let storage: PropertyLayout.Storage

  /// The column of the target with that key.
  var column: String? {
    switch storage {
    case .inverseReference(_, let column), .referencedMembers(_, let column, _): column
    case .attribute, .ephemeral, .reference, .joinedMembers: nil
    }
  }

  /// Nil for a property without stored links.
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

  /// Selects the rows that refer to rows with some keys.
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
