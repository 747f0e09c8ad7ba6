/// Cancels the pending deletion of a model.
struct Reinstatement {
  let graph: ObjectGraph

  /// Cancels the deletion of a model, and of the models to which it cascaded. Models that were deleted by themselves stay
  /// deleted.
  func run(_ root: any PersistentModel) {
    var models: [any PersistentModel] = []
    var unsaved: [any PersistentModel] = []
    func keep(_ model: any PersistentModel) {
      graph.journal.removeCascade(of: model)
      // A deleted model keeps its members, and other contexts may have changed them since.
      readMembers(of: model)
      graph.journal.cancelDeletion(of: model)
      if UndoRecorder.areThereAny { graph.undoRecorder?.recordInsertion(of: model) }
      models.append(model)
    }
    keep(root)
    var next = 0
    while next < models.count {
      let model = models[next]
      next += 1
      for rule in EntityBinding.rules(of: model) where rule.deleteRule == .cascade {
        for target in rule.property.loadedTargets(of: model) where graph.journal.isCascaded(target) {
          let (status, isMine) = target._$withState { ($0.status, $0.belongs(to: graph)) }
          if status == .deleted, isMine { keep(target) }
          if status == .transient { unsaved.append(target) }
        }
      }
    }
    for model in unsaved {
      graph.journal.removeCascade(of: model)
      graph.register(model)
    }
    if graph.journal.hasMergedBesideDeletions {
      graph.attempt("reading models that other contexts have linked to a deleted model") {
        try graph.mergePending(of: models)
      }
    }
    // Models that were deleted by a cascade come first: linking them links their owners as well, without a search.
    for model in models.reversed() { relink(model) }
  }

  /// Reads the relationships without a column in the model's row, which other contexts may have changed since the deletion.
  private func readMembers(of model: any PersistentModel) {
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
        guard let inverse = rule.inverse, !inverse.hasTarget(model, target) else { continue }
        // The rules .deny and .noAction kept the inverse: another target there was set by the program.
        let wasUnlinked = rule.deleteRule != .deny && rule.deleteRule != .noAction
        if pointsElsewhere(target, inverse, than: model) || !wasUnlinked && inverse.isLoaded(target) {
          property.unlink(target, from: model)
        } else if wasUnlinked {
          let isChanged = model._$withState { $0.isPending(property.index) }
          if isChanged { inverse.link(model, to: target) } else { inverse.linkAgain(model, to: target) }
        }
      }
    }
  }

  /// Whether a to-one that does not have `target` in memory has another target.
  private func pointsElsewhere(
    _ model: any PersistentModel, _ property: any RelationshipProperty, than target: any PersistentModel
  ) -> Bool {
    guard let toOne = property.toOne else { return false }
    if toOne.loadedTarget(of: model) != nil { return true }
    return toOne.unreadKey(of: model).map { key in target._$withState { $0.key } != key } ?? false
  }
}
