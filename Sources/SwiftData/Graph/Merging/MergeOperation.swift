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

  /// To-ones whose refreshed row has another target than before; the to-manys at both ends are invalidated already.
  private var retargeted: Set<LinkKey> = []
  /// To-many relationships in which some owner may have lost a member: which owner is unknown, because the member's previous
  /// target is. They are invalidated for all owners.
  private var toManysOfUnknownOwners: Set<ObjectIdentifier> = []
  /// Models whose rows other contexts have deleted, and that the next save inserts again.
  private var modelsToReinsert: [any PersistentModel] = []
  private var targetsToRestore: [DeletedLink] = []

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
    var entitiesOfEvicted = Set<Int>()
    for (ordinal, changes) in entities {
      let map = graph.bindingsByOrdinal[ordinal].map
      // In a fixed order: an evicted model drops its references to models that were evicted before it.
      for key in changes.deleted.filter({ map.model($0) != nil }).sorted() {
        guard let model = map.model(key) else { continue }
        evictDeleted(model)
        entitiesOfEvicted.insert(ordinal)
      }
      if graph.journal.deletedRows.isEmpty { continue }
      for key in changes.deleted { graph.journal.cancelDeletion(ofRow: key, of: map) }
    }
    let entitiesWithChangedLinks = Set(
      entities.filter { mayChangeLinks($0.value, graph.bindingsByOrdinal[$0.key]) }.map(\.key))
    let lists = invalidateChangedToManys(changes, entitiesWithChangedLinks)
    // Before any call that can fail: the retry finds no registered models for these deletions, because they are evicted by
    // then. The notification lists only the references that the deleting context unlinked, so all relationships to these
    // entities are searched.
    graph.removeDetachedTargets(of: entitiesOfEvicted, includingMutual: true)
    graph.journal.recordMerge()
    do {
      try refreshValues(entities)
      graph.invalidateToOnes(among: entitiesWithChangedLinks)
      try extend(lists)
    } catch {
      // Rows that were refreshed before the failure report a changed target only once, so the retry would not know these
      // to-manys. All are invalidated now.
      graph.invalidateToManys(of: entitiesWithChangedLinks)
      throw error
    }
    try PendingMerge(graph: graph).run(entitiesWithChangedLinks)
  }

  /// Refreshes models whose rows have other values, or may have.
  private func refreshValues(_ entities: [(key: Int, value: ChangeInbox.EntityChanges)]) throws {
    for (ordinal, changes) in entities {
      let binding = graph.bindingsByOrdinal[ordinal]
      // A change of to-manys does not change the owner's row, so it needs no refresh.
      if changes.hasUnlistedKeys {
        try refreshAll(of: binding)
        graph.removeDetachedTargets(of: [ordinal], includingMutual: true)
      } else if changes.properties & ~binding.toManyBits != 0 {
        let keys = changes.updated.filter { binding.map.model($0) != nil }
        if keys.isEmpty { continue }
        try graph.refresh(keys.sorted(), binding)
        recordUnknownPreviousTargets(changes, binding)
      }
    }
  }

  /// Invalidates to-manys whose members may have changed in the store.
  ///
  /// - Returns: The to-manys that have only gained rows, and are not invalidated.
  private func invalidateChangedToManys(
    _ changes: ChangeInbox.Changes, _ entitiesWithChangedLinks: Set<Int>
  ) -> [GrownList] {
    graph.invalidateReadAhead(among: entitiesWithChangedLinks)
    guard let lists = changes.lists else {
      graph.invalidateToManys(of: entitiesWithChangedLinks)
      return []
    }
    graph.invalidateToManys(of: entitiesWithChangedLinks.filter { changes.entities[$0]?.hasUnlistedKeys == true })
    return invalidateChangedToManys(Array(lists.values))
  }

  /// Whether the changes may have linked or unlinked models of the entity.
  private func mayChangeLinks(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) -> Bool {
    changes.hasInsertionsOrDeletions || changes.hasUnlistedKeys
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

  /// Evicts a model whose row another context has deleted. The next save may insert it again.
  private func evictDeleted(_ model: any PersistentModel) {
    if isToBeReinserted(model) {
      modelsToReinsert.append(model)
      targetsToRestore += deletedLinks(of: model)
    }
    graph.evict(model)
  }

  /// Whether the next save inserts a model again whose row another context deleted. The merge policy must ask for it, all
  /// attributes must be loaded, and an attribute or to-one must be changed, or a to-many must have new members.
  private func isToBeReinserted(_ model: any PersistentModel) -> Bool {
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
      Log.store.error(
        """
        \(model.anyIdentifier) was deleted by another context, and its unsaved changes are discarded: not all of its values \
        had been read.
        """)
    }
    return isRead
  }

  /// Registers evicted models as pending, so that the next save inserts them again.
  func reinsertDeleted() {
    for model in modelsToReinsert where model._$withState({ $0.status == .detached && !$0.isUnreadable }) {
      // A related model that was deleted in the same save and never read here has no values, so it cannot be inserted.
      for property in ModelRuntime.of(model).relationships {
        property.drop(from: model) { $0._$withState { $0.isUnreadable } }
      }
      graph.register(model)
      if graph.mergePolicy == .throwOnConflict { graph.journal.recordConflict(model) }
    }
    for link in targetsToRestore where graph.isResolved(link.source) && graph.isResolved(link.target) {
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
  private func invalidateChangedToManys(_ changes: [ListChange]) -> [GrownList] {
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
  func recordRetargeting(of property: any RelationshipProperty, _ model: any PersistentModel) {
    retargeted.insert(LinkKey(model, property))
  }

  /// Records the to-ones that other contexts have set, and whose previous targets are not known: their rows were not read
  /// before, or were read between the commit and its notification.
  private func recordUnknownPreviousTargets(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) {
    for key in changes.relinked {
      guard let model = binding.map.model(key), let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding.toOnes where changes.relinkedProperties & rule.bit != 0 {
        guard let inverse = rule.inverse?.toMany, !retargeted.contains(LinkKey(model, rule.property)) else { continue }
        toManysOfUnknownOwners.insert(ObjectIdentifier(inverse))
      }
    }
  }

  /// Appends the models of new rows to to-manys.
  ///
  /// - Throws: Why rows of new members could not be read. All of the to-manys are invalidated then.
  private func extend(_ lists: [GrownList]) throws {
    if !toManysOfUnknownOwners.isEmpty { invalidateToManysOfUnknownOwners() }
    do {
      for list in lists where list.property.isAsStored(list.owner) { try extend(list) }
    } catch {
      for list in lists { list.property.invalidate(list.owner) }
      throw error
    }
  }

  private func invalidateToManysOfUnknownOwners() {
    for binding in graph.bindingsByOrdinal {
      let rules = binding.toManys.filter { toManysOfUnknownOwners.contains(ObjectIdentifier($0.property)) }
      if rules.isEmpty { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { rule.invalidate(model) }
      }
    }
  }

  /// Appends the models of new rows to a to-many. If one of them was in memory, or two contexts have added it, the to-many is
  /// invalidated instead: the to-many may contain the model already.
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
      // A later commit may have given the member another owner.
      if let inverse, inverse.unreadKey(of: model) != owner { continue }
      list.property.append(model, to: list.owner)
    }
  }
}
