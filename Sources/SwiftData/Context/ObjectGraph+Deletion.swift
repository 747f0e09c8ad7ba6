import Foundation

extension ObjectGraph {
  func delete(cascadingFrom root: any PersistentModel) {
    var waiting: [any PersistentModel] = [root]
    while let model = waiting.popLast() {
      let (status, owner, binding) = model._$withState { ($0.status, $0.graph, $0.binding) }
      guard owner === self, let binding, status == .inserted || status == .registered else { continue }
      // Its row is read while it is there, so that its last values remain.
      readRow(of: model)
      var affected: [(rule: EntityBinding.RelationshipRule, targets: [any PersistentModel])] = []
      for rule in binding.relationshipRules {
        let targets = targetsToTell(of: model, rule, binding)
        if !targets.isEmpty { affected.append((rule, targets)) }
      }
      mark(model, status)
      for (rule, targets) in affected {
        switch rule.deleteRule {
        case .cascade:
          waiting += targets
          unlink(model, from: targets, rule.property)
        case .nullify:
          unlink(model, from: targets, rule.property)
        case .deny, .noAction:
          break
        }
      }
    }
  }

  /// The targets that the deletion of a model concerns. One that is not in memory and has the model among the members of
  /// a to-many is left alone: it finds the model gone when its members are read.
  private func targetsToTell(
    of model: any PersistentModel, _ rule: EntityBinding.RelationshipRule, _ binding: EntityBinding
  ) -> [any PersistentModel] {
    let property = rule.property
    guard let inverse = binding.runtime.inverse(of: property) else {
      return rule.deleteRule == .noAction ? [] : property.targets(of: model)
    }
    guard !rule.isToMany, rule.deleteRule == .nullify, inverse.isToMany, !binding.session.keepsBothSides,
      let destination = self.binding(for: property.destinationType),
      destination.relationshipRules.first(where: { $0.property === inverse })?.minimum == 0,
      let key = property.unresolvedKey(of: model)
    else { return property.targets(of: model) }
    return destination.map.model(key).map { [$0] } ?? []
  }

  private func mark(_ model: any PersistentModel, _ status: _ModelState.Status) {
    if status == .inserted {
      inserted.remove(model)
      dismiss(model)
    } else {
      model._$withState { $0.status = .deleted }
      deleted.append(model)
    }
  }

  private func unlink(
    _ model: any PersistentModel, from targets: [any PersistentModel], _ property: any RelationshipProperty
  ) {
    guard let inverse = property.inverse(for: model) else { return }
    for target in targets where target._$withState({ $0.status == .registered || $0.status == .inserted }) {
      inverse.unlink(model, from: target)
    }
  }

  /// Takes a model whose row is gone out of the context. It keeps its last values.
  func retire(_ model: any PersistentModel) {
    model._$withState { $0.leave(.gone) }
  }

  func removeFromChanged(_ model: any PersistentModel) {
    guard model._$withState({ $0.change != nil }) else { return }
    changed.remove(model)
    model._$withState { $0.change = nil }
  }

  func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    if let rows = try savedRows(descriptor) {
      let binding = try requireBinding(for: model)
      try delete(includeSubclasses ? rows : rows.filter { $0.entity == binding.ordinal })
    } else {
      for found in try fetch(descriptor) {
        if !includeSubclasses, Swift.type(of: found) != model { continue }
        if found._$withState({ $0.status }) == .inserted { continue }
        delete(cascadingFrom: found)
      }
    }
    didChange()
  }

  /// The rows that a descriptor selects; nil when models have to be looked at for that, or a store wants to see them.
  private func savedRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [RowKey]? {
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    if binding.session.keepsBothSides { return nil }
    return try withOverlay(descriptor, binding) { overlay in
      guard overlay == nil else { return nil }
      var rows: [RowKey] = []
      try binding.session.fetchKeys(descriptor) { rows.append($0) }
      return rows
    }
  }

  private func delete(_ rows: [RowKey]) throws {
    let deletion = try RowDeletion(rows, self)
    let models = try models(of: deletion.told)
    for model in models { delete(cascadingFrom: model) }
    for row in deletion.rows {
      let map = bindingsByOrdinal[row.entity].map
      // It may have come into memory along with the models.
      if let model = map.model(row.key) { delete(cascadingFrom: model) } else { deletedRows.insert(row, of: map) }
    }
    forgetAwaited(of: Set(deletion.rows.map(\.entity)))
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

  /// Makes models for the rows that the next save deletes.
  func loadDeletedRows() {
    guard !deletedRows.isEmpty else { return }
    let rows = deletedRows.keys { _ in true }.flatMap { entity, keys in keys.map { RowKey(key: $0, entity: entity) } }
    attempt("reading what is deleted") { _ = try models(of: rows) }
  }
}
