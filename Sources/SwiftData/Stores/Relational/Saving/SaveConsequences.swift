import Relational

/// The changes of a save that its plan does not list and only the database knows: rows that lose a target or a member because
/// another row is deleted, or because an upsert merges an inserted model into it. It also preserves values of deleted rows.
///
/// It runs queries only if the schema has such relationships. It runs more of them if other contexts have saved changes of
/// which this context was not notified.
final class SaveConsequences {
  private let store: RelationalStore
  private let connection: any Connection
  let isContextAware: Bool

  /// The changed properties of rows.
  private(set) var changed: [RowKey: ChangedProperties] = [:]
  /// The preserved values of deleted rows.
  private(set) var tombstones: [RowKey: [UInt8]] = [:]
  /// By the position of the entity in the schema.
  private var links: [Int: [Link]] = [:]
  /// The links of the last entity: usually many successive models are of one entity.
  private var lastLinks: (entity: Int, links: [Link])?

  /// - Parameter isContextAware: Whether the context was notified of all saved changes.
  init(_ store: RelationalStore, _ connection: any Connection, isContextAware: Bool) {
    self.store = store
    self.connection = connection
    self.isContextAware = isContextAware
  }

  /// Records the rows that refer to rows about to be deleted, and preserves values of these.
  ///
  /// - Parameter areInMemory: Whether there are models of the rows, so that the plan has the targets of their references.
  func record(deleting keys: [Int64], of layout: EntityLayout, areInMemory: Bool) throws {
    if keys.isEmpty { return }
    for link in store.historyShapes.incomingLinks(of: layout)
    where !areInMemory || !isContextAware || !link.storesKeyInSource {
      try record(link, keys)
    }
    if let projection = store.historyShapes.preservedProperties(of: layout) { try preserve(keys, layout, projection) }
  }

  /// Records the previous owners of rows that an upsert merges inserted models into, as these refer to other owners.
  func record(merging keys: [Int64], of layout: EntityLayout) throws {
    if keys.isEmpty { return }
    for link in store.historyShapes.incomingLinks(of: layout) where link.storesKeyInSource {
      try record(link, keys)
    }
  }

  /// Records the previous owners of changed models that refer to other owners now.
  private func recordOwners(ofChanged updates: [SavePlan.Update]) throws {
    var groups: [Int: [UInt64: [Int64]]] = [:]
    for update in updates {
      let layout = store.layout.layout(of: update.model)
      let toOnes = update.dirty & layout.toOnes
      if toOnes != 0 {
        groups[layout.ordinal, default: [:]][toOnes, default: []].append(update.model._$withState { $0.key })
      }
    }
    for (entity, groups) in groups {
      let layout = store.layout.layout(at: entity)
      for (toOnes, keys) in groups {
        let columns = layout.properties.filter { toOnes & _ModelState.bit($0.index) != 0 }.flatMap(\.writtenColumns)
        for link in store.historyShapes.incomingLinks(of: layout) {
          if let column = link.column, columns.contains(column) { try record(link, keys) }
        }
      }
    }
  }

  private func record(_ link: IncomingLink, _ keys: [Int64]) throws {
    let statement = store.database.dialect.render(link.select(keys))
    try connection.forEachRow(statement) { row in
      let key = row.integer(0)
      guard RowIdentity.isValid(key) else { return }
      let entity = link.layout.typeColumn == nil ? link.layout.ordinal : link.ordinals[row.text(1)]
      guard let entity else { return }
      changed[RowKey(key: key, entity: entity), default: .init()].insert(link.property)
    }
  }

  // MARK: Previous owners

  /// A to-one with its inverse, and the keys of previous targets whose inverse changes.
  private final class Link {
    let property: any ToOneRelationship
    let bit: UInt64
    let inverse: Int
    let destination: Int
    /// The keys of rows that have models in memory.
    private(set) var keys: [Int64] = []
    /// The keys of rows that another context may have deleted since.
    private(set) var unresolvedKeys: [Int64] = []

    init(_ property: any ToOneRelationship, inverse: Int, destination: Int) {
      self.property = property
      bit = _ModelState.bit(property.index)
      self.inverse = inverse
      self.destination = destination
    }

    /// Whether a model has the same target as before.
    func refers(_ model: any PersistentModel, to previous: _ToOneContent) -> Bool {
      if let target = property.loadedTarget(of: model) { return previous.leads(to: target) }
      guard let key = property.unreadKey(of: model) else { return false }
      return key == previous.target.map { $0._$withState { $0.key } } ?? previous.key
    }

    /// Records the target of a model.
    func record(targetOf model: any PersistentModel) {
      record(_ToOneContent(target: property.loadedTarget(of: model), key: property.unreadKey(of: model) ?? 0))
    }

    /// Records a target, if it was ever saved.
    func record(_ content: _ToOneContent) {
      if let target = content.target {
        let (key, status) = target._$withState { ($0.key, $0.status) }
        if status == .persistent { Self.add(key, to: &keys) } else { Self.add(key, to: &unresolvedKeys) }
      } else {
        Self.add(content.key, to: &unresolvedKeys)
      }
    }

    private static func add(_ key: Int64, to keys: inout [Int64]) {
      // Successive models often have the same target.
      if key > 0, keys.last != key { keys.append(key) }
    }
  }

