import Relational

/// What a save changes beyond what its plan says, as far as the database knows it and nobody else does: rows that lose a
/// target or a member because another row goes, or becomes one that was inserted. And what deleted rows had that is to
/// be kept.
///
/// It asks only where a schema has such rows, so that most saves ask nothing.
final class SaveConsequences {
  private let store: RelationalStore
  private let connection: any Connection

  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// The properties of rows that change, by their indices.
  @exclusivity(unchecked) private(set) var changed: [RowKey: Set<Int>] = [:]
  /// What is left of deleted rows.
  @exclusivity(unchecked) private(set) var tombstones: [RowKey: [UInt8]] = [:]
  /// By the position of the entity in the schema.
  @exclusivity(unchecked) private var links: [Int: [Link]] = [:]
  /// Those that were asked for last: mostly many models of one kind come one after the other.
  @exclusivity(unchecked) private var lastLinks: (entity: Int, links: [Link])?

  init(_ store: RelationalStore, _ connection: any Connection) {
    self.store = store
    self.connection = connection
  }

  /// Looks at what leads to rows that are about to be deleted, and at what they have.
  ///
  /// - Parameter areInMemory: Whether there are models of the rows, of which the plan has what they lead to.
  func note(deleting keys: [Int64], of layout: EntityLayout, areInMemory: Bool) throws {
    if keys.isEmpty { return }
    for link in store.historyShapes.incomingLinks(of: layout) where !areInMemory || !link.isKeptBySource {
      try note(link, keys)
    }
    if let projection = store.historyShapes.preservedProperties(of: layout) { try bury(keys, layout, projection) }
  }

  /// Looks at the rows that lose those which inserted models become, because these lead somewhere else.
  func note(merging keys: [Int64], of layout: EntityLayout) throws {
    if keys.isEmpty { return }
    for link in store.historyShapes.incomingLinks(of: layout) where link.isKeptBySource {
      try note(link, keys)
    }
  }

  private func note(_ link: IncomingLink, _ keys: [Int64]) throws {
    let statement = store.database.dialect.render(link.select(keys))
    try connection.forEachRow(statement) { row in
      let key = row.integer(0)
      guard RowIdentity.isNumber(key) else { return }
      let entity = link.layout.typeColumn == nil ? link.layout.ordinal : link.ordinals[row.text(1)]
      guard let entity else { return }
      changed[RowKey(key: key, entity: entity), default: []].insert(link.property)
    }
  }

  // MARK: Former owners

  /// A to-one, what it is a member of at the other end, and the rows there that lose one.
  private final class Link {
    let property: any RelationshipProperty
    let bit: UInt64
    let inverse: Int
    let destination: Int
    // Each access is over before other code runs.
    @exclusivity(unchecked) private(set) var keys: [Int64] = []

    init(_ property: any RelationshipProperty, inverse: Int, destination: Int) {
      self.property = property
      bit = _ModelState.bit(property.index)
      self.inverse = inverse
      self.destination = destination
    }

    func note(_ key: Int64) {
      // Many members of one owner come one after the other.
      if keys.last != key { keys.append(key) }
    }
  }

  /// Looks at what the models of a plan led to before, where nobody has that in memory.
  func noteFormerTargets(of plan: SavePlan) throws {
    let toOnes = store.historyShapes.toOnes
    if toOnes == 0 { return }
    for update in plan.updates where update.dirty & toOnes != 0 { noteFormerTargets(of: update.model, update.dirty) }
    for model in plan.deletes {
      for link in links(of: model) {
        if let key = link.property.unresolvedKey(of: model) { link.note(key) }
      }
      // It may have led elsewhere before it was deleted.
      if let dirty = model._$withState({ $0.changes?.dirty }) { noteFormerTargets(of: model, dirty) }
    }
    var owners: [Int: [Int64: Set<Int>]] = [:]
    for link in links.values.flatMap({ $0 }) {
      for key in Set(link.keys) { owners[link.destination, default: [:]][key, default: []].insert(link.inverse) }
    }
    for (entity, properties) in owners { try note(properties, of: store.layout.layout(at: entity)) }
  }

  private func noteFormerTargets(of model: any PersistentModel, _ dirty: UInt64) {
    for link in links(of: model) where dirty & link.bit != 0 {
      guard let former = model._$withState({ $0.changes })?.formerTarget(link.property.index), former.target == nil,
        former.key > 0
      else { continue }
      link.note(former.key)
    }
  }

  /// The to-ones of a model that have another side.
  private func links(of model: any PersistentModel) -> [Link] {
    guard let entity = model._$withState({ $0.withBinding { $0.ordinal } }) else { return [] }
    if let lastLinks, lastLinks.entity == entity { return lastLinks.links }
    let links = self.links[entity] ?? makeLinks(store.layout.layout(at: entity))
    self.links[entity] = links
    lastLinks = (entity, links)
    return links
  }

  private func makeLinks(_ layout: EntityLayout) -> [Link] {
    layout.runtime.relationships.compactMap { property in
      guard !property.isToMany, let inverse = layout.runtime.inverse(of: property),
        let destination = layout.properties[property.index].destination.flatMap(store.layout.layout(named:))
      else { return nil }
      return Link(property, inverse: inverse.index, destination: destination.ordinal)
    }
  }

  /// - Parameter properties: What changes, by the keys of rows of which only a common superclass may be known.
  private func note(_ properties: [Int64: Set<Int>], of layout: EntityLayout) throws {
    guard layout.family.count > 1, let type = layout.typeColumn else {
      for (key, indices) in properties {
        changed[RowKey(key: key, entity: layout.ordinal), default: []].formUnion(indices)
      }
      return
    }
    let ordinals = Dictionary(layout.family.map { ($0.entity.name, $0.ordinal) }) { first, _ in first }
    let areRows = SQLExpression.isIn(
      .column(LayoutNames.primaryKey), properties.keys.sorted().map { .integer($0) })
    let select = Select(columns: [LayoutNames.primaryKey, type], from: layout.table, condition: areRows)
    try connection.forEachRow(store.database.dialect.render(select)) { row in
      guard let entity = ordinals[row.text(1)], let indices = properties[row.integer(0)] else { return }
      changed[RowKey(key: row.integer(0), entity: entity), default: []].formUnion(indices)
    }
  }

  // MARK: Tombstones

  /// Keeps what the rows have of the properties that are to be preserved.
  private func bury(_ keys: [Int64], _ layout: EntityLayout, _ projection: Projection) throws {
    let areRows = SQLExpression.isIn(
      .column(table: Projection.alias, name: LayoutNames.primaryKey), keys.map { .integer($0) })
    var select = Select(columns: projection.columns, from: .init(table: layout.table, alias: Projection.alias))
    select.condition = areRows
    try connection.forEachRow(store.database.dialect.render(select)) { statement in
      let row = try projection.row(statement.integer(0), statement)
      let tombstone = try Tombstone(statement, projection.layout(row.entity), projection.map(row.entity), store.files)
      if !tombstone.parts.isEmpty { tombstones[row] = tombstone.bytes }
    }
  }
}
