/// The unsaved changes of a context: inserted, deleted and changed models.
///
/// It is the only record of them: rollbacks, plans of saves and change notifications derive from it. Code that changes the
/// graph records the change here at once: `Mutation` for the properties of persistent models, `ObjectGraph.register` for
/// insertions, and `ObjectGraph.delete` for deletions.
///
/// A model is in at most one of the lists, except for one that was changed and then deleted. Committed values are with the
/// models, in their `ObjectChanges`. An inserted or deleted model has no entry other than its position in a list.
struct Journal: ~Copyable {
  /// Pending models, in the order of their insertion.
  private(set) var inserted = ModelList<StatePosition>()
  /// Models with a pending deletion, in the order of the deletions.
  private(set) var deleted = ModelList<StatePosition>()
  /// Persistent models with entries for their properties, in the order of their first change.
  private(set) var changed = ModelList<ChangesPosition>()
  /// Rows with a pending deletion and without a model. Checked for each row that is read.
  private(set) var deletedRows = DeletedRows()
  /// Batch deletions, for stores that can execute them.
  private(set) var batchDeletions: [BatchDeletion] = []
  /// Models that are deleted only by a cascade, whether or not they were ever saved.
  private var cascaded: Set<ObjectIdentifier> = []
  /// The unsaved dangling references: to-ones set to models whose rows other contexts deleted, by target.
  private var danglingLinks: [ObjectIdentifier: DanglingLinks] = [:]
  /// Deleted models that other contexts changed, and models inserted again after other contexts deleted them.
  private var conflicting: Set<ObjectIdentifier> = []
  /// Whether a pending model was deleted before its first save.
  private(set) var hasDismissed = false
  /// Whether another context saved since the first deletion; its changes may refer to deleted models.
  private(set) var hasMergedSinceDeletion = false
  /// The summaries that a save or a rollback resets.
  private var summaries: [UnsavedSummary] = []
  /// The observer of the context's changes.
  var observer: (any ChangeObserver)?

  struct DanglingLink {
    // Weak, so that the journal does not extend the lifetime of models.
    weak var source: (any PersistentModel)?
    let property: any RelationshipProperty
  }

  private struct DanglingLinks {
    var links: [DanglingLink] = []
    var known: Set<[ObjectIdentifier]> = []
  }

