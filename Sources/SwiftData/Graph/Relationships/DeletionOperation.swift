/// The deletion of a model and of what goes with it by the delete rules.
struct DeletionOperation {
  let graph: ObjectGraph

  /// Deletes a model and what goes with it. When something that this concerns cannot be read nothing is deleted, and
  /// the next save reports it.
  func run(_ root: any PersistentModel) {
    // Whatever it followed before, it is deleted by itself now.
    graph.journal.removeCascade(of: root)
    do {
      guard let deletion = try deletion(of: root) else { return }
      let following = deletion.followers.isEmpty ? [] : try deletions(following: deletion)
      execute(deletion)
      for deletion in following {
        execute(deletion)
        graph.journal.recordCascade(to: deletion.model)
      }
    } catch {
      graph.reject(
        root, "It was not deleted, because what it leads to could not be read: \(error)",
        "Delete it again when that can be read.")
    }
  }

  /// The deletion of one model, and whom it concerns.
  private struct Deletion {
    let model: any PersistentModel
    let status: _ModelState.Status
    /// The targets that lose the model.
    var losers: [(rule: RelationshipRule, targets: [any PersistentModel])] = []
    /// The targets that are deleted with it.
    var followers: [any PersistentModel] = []
  }

  /// What deleting a model comes to; nil for one that is deleted already or none of this context's. All that has to be
  /// known is read.
  private func deletion(of model: any PersistentModel) throws -> Deletion? {
    let (status, isMine, binding) = model._$withState { ($0.status, $0.belongs(to: graph), $0.binding) }
    guard isMine, let binding, status == .pending || status == .persistent else { return nil }
    // Its row is read while it is there, so that its last values remain.
    try graph.faulting.readRow(of: model)
    var deletion = Deletion(model: model, status: status)
    for rule in binding.relationshipRules {
      let targets = try targetsToNotify(of: model, rule, binding)
      if graph.recordsUndo { try readForUndo(rule, of: model) }
      if targets.isEmpty { continue }
      // Only the row of a saved model is there to be led to.
      if status == .persistent, rule.deleteRule == .deny || rule.deleteRule == .noAction {
        // They find the row gone when they read their members.
        for target in targets { rule.inverse?.toMany?.forgetAwaited(of: target) }
        continue
      }
      deletion.losers.append((rule, targets))
      for target in targets { try rule.inverse?.prepareToUnlink(from: target) }
      if rule.deleteRule == .cascade { deletion.followers += targets }
    }
    return deletion
  }

  /// Reads what an undo manager has to know of a model that is about to be deleted: where it leads, and what leads back from
  /// there. Once it is deleted, that reads as without it.
  private func readForUndo(_ rule: RelationshipRule, of model: any PersistentModel) throws {
    let targets = try rule.property.targets(of: model)
    guard let inverse = rule.inverse else { return }
    for target in targets where !inverse.isLoaded(target) { _ = try inverse.targets(of: target) }
  }

  private func deletions(following first: Deletion) throws -> [Deletion] {
    var deletions: [Deletion] = []
    var waiting = first.followers
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(first.model)]
    while let model = waiting.popLast() {
      guard known.insert(ObjectIdentifier(model)).inserted, let deletion = try deletion(of: model) else { continue }
      waiting += deletion.followers
      deletions.append(deletion)
    }
    return deletions
  }

  private func execute(_ deletion: Deletion) {
    if UndoRecorder.areThereAny {
      graph.undoRecorder?.recordDeletion(of: deletion.model) { property in
        deletion.losers.contains { $0.rule.property === property }
      }
    }
    mark(deletion.model, deletion.status)
    for (rule, targets) in deletion.losers {
      for target in targets where target._$withState({ $0.isLive }) {
        rule.inverse?.unlink(deletion.model, from: target)
      }
    }
  }

  /// The targets that the deletion of a model concerns. One that is not in memory and has the model among the members
  /// of a to-many is left alone: it finds the model gone when its members are read. With an undo manager it is read, as the
  /// place that the model has there is to come back.
  private func targetsToNotify(
    of model: any PersistentModel, _ rule: RelationshipRule, _ binding: EntityBinding
  ) throws -> [any PersistentModel] {
    if rule.isOneWay, rule.deleteRule == .noAction { return [] }
    guard !graph.recordsUndo, rule.deleteRule == .nullify, !binding.session.keepsBothSides,
      let toOne = rule.property.toOne, rule.inverse?.toMany != nil, rule.inverseRule?.hasMinimum == false,
      let destination = rule.destination, let key = toOne.unresolvedKey(of: model)
    else { return try rule.property.targets(of: model) }
    guard let target = graph.target(key, toOne, destination) else { return [] }
    // So that the last values have it.
    toOne.resolve(model, to: target)
    return [target]
  }

  private func mark(_ model: any PersistentModel, _ status: _ModelState.Status) {
    if status == .pending {
      graph.journal.cancelInsertion(of: model)
      graph.dismiss(model)
    } else {
      graph.journal.recordDeletion(of: model)
    }
  }
}
