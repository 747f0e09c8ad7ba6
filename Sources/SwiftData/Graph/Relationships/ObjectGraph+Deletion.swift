import Foundation

extension ObjectGraph {
  /// Deletes a model and what goes with it. When something that this concerns cannot be read nothing is deleted, and
  /// the next save reports it.
  func delete(cascadingFrom root: any PersistentModel) {
    // Whatever it followed before, it is deleted by itself now.
    journal.noteIndependence(of: root)
    do {
      guard let deletion = try deletion(of: root) else { return }
      let following = deletion.followers.isEmpty ? [] : try deletions(following: deletion)
      carryOut(deletion)
      for deletion in following {
        carryOut(deletion)
        journal.noteFollower(deletion.model)
      }
    } catch {
      reject(
        root, "It was not deleted, because what it leads to could not be read: \(error)",
        "Delete it again when that can be read.")
    }
  }

  /// The deletion of one model, and whom it concerns.
  private struct Deletion {
    let model: any PersistentModel
    let status: _ModelState.Status
    /// Those that lose the model.
    var losers: [(rule: EntityBinding.RelationshipRule, targets: [any PersistentModel])] = []
    /// Those that are deleted with it.
    var followers: [any PersistentModel] = []
  }

  /// What deleting a model comes to; nil for one that is deleted already or none of this context's. All that has to be
  /// known is read.
  private func deletion(of model: any PersistentModel) throws -> Deletion? {
    let (status, isMine, binding) = model._$withState { ($0.status, $0.belongs(to: self), $0.binding) }
    guard isMine, let binding, status == .inserted || status == .registered else { return nil }
    // Its row is read while it is there, so that its last values remain.
    try readRow(of: model)
    var deletion = Deletion(model: model, status: status)
    for rule in binding.relationshipRules {
      let targets = try targetsToTell(of: model, rule, binding)
      if recordsUndo { try readForUndo(rule.property, of: model) }
      if targets.isEmpty { continue }
      // Only the row of a saved model is there to be led to.
      if status == .registered, rule.deleteRule == .deny || rule.deleteRule == .noAction {
        // They find the row gone when they read their members.
        let inverse = rule.property.inverse(for: model)
        for target in targets { inverse?.forgetAwaited(of: target) }
        continue
      }
      deletion.losers.append((rule, targets))
      if let inverse = rule.property.inverse(for: model) {
        for target in targets { try inverse.prepareToUnlink(from: target) }
      }
      if rule.deleteRule == .cascade { deletion.followers += targets }
    }
    return deletion
  }

