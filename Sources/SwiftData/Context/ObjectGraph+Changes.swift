extension ObjectGraph {
  /// Whether anything waits for a save.
  var hasChanges: Bool { hasPlan || !pendingIssues.isEmpty }

  /// Whether a save has anything to write.
  var hasPlan: Bool { !inserted.isEmpty || !deleted.isEmpty || !deletedRows.isEmpty || !changed.isEmpty }

  var changedModels: [any PersistentModel] {
    changed.models.filter { $0._$withState { $0.status == .registered && $0.change != nil } }
  }

  func rollback() {
    writing?.isDisturbed = true
    // What an observer changes meanwhile is a change of its own.
    for model in changed.removeAll() {
      guard let record = model._$withState({ $0.change }) else { continue }
      let properties = ModelRuntime.of(model).properties
      for (index, slot) in record.originals {
        properties[index].restore(slot, to: model)
        properties[index].noteChange(of: model)
      }
      var isUnread = false
      for (index, _) in record.originals {
        if let property = properties[index].relationship, isKeptElsewhere(property, model) {
          // It is read again: others may have saved something else in the meantime.
          property.unload(model)
        } else if let property = properties[index].relationship,
          property.loadedTarget(of: model)?._$withState({ !$0.belongs(to: self) }) == true
        {
          // Somebody else deleted it, or it went to another context, and where this one leads now is for the store to say.
          property.unload(model)
          isUnread = true
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
    hasMergedBesideDeletions = false
    hasDismissed = false
    followers.removeAll()
    pendingIssues.removeAll()
    accessFailure = nil
    checkInvariants()
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
      || changedModels.contains(where: isVisited)
  }

  /// Called after every change that a save would write.
  func didChange() {
    if hearsChanges.load(ordering: .relaxed) { tellOfChange() }
    scheduleAutosaveIfNeeded()
  }

  private func tellOfChange() {
    alone {
      writing?.isDisturbed = true
      guard let heir = lifetime.lastHeir else { return }
      lifetime.successionCount = 0
      heir.keepValues()
    }
  }

  func scheduleAutosaveIfNeeded() {
    guard autosaveEnabled, !isAutosaveScheduled, hasPlan else { return }
    isAutosaveScheduled = true
    scheduleAutosave()
  }
}
