/// Cancels the pending deletion of a model.
struct UndeleteOperation {
  let graph: ObjectGraph

  /// Cancels the deletion of a model, and of the models to which it cascaded. Models that were deleted by themselves stay
  /// deleted.
  func run(_ root: any PersistentModel) {
    var models: [any PersistentModel] = []
    var transientTargets: [any PersistentModel] = []
    func undelete(_ model: any PersistentModel) {
      graph.journal.removeCascade(of: model)
      // Merges skip a deleted model. Relationships that are not loaded are read now; loaded to-manys with pending changes
      // are merged below.
      readTargetsStoredElsewhere(of: model)
      graph.journal.cancelDeletion(of: model)
      if UndoRecorder.areThereAny { graph.undoRecorder?.recordInsertion(of: model) }
      models.append(model)
    }
    undelete(root)
    var next = 0
    while next < models.count {
      let model = models[next]
      next += 1
      for rule in EntityBinding.rules(of: model) where rule.deleteRule == .cascade {
        for target in rule.property.loadedTargets(of: model) where graph.journal.isCascaded(target) {
          let (status, isMine) = target._$withState { ($0.status, $0.belongs(to: graph)) }
          if status == .deleted, isMine { undelete(target) }
          if status == .transient { transientTargets.append(target) }
        }
      }
    }
    for model in transientTargets {
      graph.journal.removeCascade(of: model)
      graph.register(model)
    }
    if graph.journal.hasMergedSinceDeletion {
      graph.attempt("reading models that other contexts have linked to a deleted model") {
        try graph.mergePendingToManys(of: models)
      }
    }
    // In reverse order: a cascade has cleared the to-one from its target to the owner, so relinking the target first does
    // not search the owner's members. Relinking the owner then sets that to-one.
    for model in models.reversed() { relink(model) }
  }

  /// Reads the relationships whose keys are in other rows (to-manys, and to-ones stored on the other side), unless they are
  /// loaded. Other contexts may have changed them since the deletion.
  private func readTargetsStoredElsewhere(of model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) where rule.storesKeyElsewhere && !rule.property.isLoaded(model) {
      do { _ = try rule.property.targets(of: model) } catch { graph.record(error) }
    }
  }

  /// Sets the inverses that the deletion of a model cleared. The model loses targets that were deleted or linked to another
  /// model meanwhile.
  private func relink(_ model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) {
      let property = rule.property
      var targets = property.loadedTargets(of: model)
      if targets.isEmpty, let toOne = property.toOne, let target = graph.knownTarget(of: model, toOne) {
        targets = [target]
      }
      // The deletion kept a link of the model to itself.
      for target in targets where target !== model {
        guard target._$withState({ $0.isLive && $0.belongs(to: graph) }) else {
          property.unlink(target, from: model)
          continue
        }
        guard let inverse = rule.inverse, !inverse.hasTarget(model, in: target) else { continue }
        // With .deny and .noAction the deletion did not clear the inverse. If it is loaded and lacks the model, the program
        // has changed it since.
        let wasUnlinked = rule.deleteRule != .deny && rule.deleteRule != .noAction
        if hasOtherTarget(target, inverse, than: model) || (!wasUnlinked && inverse.isLoaded(target)) {
          property.unlink(target, from: model)
        } else if wasUnlinked {
          let isChanged = model._$withState { $0.isPending(property.index) }
          if isChanged { inverse.link(model, to: target) } else { inverse.linkAgain(model, to: target) }
        }
      }
    }
  }

  /// Whether `property` is a to-one of `owner` that has a target other than `target`, loaded or as an unread key. The caller
  /// has checked that `target` is not the loaded one.
  private func hasOtherTarget(
    _ owner: any PersistentModel, _ property: any RelationshipProperty, than target: any PersistentModel
  ) -> Bool {
    guard let toOne = property.toOne else { return false }
    if toOne.loadedTarget(of: owner) != nil { return true }
    return toOne.unreadKey(of: owner).map { key in target._$withState { $0.key } != key } ?? false
  }
}