  /// Reads what an undo manager has to know of a model that is about to be deleted: where it leads, and what leads back from
  /// there. Once it is deleted, that reads as without it.
  private func readForUndo(_ property: any RelationshipProperty, of model: any PersistentModel) throws {
    let targets = try property.targets(of: model)
    guard let inverse = property.inverse(for: model) else { return }
    for target in targets { _ = try inverse.targets(of: target) }
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

  private func carryOut(_ deletion: Deletion) {
    if UndoRecorder.areThereAny { undoRecorder?.noteDeletion(of: deletion.model) }
    mark(deletion.model, deletion.status)
    for (rule, targets) in deletion.losers { unlink(deletion.model, from: targets, rule.property) }
  }

  /// The targets that the deletion of a model concerns. One that is not in memory and has the model among the members
  /// of a to-many is left alone: it finds the model gone when its members are read. With an undo manager it is read, as the
  /// place that the model has there is to come back.
  private func targetsToTell(
    of model: any PersistentModel, _ rule: EntityBinding.RelationshipRule, _ binding: EntityBinding
  ) throws -> [any PersistentModel] {
    let property = rule.property
    guard let inverse = binding.runtime.inverse(of: property) else {
      return rule.deleteRule == .noAction ? [] : try property.targets(of: model)
    }
    guard !recordsUndo, !rule.isToMany, rule.deleteRule == .nullify, inverse.isToMany, !binding.session.keepsBothSides,
      let destination = self.binding(for: property.destinationType),
      destination.relationshipRules.first(where: { $0.property === inverse })?.minimum == 0,
      let key = property.unresolvedKey(of: model)
    else { return try property.targets(of: model) }
    guard let target = target(key, property, destination) else { return [] }
    // So that the last values have it.
    property.resolve(model, to: target)
    return [target]
  }

  private func mark(_ model: any PersistentModel, _ status: _ModelState.Status) {
    if status == .inserted {
      journal.takeBackInsertion(of: model)
      dismiss(model)
    } else {
      journal.noteDeletion(of: model)
    }
  }

  private func unlink(
    _ model: any PersistentModel, from targets: [any PersistentModel], _ property: any RelationshipProperty
  ) {
    guard let inverse = property.inverse(for: model) else { return }
    for target in targets where target._$withState({ $0.isLive }) {
      inverse.unlink(model, from: target)
    }
  }

  /// Takes back the deletion of a model, and of what was deleted because of it. What was deleted by itself stays so.
  func reinstate(_ root: any PersistentModel) {
    var models: [any PersistentModel] = []
    var unsaved: [any PersistentModel] = []
    func keep(_ model: any PersistentModel) {
      journal.noteIndependence(of: model)
      // Others may have saved since, and then they are asked for again: as long as it is deleted it keeps all.
      readMembers(of: model)
      journal.takeBackDeletion(of: model)
      if UndoRecorder.areThereAny { undoRecorder?.noteInsertion(of: model) }
      models.append(model)
    }
    keep(root)
    var next = 0
    while next < models.count {
      let model = models[next]
      next += 1
      for rule in rules(of: model) where rule.deleteRule == .cascade {
        for target in rule.property.loadedTargets(of: model) where journal.follows(target) {
          let (status, isMine) = target._$withState { ($0.status, $0.belongs(to: self)) }
          if status == .deleted, isMine { keep(target) }
          if status == .plain { unsaved.append(target) }
        }
      }
    }
    for model in unsaved {
      journal.noteIndependence(of: model)
      register(model)
    }
    if journal.hasMergedBesideDeletions {
      attempt("reading what others have linked to a deleted model") { try PendingMerge(graph: self).run(of: models) }
    }
    // Those that follow come first: their way back is linked along with the way to them, without a search.
    for model in models.reversed() { relink(model) }
  }

  /// Reads what no row of a model tells, and others may have changed since it was deleted.
  private func readMembers(of model: any PersistentModel) {
    for rule in rules(of: model) where (rule.isToMany || rule.isKeptByTarget) && !rule.property.isLoaded(model) {
      do { _ = try rule.property.targets(of: model) } catch { note(error) }
    }
  }

  /// Tells the other sides of what a model leads to, which were told that it is deleted. What others have taken in the
  /// meantime, or deleted, it leads to no more.
  private func relink(_ model: any PersistentModel) {
    for rule in rules(of: model) {
      let property = rule.property
      let inverse = property.inverse(for: model)
      var targets = property.loadedTargets(of: model)
      if let key = property.unresolvedKey(of: model), let destination = binding(for: property.destinationType),
        let target = target(key, property, destination)
      {
        targets = [target]
      }
      // What leads to itself told nobody.
      for target in targets where target !== model {
        guard target._$withState({ $0.isLive && $0.belongs(to: self) }) else {
          property.unlink(target, from: model)
          continue
        }
        guard let inverse, !inverse.loadedTargets(of: target).contains(where: { $0 === model }) else { continue }
        // Of these two the other side was left alone: what it says now somebody has set.
        let wasTold = rule.deleteRule != .deny && rule.deleteRule != .noAction
        if !inverse.isToMany && leadsElsewhere(target, inverse, than: model)
          || !wasTold && inverse.isLoaded(target)
        {
          property.unlink(target, from: model)
        } else if wasTold {
          let isChanged = model._$withState { $0.isPending(property.index) }
          if isChanged { inverse.link(model, to: target) } else { inverse.linkAgain(model, to: target) }
        }
      }
    }
  }

  private func leadsElsewhere(
    _ model: any PersistentModel, _ property: any RelationshipProperty, than target: any PersistentModel
  ) -> Bool {
    if property.loadedTarget(of: model) != nil { return true }
    return property.unresolvedKey(of: model).map { key in target._$withState { $0.key } != key } ?? false
  }

  private func rules(of model: any PersistentModel) -> [EntityBinding.RelationshipRule] {
    model._$withState { $0.binding }?.relationshipRules ?? []
  }

  /// Takes a model whose row is gone out of the context. It keeps its last values.
  func retire(_ model: any PersistentModel) {
    // What it awaits is this context's to make, and the model may be inserted into another.
    let runtime = ModelRuntime.of(model)
    if runtime.hasToMany { for property in runtime.relationships { property.forgetAwaited(of: model) } }
    model._$withState { $0.leave(.gone) }
    dropDeparted(from: model)
  }

  /// Has a model that leaves the context lead to nothing that left before it: two that lead to each other would keep each
  /// other, and for good the graph of whatever else they lead to.
  func dropDeparted(from model: any PersistentModel) {
    for property in ModelRuntime.of(model).relationships {
      property.drop(from: model) { $0._$withState { $0.status == .plain || $0.status == .gone } }
    }
  }

  /// Deletes rows, of which models are made only where somebody in memory has to be told.
  func delete(_ rows: [RowKey]) throws {
    if UndoRecorder.areThereAny, let undoRecorder, !rows.isEmpty {
      // Nobody has what the rows have.
      undoRecorder.removeAll()
      return try undoRecorder.suspended { try deleteWithoutUndo(rows) }
    }
    try deleteWithoutUndo(rows)
  }

  private func deleteWithoutUndo(_ rows: [RowKey]) throws {
    let deletion = try RowDeletion(rows, self)
    let models = try models(of: deletion.told)
    for model in models { delete(cascadingFrom: model) }
    for row in deletion.rows {
      let map = bindingsByOrdinal[row.entity].map
      // It may have come into memory along with the models.
      if let model = map.model(row.key) { delete(cascadingFrom: model) } else { journal.noteDeletion(of: row, of: map) }
    }
    outdateAwaited(among: Set(deletion.rows.map(\.entity)))
  }

  /// The models of some rows, all of them read.
  private func models(of rows: [RowKey]) throws -> [any PersistentModel] {
    var models: [any PersistentModel] = []
    for (ordinal, rows) in Dictionary(grouping: rows, by: \.entity).sorted(by: { $0.key < $1.key }) {
      let binding = bindingsByOrdinal[ordinal]
      let group = FetchGroup(map: binding.map)
      try binding.session.rows(of: binding.rootEntity, keys: rows.map(\.key).sorted()) { row, reader in
        models.append(receive(row, reader, group))
      }
    }
    return models
  }

  /// Makes models for those of the rows that the next save deletes which something leads to that denies it: it may have
  /// come after the deletion.
  func loadDeniedRows() throws {
    if journal.deletedRows.isEmpty { return }
    let denying = Set(
      bindingsByOrdinal.filter { $0.relationshipRules.contains { $0.deleteRule == .deny } }.map(\.ordinal))
    for (ordinal, keys) in denying.isEmpty ? [] : journal.deletedRows.keys(where: denying.contains) {
      let binding = bindingsByOrdinal[ordinal]
      var owners = Set<Int64>()
      for rule in binding.relationshipRules where rule.deleteRule == .deny {
        try binding.session.members(of: rule.property.name, in: binding.entity, owners: keys) { owner, member in
          if !journal.deletedRows.contains(member.key, of: bindingsByOrdinal[member.entity].map) {
            owners.insert(owner)
          }
        }
      }
      if !owners.isEmpty { _ = try models(of: owners.map { RowKey(key: $0, entity: ordinal) }) }
    }
  }

  /// Makes models for rows that the next save deletes.
  func loadRows(_ rows: [(entity: Int, keys: [Int64])]) throws {
    _ = try models(of: rows.flatMap { entity, keys in keys.map { RowKey(key: $0, entity: entity) } })
  }

  /// Makes models for the rows that the next save deletes.
  func loadDeletedRows() {
    guard !journal.deletedRows.isEmpty else { return }
    let rows = journal.deletedRows.keys { _ in true }.flatMap { entity, keys in
      keys.map { RowKey(key: $0, entity: entity) }
    }
    alone { _ = attempt("reading what is deleted") { _ = try models(of: rows) } }
  }
}