  var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && deletedRows.isEmpty && changed.isEmpty }

  var count: Int { inserted.count + deleted.count + deletedRows.count + changed.count }

  /// Whether all changes are insertions, so that registered models have the store's values.
  var isFreeOfSaved: Bool { changed.isEmpty && deleted.isEmpty }

  /// The changed persistent models without a pending deletion.
  var changedModels: [any PersistentModel] {
    changed.models.filter { $0._$withState { $0.status == .persistent && $0.changes != nil } }
  }

  /// Whether there is an index of inserted models.
  var isIndexed: Bool { summaries.contains { $0.inserted != nil } }

  // MARK: Entries

  mutating func recordInsertion(of model: any PersistentModel) {
    model._$withState { $0.status = .pending }
    inserted.append(model)
    summary(of: model)?.hasInserted = true
    notifyObserver(ofMember: model)
  }

  /// Records that a to-one with an unsaved value is a dangling reference: another context deleted its target.
  mutating func recordLink(
    from source: any PersistentModel, by property: any RelationshipProperty, toDeleted target: any PersistentModel
  ) {
    let link = [ObjectIdentifier(source), ObjectIdentifier(property)]
    guard danglingLinks[ObjectIdentifier(target), default: DanglingLinks()].known.insert(link).inserted else { return }
    danglingLinks[ObjectIdentifier(target)]?.links.append(DanglingLink(source: source, property: property))
  }

  /// - Returns: The recorded dangling references to a model that is inserted again.
  mutating func takeLinks(toDeleted target: any PersistentModel) -> [DanglingLink] {
    danglingLinks.isEmpty ? [] : danglingLinks.removeValue(forKey: ObjectIdentifier(target))?.links ?? []
  }

  mutating func recordDeletion(of model: any PersistentModel) {
    model._$withState { $0.status = .deleted }
    deleted.append(model)
    summary(of: model)?.hasDeleted = true
    notifyObserver(ofMember: model, isDeleted: true)
  }

  mutating func recordDeletion(of row: RowKey, of map: IdentityMap) {
    deletedRows.insert(row, of: map)
    add(map.unsaved)
    map.unsaved.hasDeleted = true
    observer?.recordRow(row)
  }

  /// Records a batch deletion whose rows are recorded already.
  mutating func recordBatchDeletion(_ deletion: BatchDeletion) {
    batchDeletions.append(deletion)
  }

  /// Records that a model was deleted by a cascade.
  mutating func recordCascade(to model: any PersistentModel) {
    cascaded.insert(ObjectIdentifier(model))
  }

  /// Whether a model was deleted by a cascade.
  func isCascaded(_ model: any PersistentModel) -> Bool {
    cascaded.contains(ObjectIdentifier(model))
  }

  /// Removes the mark of a cascade: the model is deleted by itself, or not deleted.
  mutating func removeCascade(of model: any PersistentModel) {
    if !cascaded.isEmpty { cascaded.remove(ObjectIdentifier(model)) }
  }

  /// Records the first change of a model's properties.
  mutating func recordChanges(_ changes: ObjectChanges, of model: any PersistentModel) {
    model._$withState { $0.changes = changes }
    recordChanged(model)
  }

  /// Records a model that has `ObjectChanges` already.
  mutating func recordChanged(_ model: any PersistentModel) {
    changed.append(model)
    let dirty = model._$withState { $0.dirty }
    summary(of: model)?.changedProperties |= dirty
  }

  /// Records that another context saved.
  mutating func recordMerge() {
    if !deleted.isEmpty || !deletedRows.isEmpty { hasMergedSinceDeletion = true }
    // The predicates may match other rows by now.
    batchDeletions.removeAll()
  }

  /// Records that another context has changed a model that is deleted here, or deleted one that is changed here.
  mutating func recordConflict(_ model: any PersistentModel) {
    conflicting.insert(ObjectIdentifier(model))
  }

  func hasConflict(_ model: any PersistentModel) -> Bool {
    !conflicting.isEmpty && conflicting.contains(ObjectIdentifier(model))
  }

  mutating func resolveConflict(_ model: any PersistentModel) {
    if !conflicting.isEmpty { conflicting.remove(ObjectIdentifier(model)) }
  }

  // MARK: Cancelling

  /// Removes a model that was deleted before its first save.
  mutating func cancelInsertion(of model: any PersistentModel) {
    closeInsertion(of: model)
    notifyObserver(ofMember: model, isDeleted: true)
    hasDismissed = true
  }

  mutating func cancelDeletion(of model: any PersistentModel) {
    resolveConflict(model)
    deleted.remove(model)
    model._$withState { $0.status = .persistent }
    notifyObserver(ofMember: model)
  }

  /// - Returns: Whether the row had a pending deletion.
  @discardableResult
  mutating func cancelDeletion(ofRow key: Int64, of map: IdentityMap) -> Bool {
    guard deletedRows.remove(key, of: map) else { return false }
    observer?.recordAnyChange()
    return true
  }

  /// Removes and returns all changed models for a rollback. The caller reverts their changes.
  mutating func takeChanged() -> [any PersistentModel] {
    if !changed.isEmpty { observer?.recordAnyChange() }
    return changed.removeAll()
  }

  mutating func takeInserted() -> [any PersistentModel] {
    if !inserted.isEmpty { observer?.recordAnyChange() }
    return inserted.removeAll()
  }

  mutating func takeDeleted() -> [any PersistentModel] {
    if !deleted.isEmpty { observer?.recordAnyChange() }
    return deleted.removeAll()
  }

  // MARK: Ending

  /// Removes the entries for a persistent model: they were saved, or its row is gone.
  mutating func close(_ model: any PersistentModel) {
    resolveConflict(model)
    deleted.remove(model)
    closeChanges(of: model)
    notifyObserver(ofMember: model)
  }

  /// Removes the entries for an inserted model.
  mutating func closeInsertion(of model: any PersistentModel) {
    resolveConflict(model)
    inserted.remove(model)
  }

  /// Removes the entries for a persistent model's properties.
  mutating func closeChanges(of model: any PersistentModel) {
    guard model._$withState({ $0.changesReference != nil }) else { return }
    changed.remove(model)
    model._$withState { $0.changes = nil }
  }

  /// Resets the state of deletions if none are left: with several stores, another one may still have some to write.
  mutating func closeDeletions() {
    if deleted.isEmpty, deletedRows.isEmpty { hasMergedSinceDeletion = false }
  }

  /// Removes the batch deletions of a store that has executed them, or is not to execute them.
  mutating func closeBatchDeletions(bySession index: Int) {
    if !batchDeletions.isEmpty { batchDeletions.removeAll { $0.session == index } }
  }

  /// Resets the rest when a save has written everything.
  mutating func closeSave() {
    hasDismissed = false
    if !danglingLinks.isEmpty { danglingLinks.removeAll() }
    if !conflicting.isEmpty { conflicting.removeAll() }
    if !cascaded.isEmpty { cascaded.removeAll() }
    if !batchDeletions.isEmpty { batchDeletions.removeAll() }
    guard isEmpty else { return }
    for summary in summaries { summary.reset() }
    summaries.removeAll(keepingCapacity: true)
  }

  /// The summary of a model's entity tree, which the caller updates.
  private mutating func summary(of model: any PersistentModel) -> UnsavedSummary? {
    guard let summary = model._$withState({ $0.withBinding { $0.map.unsaved } }) else { return nil }
    add(summary)
    return summary
  }

  private mutating func add(_ summary: UnsavedSummary) {
    if summary.isListed { return }
    summary.isListed = true
    summaries.append(summary)
  }

  /// Resets the rest when no change is pending any more.
  mutating func closeAll() {
    if !deletedRows.isEmpty { observer?.recordAnyChange() }
    deletedRows.removeAll()
    closeDeletions()
    closeSave()
  }

  private func notifyObserver(ofMember model: any PersistentModel, isDeleted: Bool = false) {
    guard let observer, let entity = model._$withState({ $0.withBinding { $0.ordinal } }) else { return }
    observer.recordMember(model, entity: entity, isDeleted: isDeleted)
  }
}
