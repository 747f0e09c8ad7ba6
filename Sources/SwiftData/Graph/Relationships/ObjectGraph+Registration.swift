import Foundation

// Models enter and leave the context.
extension ObjectGraph {
  func register(_ root: any PersistentModel) {
    if !isResolved(root) { InsertionOperation(graph: self).run(root) }
  }

  /// Whether a model belongs to this context and has no pending deletion.
  func isResolved(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.isLive && $0.belongs(to: self) }
  }

  func delete(cascadingFrom root: any PersistentModel) {
    DeletionOperation(graph: self).run(root)
  }

  func undelete(_ root: any PersistentModel) {
    UndeleteOperation(graph: self).run(root)
  }

  /// Detaches a model whose row is gone. It keeps its last values.
  func retire(_ model: any PersistentModel) {
    // The member keys belong to this context, and the model may be inserted into another.
    for toMany in ModelRuntime.of(model).toManys { toMany.discardMemberKeys(of: model) }
    model._$withState { $0.leave(.detached) }
    dropDeparted(from: model)
  }

  /// Removes references from a model that leaves the context to models that left before: two that refer to each other would
  /// retain each other, and with them the graph of their other targets.
  func dropDeparted(from model: any PersistentModel) {
    for property in ModelRuntime.of(model).relationships {
      property.drop(from: model) { $0._$withState { $0.status == .transient || $0.status == .detached } }
    }
  }

  /// Deletes rows. Models are made only where a model in memory has to be unlinked.
  func delete(_ rows: [RowKey]) throws {
    if UndoRecorder.areThereAny, let undoRecorder, !rows.isEmpty {
      // The values of rows that are not read cannot be restored.
      undoRecorder.removeAll()
      return try undoRecorder.suspended { try deleteWithoutUndo(rows) }
    }
    try deleteWithoutUndo(rows)
  }

  private func deleteWithoutUndo(_ rows: [RowKey]) throws {
    let deletion = try RowDeletion(rows, self)
    let models = try models(of: deletion.rowsWithModels)
    for model in models { delete(cascadingFrom: model) }
    for row in deletion.rows {
      let map = bindingsByOrdinal[row.entity].map
      // It may have been read together with the models.
      if let model = map.model(row.key) {
        delete(cascadingFrom: model)
      } else {
        journal.recordDeletion(of: row, of: map)
      }
    }
    invalidateReadAhead(among: Set(deletion.rows.map(\.entity)))
  }

  /// The models of some rows, which are read.
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

  /// Makes models for those rows with a pending deletion that another row refers to with the delete rule `deny`: the
  /// reference may have been saved after the deletion.
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

  /// Makes models for rows with a pending deletion.
  func loadRows(_ rows: [(entity: Int, keys: [Int64])]) throws {
    _ = try models(of: rows.flatMap { entity, keys in keys.map { RowKey(key: $0, entity: entity) } })
  }

  /// Makes models for all rows with a pending deletion.
  func loadDeletedRows() {
    guard !journal.deletedRows.isEmpty else { return }
    let rows = journal.deletedRows.keys { _ in true }.flatMap { entity, keys in
      keys.map { RowKey(key: $0, entity: entity) }
    }
    exclusively { _ = attempt("reading deleted rows") { _ = try models(of: rows) } }
  }
}
