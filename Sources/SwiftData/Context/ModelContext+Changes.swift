import Foundation

extension ModelContext {
  /// Whether anything waits for a save.
  public var hasChanges: Bool {
    !inserted.isEmpty || !deleted.isEmpty || !deletedRows.isEmpty || !changed.isEmpty || !pendingIssues.isEmpty
  }

  /// The models that the next save inserts, in the order of their insertion.
  public var insertedModelsArray: [any PersistentModel] {
    inserted.models
  }

  /// The models that the next save updates, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] {
    changed.models.filter { $0._$withState { $0.status == .registered && $0.change != nil } }
  }

  /// The models that the next save deletes, in the order of their deletion.
  ///
  /// Those that ``delete(model:where:includeSubclasses:)`` selected and nobody had in memory are read for it.
  public var deletedModelsArray: [any PersistentModel] {
    loadDeletedRows()
    return deleted.models
  }

  /// Brings the context's bookkeeping up to date.
  ///
  /// Relationships and the three arrays are always current here, so this only takes in what other contexts saved.
  public func processPendingChanges() {
    processInbox()
  }

  /// Forgets everything since the last save: inserted models leave the context, changed ones get their saved values
  /// back, and deleted ones stay.
  public func rollback() {
    // What an observer changes meanwhile is a change of its own.
    for model in changed.removeAll() {
      guard let record = model._$withState({ $0.change }) else { continue }
      let properties = ModelRuntime.of(model).properties
      for (index, slot) in record.originals {
        properties[index].willSet(model)
        properties[index].restore(slot, to: model)
        properties[index].didSet(model)
      }
      var isUnread = false
      for (index, _) in record.originals {
        if let property = properties[index].relationship, property.isToMany {
          // Its members are read again: others may have saved some in the meantime.
          property.release(model)
        } else if !properties[index].isLoaded(model) {
          // It was set before it was read.
          isUnread = true
        }
      }
      model._$withState { state in
        state.change = nil
        if isUnread { state.isFault = true }
      }
    }
    for model in deleted.removeAll() {
      model._$withState { $0.status = .registered }
    }
    deletedRows.removeAll()
    for model in inserted.removeAll() { dismiss(model) }
    pendingIssues.removeAll()
    accessFailure = nil
  }

  /// Runs `block`, then saves.
  ///
  /// When `block` throws, nothing is saved, and what it did so far stays pending: save or roll back as fits.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  /// Whether anything that waits for a save is of the entity trees of some types. True when the types are not known.
  func hasPending(_ types: [any PersistentModel.Type]?) -> Bool {
    guard let types else { return hasChanges }
    if types.isEmpty { return false }
    var visited: Set<ObjectIdentifier> = []
    for type in types {
      guard let map = binding(for: type)?.map else { return hasChanges }
      if !deletedRows.rows(of: map).isEmpty { return true }
      visited.insert(ObjectIdentifier(map))
    }
    func isVisited(_ model: any PersistentModel) -> Bool {
      model._$withState { $0.binding.map { visited.contains(ObjectIdentifier($0.map)) } ?? true }
    }
    return inserted.models.contains(where: isVisited) || deleted.models.contains(where: isVisited)
      || changedModelsArray.contains(where: isVisited)
  }

  /// Called after every change that a save would write.
  func didChange() {
    guard autosaveEnabled, !isAutosaveScheduled, hasChanges else { return }
    isAutosaveScheduled = true
    scheduleAutosave()
  }
}
