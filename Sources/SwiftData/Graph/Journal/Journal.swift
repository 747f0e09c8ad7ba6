/// What a context has changed since its last save: which models are new, which go, and which have other values.
///
/// It is the only record of that: rollbacks, plans of saves and notices to other contexts are made from it. Code that
/// changes the graph notes the change here at once: `Mutation` the properties of saved models, `ObjectGraph.register`
/// insertions, and `ObjectGraph.delete` deletions.
///
/// Each model is in one of the lists at most, apart from one that was changed and then deleted. The values from before
/// a change are with the models, in their `ObjectChanges`. A model that is new or goes has no entry other than its
/// place in a list.
struct Journal: ~Copyable {
  /// Models that are not in the store, in the order of their insertion.
  private(set) var inserted = ModelList<StatePosition>()
  /// Models whose rows go with the next save, in the order of their deletion.
  private(set) var deleted = ModelList<StatePosition>()
  /// Saved models with entries about their properties, in the order of their first change.
  private(set) var changed = ModelList<ChangesPosition>()
  /// Rows that go with the next save and that no model stands for. Asked for each row that is read.
  private(set) var deletedRows = DeletedRows()
  /// Deletions of what a predicate selects, for stores that can carry them out.
  private(set) var batchDeletions: [BatchDeletion] = []
  /// Models that are deleted only because a model that leads to them was, whether or not they were ever saved.
  private var followers: Set<ObjectIdentifier> = []
  /// The to-ones with unsaved values that lead to models which others deleted, by the models that they lead to.
  private var danglingLinks: [ObjectIdentifier: DanglingLinks] = [:]
  /// Models that are deleted and were changed by others, or inserted because others have deleted them.
  private var conflicting: Set<ObjectIdentifier> = []
  /// Whether something was deleted that was not saved yet.
  private(set) var hasDismissed = false
  /// Whether others saved something since the first deletion, which may lead to what is deleted.
  private(set) var hasMergedBesideDeletions = false
  /// The summaries that a save or a rollback resets.
  private var summaries: [UnsavedSummary] = []
  /// What follows the changes of the context.
  var observer: (any ChangeObserver)?

  struct DanglingLink {
    // Nothing here keeps a model that nobody else does.
    weak var source: (any PersistentModel)?
    let property: any RelationshipProperty
  }

  private struct DanglingLinks {
    var links: [DanglingLink] = []
    var known: Set<[ObjectIdentifier]> = []
  }

