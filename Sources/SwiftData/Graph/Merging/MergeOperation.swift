/// Merges into a context what other contexts have saved: registered models get the new values, models whose rows were
/// deleted are evicted, and pending changes stay.
///
/// A to-many in memory whose members have changed in the store is invalidated: the next access reads it again. A to-many
/// that has only gained new rows at its end gets their models appended, so that a long list is not read again.
final class MergeOperation {
  let graph: ObjectGraph

  private struct LinkKey: Hashable {
    let model: ObjectIdentifier
    let property: ObjectIdentifier

    init(_ model: any PersistentModel, _ property: any RelationshipProperty) {
      self.model = ObjectIdentifier(model)
      self.property = ObjectIdentifier(property)
    }
  }

  /// To-ones whose rows were read with another target than before.
  private var departed: Set<LinkKey> = []
  /// To-manys that lose an unknown member, because the previous target of its to-one is not known.
  private var untraced: Set<ObjectIdentifier> = []
  /// Models whose rows other contexts have deleted, and that the next save inserts again.
  private var kept: [any PersistentModel] = []
  private var keptLinks: [DeletedLink] = []

  /// A to-many in memory that has gained rows.
  private struct GrownList {
    let owner: any PersistentModel
    let property: any ToManyRelationship
    let added: [RowKey]
  }

  init(graph: ObjectGraph) {
    self.graph = graph
  }

  /// - Throws: Why the rows could not be read.
  func run(_ changes: ChangeInbox.Changes) throws {
    let entities = changes.entities.sorted { $0.key < $1.key }
    for (ordinal, changes) in entities { graph.changeObserver?.recordRows(changes, ofEntity: ordinal) }
    var forgotten = Set<Int>()
    for (ordinal, changes) in entities {
      let map = graph.bindingsByOrdinal[ordinal].map
      // In a fixed order: an evicted model drops its references to models that were evicted before it.
      for key in changes.deleted.filter({ map.model($0) != nil }).sorted() {
        guard let model = map.model(key) else { continue }
        evictDeleted(model)
        forgotten.insert(ordinal)
      }
      if graph.journal.deletedRows.isEmpty { continue }
      for key in changes.deleted { graph.journal.cancelDeletion(ofRow: key, of: map) }
    }
    let linking = Set(entities.filter { mayLink($0.value, graph.bindingsByOrdinal[$0.key]) }.map(\.key))
    let lists = releaseLists(changes, linking)
    // Before any call that can fail, because the next merge does not have these deletions. The context that deleted the
    // rows has reported the changes in the references that it knew.
    graph.releaseLinks(to: forgotten, includingMutual: true)
    graph.journal.recordMerge()
    do {
      try refreshValues(entities)
      graph.releaseTargets(among: linking)
      try extend(lists)
    } catch {
      // Changes of lists that a row already reported are not reported by a second read.
      graph.releaseMembers(of: linking)
      throw error
    }
    try PendingMerge(graph: graph).run(linking)
  }

  /// Refreshes models whose rows have other values, or may have.
  private func refreshValues(_ entities: [(key: Int, value: ChangeInbox.EntityChanges)]) throws {
    for (ordinal, changes) in entities {
      let binding = graph.bindingsByOrdinal[ordinal]
      if changes.isBeyondCount {
        try refreshAll(of: binding)
        graph.releaseLinks(to: [ordinal], includingMutual: true)
      } else if changes.properties & ~binding.toManyBits != 0 {
        // The row of an owner does not have the members of its to-many.
        let keys = changes.updated.filter { binding.map.model($0) != nil }
        if keys.isEmpty { continue }
        try graph.refresh(keys.sorted(), binding)
        recordUntraced(changes, binding)
      }
    }
  }

  /// Invalidates to-manys whose members may have changed in the store.
  ///
  /// - Returns: The to-manys that have only gained rows, and are not invalidated.
  private func releaseLists(_ changes: ChangeInbox.Changes, _ linking: Set<Int>) -> [GrownList] {
    graph.invalidateReadAhead(among: linking)
    guard let lists = changes.lists else {
      graph.releaseMembers(of: linking)
      return []
    }
    graph.releaseMembers(of: linking.filter { changes.entities[$0]?.isBeyondCount == true })
    return releaseLists(Array(lists.values))
  }

  /// Whether the changes can concern references to models of an entity.
  private func mayLink(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) -> Bool {
    changes.hasOtherRows || changes.isBeyondCount
      || binding.relationshipRules.contains { changes.properties & $0.bit != 0 }
  }

  /// Refreshes all registered models of an entity, and evicts those without a row.
  private func refreshAll(of binding: EntityBinding) throws {
    let models = binding.map.models.filter { $0._$withState { $0.isOf(binding) } }
    let waiting = graph.journal.deletedRows.keys { $0 == binding.ordinal }.flatMap(\.keys)
    let keys = (models.map { $0._$withState { $0.key } } + waiting).sorted()
    if keys.isEmpty { return }
    var found = Set<Int64>(minimumCapacity: keys.count)
    try graph.refreshRows(keys, binding) { found.insert($0) }
    for key in waiting where !found.contains(key) { graph.journal.cancelDeletion(ofRow: key, of: binding.map) }
    for model in models where !found.contains(model._$withState { $0.key }) && model._$withState({ $0.isOf(binding) }) {
      evictDeleted(model)
    }
  }

  // MARK: Deleted models

