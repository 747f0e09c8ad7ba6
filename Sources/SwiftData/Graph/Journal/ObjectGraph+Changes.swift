internal import CShims

extension ObjectGraph {
  /// Whether there are unsaved changes or unreported refusals.
  var hasChanges: Bool { hasPlan || !failures.refusals.isEmpty }

  /// Whether a save has changes to write.
  var hasPlan: Bool { !journal.isEmpty }

  /// The entries for a persistent model's properties, made at its first change; nil in the model's own `deinit`, where the
  /// journal cannot retain it any more.
  func changes(of model: any PersistentModel) -> ObjectChanges? {
    if let changes = model._$withState({ $0.changes }) { return changes }
    let object = Unmanaged<AnyObject>.passUnretained(model)
    guard swift_tryRetain(object.toOpaque()) != nil else { return nil }
    object.release()
    let changes = ObjectChanges()
    if lifetime.isOpen {
      journal.recordChanges(changes, of: model)
    } else {
      model._$withState { $0.changes = changes }
      lifetime.hasContextlessChanges = true
    }
    return changes
  }

  /// Whether an undo manager records changes.
  var recordsUndo: Bool { UndoRecorder.areThereAny && undoRecorder != nil }

  /// Runs `body` without recording its changes for the undo manager.
  func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard UndoRecorder.areThereAny, let undoRecorder else { return try body() }
    return try undoRecorder.suspended(body)
  }

  func rollback() {
    guard UndoRecorder.areThereAny, let undoRecorder else { return discardChanges() }
    undoRecorder.suspended(discardChanges)
    undoRecorder.removeAll(includingOthers: true)
  }

  func discardChanges() {
    saving.disturb()
    // Changes that an observer makes meanwhile are new changes.
    for model in journal.takeChanged() { revert(model) }
    let hasMerged = journal.hasMergedSinceDeletion
    for model in journal.takeDeleted() {
      model._$withState { $0.status = .persistent }
      // Its lists still have members that other contexts unlinked meanwhile.
      if hasMerged { invalidateToManys(of: model) }
    }
    for model in journal.takeInserted() { dismiss(model) }
    journal.closeAll()
    updateChangeReporting()
    failures.closeAll()
    closeAutosaveFailure()
    checkInvariants()
  }

  /// Makes an inserted model transient. Its links stay without an inverse, as after an initializer, except for links to
  /// models that became transient before.
  func dismiss(_ model: any PersistentModel) {
    model._$withState { state in
      state.status = .transient
      state.binding = nil
    }
    dropDeparted(from: model)
    for property in ModelRuntime.of(model).relationships { property.markOneSided(model) }
  }

  /// Reverts a model's properties to their committed values.
  private func revert(_ model: any PersistentModel) {
    guard let changes = model._$withState({ $0.changes }) else { return }
    let properties = ModelRuntime.of(model).properties
    let entries = changes.entries
    for entry in entries {
      let property = properties[entry.index]
      switch entry {
      case .attribute(_, let old): property.restore(old, to: model)
      case .target(_, let old):
        let key = (property.slot(of: model) as? _ToOneContent)?.rowKey
        property.restore(old, to: model)
        if let key, key != old.rowKey {
          invalidateChangedToManys(withMember: model, property, owners: [key, old.rowKey])
        }
      // The members are read again, because another context may have saved others.
      case .members: property.relationship?.unload(model)
      }
      property.recordChange(of: model)
    }
    var isUnread = false
    for entry in entries {
      let property = properties[entry.index]
      guard case .target = entry, let relationship = property.relationship else {
        // The attribute may have been set before its row was read.
        if case .attribute = entry, !property.isLoaded(model) { isUnread = true }
        continue
      }
      if storesKeyElsewhere(relationship, model) {
        relationship.unload(model)
      } else if let target = relationship.loadedTarget(of: model), !hasRow(target) {
        // Another context deleted the target, or the target moved to another context. The committed target is read again.
        relationship.unload(model)
        isUnread = true
      } else if !relationship.isLoaded(model) {
        isUnread = true
      }
    }
    model._$withState { state in
      state.changes = nil
      if isUnread { state.isFault = true }
    }
  }

  /// Whether a model of this context has a row.
  func hasRow(_ model: any PersistentModel) -> Bool {
    model._$withState { ($0.status == .persistent || $0.status == .deleted) && $0.belongs(to: self) }
  }

  /// Whether there are unsaved changes of the entity trees of some types. True when the types are unknown.
  func hasPending(_ types: [any PersistentModel.Type]?) -> Bool {
    guard let types else { return hasChanges }
    if types.isEmpty { return false }
    var visited: Set<ObjectIdentifier> = []
    for type in types {
      guard let map = binding(for: type)?.map else { return hasChanges }
      if !journal.deletedRows.rows(of: map).isEmpty { return true }
      if !map.unsaved.isEmpty { visited.insert(ObjectIdentifier(map)) }
    }
    if visited.isEmpty { return false }
    func isVisited(_ model: any PersistentModel) -> Bool {
      model._$withState { $0.binding.map { visited.contains(ObjectIdentifier($0.map)) } ?? true }
    }
    return journal.inserted.models.contains(where: isVisited) || journal.deleted.models.contains(where: isVisited)
      || journal.changedModels.contains(where: isVisited)
  }

  /// The keys of models with unsaved changes in the same entity tree.
  func pendingKeys(of binding: EntityBinding) -> Set<Int64> {
    guard !journal.isFreeOfSaved || !journal.deletedRows.isEmpty else { return [] }
    var keys = Set(journal.deletedRows.rows(of: binding.map).keys)
    func add(_ model: any PersistentModel) {
      let (key, isIncluded) = model._$withState { ($0.key, $0.withBinding { $0.map === binding.map } ?? false) }
      if isIncluded { keys.insert(key) }
    }
    journal.changed.visit { add($1) }
    journal.deleted.visit { add($1) }
    return keys
  }

  /// Whether the deletion of a model unlinks it from the models that refer to it.
  func unlinksDeleted(_ model: any PersistentModel, _ inverse: (any RelationshipProperty)?) -> Bool {
    let rule = inverse.flatMap { inverse in model._$withState { $0.binding }?.rule(of: inverse) }?.deleteRule
    return rule == .nullify || rule == .cascade
  }

  /// Whether an unsaved change unlinked a member from the owner that the store has for it.
  func hasLeft(
    _ member: any PersistentModel, _ owner: any PersistentModel, _ inverse: (any RelationshipProperty)?
  ) -> Bool {
    let (status, dirty) = member._$withState { ($0.status, $0.dirty) }
    if status == .deleted { return unlinksDeleted(member, inverse) }
    guard dirty != 0, let inverse = inverse?.toOne, member._$withState({ $0.isPending(inverse.index) }) else {
      return false
    }
    return !inverse.hasTarget(owner, in: member)
  }

  /// Called after each change that a save would write.
  func didChange() {
    if UndoRecorder.areThereAny { undoRecorder?.register() }
    if reportsChanges.load(ordering: .relaxed) { notifyOfChange() }
    scheduleAutosaveIfNeeded()
  }

  private func notifyOfChange() {
    exclusively { saving.disturb() }
  }

  func scheduleAutosaveIfNeeded() {
    guard autosaveEnabled, !saving.isAutosaveScheduled, hasPlan else { return }
    saving.scheduleAutosave()
    scheduleAutosave()
  }
}