  var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && deletedRows.isEmpty && changed.isEmpty }

  var count: Int { inserted.count + deleted.count + deletedRows.count + changed.count }

  /// Whether there are only insertions, so that the store has what is registered.
  var isFreeOfSaved: Bool { changed.isEmpty && deleted.isEmpty }

  /// The saved models with other values that stay.
  var changedModels: [any PersistentModel] {
    changed.models.filter { $0._$withState { $0.status == .persistent && $0.changes != nil } }
  }

  /// Whether inserted models are found by an index.
  var isIndexed: Bool { summaries.contains { $0.inserted != nil } }

  // MARK: Entries

  mutating func recordInsertion(of model: any PersistentModel) {
    model._$withState { $0.status = .pending }
    inserted.append(model)
    summary(of: model)?.hasInserted = true
    notifyObserver(ofMember: model)
  }

  /// Notes that a to-one with an unsaved value leads to a model that others deleted.
  mutating func recordLink(
    from source: any PersistentModel, by property: any RelationshipProperty, toDeleted target: any PersistentModel
  ) {
    let place = [ObjectIdentifier(source), ObjectIdentifier(property)]
    guard danglingLinks[ObjectIdentifier(target), default: DanglingLinks()].known.insert(place).inserted else { return }
    danglingLinks[ObjectIdentifier(target)]?.links.append(DanglingLink(source: source, property: property))
  }

  /// - Returns: The to-ones that lead to a model which is inserted again, as far as it was noted.
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

  /// Notes a deletion that was noted row by row as a whole.
  mutating func recordBatchDeletion(_ deletion: BatchDeletion) {
    batchDeletions.append(deletion)
  }

  /// Notes that a model was deleted because of another one.
  mutating func recordFollower(_ model: any PersistentModel) {
    followers.insert(ObjectIdentifier(model))
  }

  /// Whether a model is deleted because of another one.
  func follows(_ model: any PersistentModel) -> Bool {
    followers.contains(ObjectIdentifier(model))
  }

  /// Notes that a model is deleted, or not, by itself.
  mutating func recordIndependence(of model: any PersistentModel) {
    if !followers.isEmpty { followers.remove(ObjectIdentifier(model)) }
  }

  /// Notes the first change of a model's properties.
  mutating func recordChanges(_ changes: ObjectChanges, of model: any PersistentModel) {
    model._$withState { $0.changes = changes }
    recordChanged(model)
  }

  /// Notes a model that has its changes already.
  mutating func recordChanged(_ model: any PersistentModel) {
    changed.append(model)
    let dirty = model._$withState { $0.dirty }
    summary(of: model)?.changedProperties |= dirty
  }

  /// Notes that others saved something.
  mutating func recordMerge() {
    if !deleted.isEmpty || !deletedRows.isEmpty { hasMergedBesideDeletions = true }
    // What the predicates select may be something else by now.
    batchDeletions.removeAll()
  }

  /// Notes that others have changed a model which is deleted, or deleted one which is changed.
  mutating func recordConflict(_ model: any PersistentModel) {
    conflicting.insert(ObjectIdentifier(model))
  }

  func hasConflict(_ model: any PersistentModel) -> Bool {
    !conflicting.isEmpty && conflicting.contains(ObjectIdentifier(model))
  }

  mutating func resolveConflict(_ model: any PersistentModel) {
    if !conflicting.isEmpty { conflicting.remove(ObjectIdentifier(model)) }
  }

  // MARK: Taking back

  /// Takes out a model that was deleted before it was saved.
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

  /// - Returns: Whether the row was to be deleted.
  @discardableResult
  mutating func cancelDeletion(ofRow key: Int64, of map: IdentityMap) -> Bool {
    guard deletedRows.remove(key, of: map) else { return false }
    observer?.recordAnyChange()
    return true
  }

  /// Takes out all changed models for going back, and leaves their changes to the caller.
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

  /// Ends the entries about a saved model: they were saved, or its row is gone.
  mutating func close(_ model: any PersistentModel) {
    resolveConflict(model)
    deleted.remove(model)
    closeChanges(of: model)
    notifyObserver(ofMember: model)
  }

  /// The same for an inserted model.
  mutating func closeInsertion(of model: any PersistentModel) {
    resolveConflict(model)
    inserted.remove(model)
  }

  /// The same for what a saved model has in place of its row's values.
  mutating func closeChanges(of model: any PersistentModel) {
    guard model._$withState({ $0.changesReference != nil }) else { return }
    changed.remove(model)
    model._$withState { $0.changes = nil }
  }

  /// Ends what is known of deletions when there are none left: another store may still have to write some.
  mutating func closeDeletions() {
    if deleted.isEmpty, deletedRows.isEmpty { hasMergedBesideDeletions = false }
  }

  /// Ends the deletions by predicates that a store was asked for, or is not to be asked for.
  mutating func closeBatchDeletions(bySession index: Int) {
    if !batchDeletions.isEmpty { batchDeletions.removeAll { $0.session == index } }
  }

  /// Ends what is left when a save has written everything.
  mutating func closeSave() {
    hasDismissed = false
    if !danglingLinks.isEmpty { danglingLinks.removeAll() }
    if !conflicting.isEmpty { conflicting.removeAll() }
    if !followers.isEmpty { followers.removeAll() }
    if !batchDeletions.isEmpty { batchDeletions.removeAll() }
    guard isEmpty else { return }
    for summary in summaries { summary.reset() }
    summaries.removeAll(keepingCapacity: true)
  }

  /// The summary of a model's entity tree, which includes something from now on.
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

  /// Ends what is left when nothing is pending any more.
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
