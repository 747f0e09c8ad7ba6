import Foundation

extension ObjectGraph {
  /// The rows of groups for a query, from the store if it supports the query and there are no unsaved changes of the types
  /// involved.
  func rows<T: PersistentModel>(of query: AggregateQuery<T>) throws -> [AggregateRow] {
    try exclusively { try read(query) }
  }

  private func read<T: PersistentModel>(_ query: AggregateQuery<T>) throws -> [AggregateRow] {
    let descriptor = query.descriptor
    try prepareToRead(descriptor)
    let reachesPending = descriptor.includePendingChanges && hasPending(query.visitedTypes)
    let fetch = try FetchOperation(descriptor, for: .aggregates, in: self)
    if fetch.isAnsweredByStore, !reachesPending, let rows = try fetch.plan.aggregates(query) { return rows }
    // The descriptor excludes unsaved values: another context has the committed ones.
    if hasChanges, !descriptor.includePendingChanges {
      return try withOtherContext { other in try other.evaluate(query) { try other.fetch(descriptor) } }
    }
    return try evaluate(query, over: fetch.run)
  }

  private func evaluate<T: PersistentModel>(
    _ query: AggregateQuery<T>, over models: () throws -> [T]
  ) throws -> [AggregateRow] {
    do {
      let rows = try AggregateEvaluator(query).rows(over: models())
      try throwAccessFailure()
      return rows
    } catch ArithmeticFailure.overflow {
      throw query.overflow
    }
  }

  /// The rows of groups, with models for keys that are models.
  func groups<T: PersistentModel>(of query: AggregateQuery<T>) throws -> [AggregateRow] {
    try exclusively {
      var rows = try read(query)
      for (index, operand) in query.keys.enumerated() {
        try fillInModels(at: index, of: &rows, unwrappedType(operand.valueType))
      }
      return rows
    }
  }

  /// Replaces identifiers by models, if a group's key is a model.
  private func fillInModels(at index: Int, of rows: inout [AggregateRow], _ type: any Any.Type) throws {
    guard let type = type as? any PersistentModel.Type else { return }
    let destination = try requireBinding(for: type)
    let identifiers = rows.compactMap { $0.cells[index] as? PersistentIdentifier }
    var models: [PersistentIdentifier: any PersistentModel] = [:]
    var missing: [Int64: PersistentIdentifier] = [:]
    for identifier in Set(identifiers) {
      if let model = registered(identifier) {
        models[identifier] = model
      } else if let row = try searchedRow(of: identifier) {
        missing[row.key] = identifier
      }
    }
    if !missing.isEmpty {
      let group = FetchGroup(map: destination.map)
      try destination.session.rows(of: destination.rootEntity, keys: missing.keys.sorted()) { row, reader in
        if let identifier = missing[row.key] { models[identifier] = receive(row, reader, group) }
      }
    }
    for row in rows.indices {
      guard let identifier = rows[row].cells[index] as? PersistentIdentifier else { continue }
      rows[row].cells[index] = models[identifier]
    }
  }
}