  /// Evicts a model whose row another context has deleted. It may be saved again.
  private func evictDeleted(_ model: any PersistentModel) {
    if outlastsDeletion(model) {
      kept.append(model)
      keptLinks += deletedLinks(of: model)
    }
    graph.forget(model)
  }

  /// Whether the next save inserts a model again whose row was deleted: its values are in memory, and a property of its own
  /// has an unsaved change.
  private func outlastsDeletion(_ model: any PersistentModel) -> Bool {
    guard graph.mergePolicy == .contextWins || graph.mergePolicy == .throwOnConflict,
      model._$withState({ $0.status == .persistent }),
      let changes = model._$withState({ $0.changes })
    else { return false }
    let isChanged = changes.entries.contains { entry in
      if case .members(_, let members) = entry { !members.linked.isEmpty } else { true }
    }
    guard isChanged else { return false }
    let isRead = ModelRuntime.of(model).properties.allSatisfy { $0.relationship != nil || $0.isLoaded(model) }
    if !isRead {
      Log.store.error("\(model.anyIdentifier) was deleted by another context, and cannot be saved: it was not read.")
    }
    return isRead
  }

  /// Registers the models that the next save inserts again as inserted.
  func keepDeleted() {
    for model in kept where model._$withState({ $0.status == .detached && !$0.isUnreadable }) {
      // A model that was deleted along with it, and that this context has never read, has no values to save.
      for property in ModelRuntime.of(model).relationships {
        property.drop(from: model) { $0._$withState { $0.isUnreadable } }
      }
      graph.register(model)
      if graph.mergePolicy == .throwOnConflict { graph.journal.recordConflict(model) }
    }
    for link in keptLinks where graph.isResolved(link.source) && graph.isResolved(link.target) {
      if link.property.loadedTarget(of: link.source) == nil { link.property.assign(link.target, to: link.source) }
    }
  }

  /// A to-one of a model whose row was deleted.
  private struct DeletedLink {
    let source: any PersistentModel
    let property: any ToOneRelationship
    let target: any PersistentModel
  }

  private func deletedLinks(of model: any PersistentModel) -> [DeletedLink] {
    ModelRuntime.of(model).toOnes.compactMap { property in
      graph.knownTarget(of: model, property).map { DeletedLink(source: model, property: property, target: $0) }
    }
  }

  // MARK: Lists

  /// Invalidates to-manys in memory that have changed in the store.
  ///
  /// - Returns: The to-manys that have only gained rows, and are not invalidated.
  private func releaseLists(_ changes: [ListChange]) -> [GrownList] {
    changes.compactMap { change in
      guard let owner = graph.bindingsByOrdinal[change.owner.entity].map.model(change.owner.key) else { return nil }
      let properties = ModelRuntime.of(owner).properties
      guard properties.indices.contains(change.property), let property = properties[change.property].toMany,
        property.isAsStored(owner)
      else { return nil }
      if let added = change.added { return GrownList(owner: owner, property: property, added: added) }
      property.invalidate(owner)
      return nil
    }
  }

  /// Records that a row was read with another target of a to-one than before.
  func recordDeparture(of property: any RelationshipProperty, _ model: any PersistentModel) {
    departed.insert(LinkKey(model, property))
  }

  /// Records the to-ones that other contexts have set, and whose previous targets are not known: their rows were not read
  /// before, or were read between the commit and its notification.
  private func recordUntraced(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) {
    for key in changes.relinked {
      guard let model = binding.map.model(key), let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding.toOnes where changes.relinkedProperties & rule.bit != 0 {
        guard let inverse = rule.inverse?.toMany, !departed.contains(LinkKey(model, rule.property)) else { continue }
        untraced.insert(ObjectIdentifier(inverse))
      }
    }
  }

  /// Appends the models of new rows to to-manys.
  ///
  /// - Throws: Why rows of new members could not be read. All of the to-manys are invalidated then.
  private func extend(_ lists: [GrownList]) throws {
    if !untraced.isEmpty { releaseUntraced() }
    do {
      for list in lists where list.property.isAsStored(list.owner) { try extend(list) }
    } catch {
      for list in lists { list.property.invalidate(list.owner) }
      throw error
    }
  }

  private func releaseUntraced() {
    for binding in graph.bindingsByOrdinal {
      let rules = binding.toManys.filter { untraced.contains(ObjectIdentifier($0.property)) }
      if rules.isEmpty { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { rule.invalidate(model) }
      }
    }
  }

  /// Appends the models of new rows to a to-many. If one of them was in memory, or two contexts have added it, the to-many is
  /// invalidated instead: it may have had the model before.
  private func extend(_ list: GrownList) throws {
    guard let destination = graph.binding(for: list.property.destinationType) else { return }
    let isKnown = list.added.contains { graph.bindingsByOrdinal[$0.entity].map.model($0.key) != nil }
    if isKnown || Set(list.added).count < list.added.count { return list.property.invalidate(list.owner) }
    var models: [Int64: any PersistentModel] = [:]
    let group = FetchGroup(map: destination.map)
    try destination.session.rows(of: destination.rootEntity, keys: list.added.map(\.key).sorted()) { row, reader in
      models[row.key] = graph.receive(row, reader, group)
    }
    let (inverse, owner) = (list.property.inverse(for: list.owner)?.toOne, list.owner._$withState { $0.key })
    for row in list.added {
      guard let model = models[row.key] else { continue }
      // Its to-one may have another target since.
      if let inverse, inverse.unreadKey(of: model) != owner { continue }
      list.property.append(model, to: list.owner)
    }
  }
}
