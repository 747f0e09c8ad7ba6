/// The deletion of a model and its consequences by the delete rules.
struct DeletionOperation {
  let graph: ObjectGraph

  /// Deletes a model and the models to which the deletion cascades. If a relationship cannot be read, nothing is deleted,
  /// and the next save reports the failure.
  func run(_ root: any PersistentModel) {
    // It is deleted by itself now, even if a cascade has deleted it before.
    graph.journal.removeCascade(of: root)
    do {
      guard let deletion = try deletion(of: root) else { return }
      let others = deletion.cascaded.isEmpty ? [] : try cascade(of: deletion)
      execute(deletion)
      for deletion in others {
        execute(deletion)
        graph.journal.recordCascade(to: deletion.model)
      }
    } catch {
      graph.reject(
        root, "It was not deleted, because a relationship could not be read: \(error)",
        "Delete it again when the relationship can be read.")
    }
  }

  /// The deletion of one model, and the models that it changes.
  private struct Deletion {
    let model: any PersistentModel
    let status: _ModelState.Status
    /// The targets that the model is unlinked from.
    var unlinked: [(rule: RelationshipRule, targets: [any PersistentModel])] = []
    /// The targets to which the deletion cascades.
    var cascaded: [any PersistentModel] = []
  }

  /// Plans the deletion of a model, and reads all that it needs; nil for a model that is deleted already or belongs to
  /// another context.
  private func deletion(of model: any PersistentModel) throws -> Deletion? {
    let (status, isMine, binding) = model._$withState { ($0.status, $0.belongs(to: graph), $0.binding) }
    guard isMine, let binding, status == .pending || status == .persistent else { return nil }
    // The row is read while it exists, so that the model keeps its last values.
    try graph.faulting.readRow(of: model)
    var deletion = Deletion(model: model, status: status)
    for rule in binding.relationshipRules {
      let targets = try targetsToNotify(of: model, rule, binding)
      if graph.recordsUndo { try readForUndo(rule, of: model) }
      if targets.isEmpty { continue }
      // Only a row can be the target of a dangling reference.
      if status == .persistent, rule.deleteRule == .deny || rule.deleteRule == .noAction {
        // Their next read of the members finds that the row is gone.
        for target in targets { rule.inverse?.toMany?.discardMemberKeys(of: target) }
        continue
      }
      deletion.unlinked.append((rule, targets))
      for target in targets { try rule.inverse?.prepareToUnlink(from: target) }
      if rule.deleteRule == .cascade { deletion.cascaded += targets }
    }
    return deletion
  }

  /// Reads what an undo manager needs of a model that is about to be deleted: its targets, and their inverses. After the
  /// deletion they read as without it.
  private func readForUndo(_ rule: RelationshipRule, of model: any PersistentModel) throws {
    let targets = try rule.property.targets(of: model)
    guard let inverse = rule.inverse else { return }
    for target in targets where !inverse.isLoaded(target) { _ = try inverse.targets(of: target) }
  }

  private func cascade(of first: Deletion) throws -> [Deletion] {
    var deletions: [Deletion] = []
    var waiting = first.cascaded
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(first.model)]
    while let model = waiting.popLast() {
      guard known.insert(ObjectIdentifier(model)).inserted, let deletion = try deletion(of: model) else { continue }
      waiting += deletion.cascaded
      deletions.append(deletion)
    }
    return deletions
  }

  private func execute(_ deletion: Deletion) {
    if UndoRecorder.areThereAny {
      graph.undoRecorder?.recordDeletion(of: deletion.model) { property in
        deletion.unlinked.contains { $0.rule.property === property }
      }
    }
    mark(deletion.model, deletion.status)
    for (rule, targets) in deletion.unlinked {
      for target in targets where target._$withState({ $0.isLive }) {
        rule.inverse?.unlink(deletion.model, from: target)
      }
    }
  }

  /// The targets that the deletion of a model unlinks or cascades to. A target that is not in memory and has the model in a
  /// to-many is left out: it reads its members without the model. With an undo manager it is read, because undo restores
  /// the model's position there.
  private func targetsToNotify(
    of model: any PersistentModel, _ rule: RelationshipRule, _ binding: EntityBinding
  ) throws -> [any PersistentModel] {
    if rule.isOneWay, rule.deleteRule == .noAction { return [] }
    guard !graph.recordsUndo, rule.deleteRule == .nullify, !binding.session.keepsBothSides,
      let toOne = rule.property.toOne, rule.inverse?.toMany != nil, rule.inverseRule?.hasMinimum == false,
      let destination = rule.destination, let key = toOne.unreadKey(of: model)
    else { return try rule.property.targets(of: model) }
    guard let target = graph.target(key, toOne, destination) else { return [] }
    // The deleted model keeps its last target.
    toOne.setTarget(of: model, to: target)
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