  /// Records the previous targets of the models of a plan. Targets in memory usually have an update of their own; a
  /// property recorded twice is written once.
  func recordPreviousTargets(of plan: SavePlan, _ deleted: [DeletionRun]) throws {
    if store.historyShapes.hasManyToMany { try recordMembers(of: plan) }
    let toOnes = store.historyShapes.toOnes
    if toOnes == 0 { return }
    if !isContextAware { try recordOwners(ofChanged: plan.updates) }
    for update in plan.updates where update.dirty & toOnes != 0 {
      guard let entity = update.model._$withState({ $0.withBinding { $0.ordinal } }) else { continue }
      recordPreviousTargets(of: update.model, update.dirty, links(of: entity))
    }
    for run in deleted {
      let links = links(of: run.entity)
      if links.isEmpty { continue }
      for model in plan.deletes[run.positions] {
        // In the store, a model with a pending change still refers to its previous target.
        let dirty = model._$withState { $0.changes?.dirty } ?? 0
        for link in links {
          if let previous = previous(of: model, dirty, link) {
            link.record(previous)
          } else {
            link.record(targetOf: model)
          }
        }
      }
    }
    for link in links.values.flatMap({ $0 }) { try record(link) }
  }

  private func recordPreviousTargets(of model: any PersistentModel, _ dirty: UInt64, _ links: [Link]) {
    for link in links {
      if let previous = previous(of: model, dirty, link), !link.refers(model, to: previous) { link.record(previous) }
    }
  }

  /// The previous target of a to-one, if it was changed.
  private func previous(of model: any PersistentModel, _ dirty: UInt64, _ link: Link) -> _ToOneContent? {
    if dirty & link.bit == 0 { return nil }
    return model._$withState({ $0.changes })?.previousTarget(link.property.index)
  }

  /// Records added and removed members whose own side of the relationship does not show the change, because it was read
  /// before another context saved the membership.
  private func recordMembers(of plan: SavePlan) throws {
    var keys: [Int: [Int: [Int64]]] = [:]
    for membership in plan.memberships {
      guard let inverse = membership.property.inverse(for: membership.owner)?.toMany else { continue }
      for member in membership.change.added + membership.change.removed {
        let (key, entity, isUnreported) = member._$withState {
          ($0.key, $0.withBinding { $0.ordinal }, $0.status == .persistent && !$0.isPending(inverse.index))
        }
        if let entity, isUnreported { keys[entity, default: [:]][inverse.index, default: []].append(key) }
      }
    }
    for (entity, properties) in keys {
      for (property, keys) in properties {
        try record(keys, of: store.layout.layout(at: entity), property, areSure: isContextAware)
      }
    }
  }

  /// The to-ones of an entity that have an inverse.
  private func links(of entity: Int) -> [Link] {
    if let lastLinks, lastLinks.entity == entity { return lastLinks.links }
    let links = self.links[entity] ?? makeLinks(store.layout.layout(at: entity))
    self.links[entity] = links
    lastLinks = (entity, links)
    return links
  }

  private func makeLinks(_ layout: EntityLayout) -> [Link] {
    layout.runtime.toOnes.compactMap { property in
      guard let inverse = layout.runtime.inverse(of: property),
        let destination = layout.properties[property.index].destination.flatMap(store.layout.layout(named:))
      else { return nil }
      return Link(property, inverse: inverse.index, destination: destination.ordinal)
    }
  }

  /// Records the rows that lose a member.
  private func record(_ link: Link) throws {
    let layout = store.layout.layout(at: link.destination)
    let areSure = isContextAware && (layout.family.count == 1 || layout.typeColumn == nil)
    try record(link.keys, of: layout, link.inverse, areSure: areSure)
    try record(link.unresolvedKeys, of: layout, link.inverse, areSure: false)
  }

  /// Records that a property of rows changes.
  ///
  /// - Parameter areSure: Whether the rows exist and are of exactly this entity. Otherwise it may be a superentity, and the
  ///   rows may be gone.
  private func record(_ keys: [Int64], of layout: EntityLayout, _ property: Int, areSure: Bool) throws {
    if keys.isEmpty { return }
    if areSure {
      for key in keys { changed[RowKey(key: key, entity: layout.ordinal), default: .init()].insert(property) }
      return
    }
    let type = layout.family.count > 1 ? layout.typeColumn : nil
    let ordinals = Dictionary(layout.family.map { ($0.entity.name, $0.ordinal) }) { first, _ in first }
    let areRows = SQLExpression.isIn(.column(LayoutNames.primaryKey), Set(keys).sorted().map { .integer($0) })
    let columns = [LayoutNames.primaryKey] + (type.map { [$0] } ?? [])
    let select = Select(columns: columns, from: layout.table, condition: areRows)
    try connection.forEachRow(store.database.dialect.render(select)) { row in
      guard let entity = type == nil ? layout.ordinal : ordinals[row.text(1)] else { return }
      changed[RowKey(key: row.integer(0), entity: entity), default: .init()].insert(property)
    }
  }

  // MARK: Tombstones

  /// Preserves the values of properties with `.preserveValueOnDeletion`.
  private func preserve(_ keys: [Int64], _ layout: EntityLayout, _ projection: Projection) throws {
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
