import Foundation

extension ObjectGraph {
  /// The rows of groups that answer a query, from the store if it can and unsaved changes allow it.
  func rows<T: PersistentModel>(of query: AggregateQuery<T>) throws -> [AggregateRow] {
    let descriptor = query.descriptor
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    let reachesPending = descriptor.includePendingChanges && hasPending(query.visitedTypes)
    let overlay = PendingOverlay(self, binding, descriptor, residue: FetchResidue())
    if overlay == nil, !reachesPending, let rows = try binding.session.fetchAggregates(query) {
      return rows
    }
    // Values that were changed and do not count must not be seen either: another context has the saved ones.
    let other = hasChanges && !descriptor.includePendingChanges ? ModelContext(container) : nil
    let graph = other?.graph ?? self
    do {
      let rows = try AggregateEvaluator(query).rows(over: graph.fetch(descriptor))
      try graph.throwAccessFailure()
      return rows
    } catch is ArithmeticFunctions.Overflow {
      throw AggregateError(overflowIn: query)
    }
  }

  /// The rows of groups, with models as keys where keys are such.
  func groups<T: PersistentModel>(of query: AggregateQuery<T>) throws -> [AggregateRow] {
    var rows = try rows(of: query)
    for (index, operand) in query.keys.enumerated() {
      try fillInModels(at: index, of: &rows, unwrappedType(operand.valueType))
    }
    return rows
  }

  /// Puts models in the place of their identifiers, when that is what a group's key is.
  private func fillInModels(at index: Int, of rows: inout [AggregateRow], _ type: any Any.Type) throws {
    guard let type = type as? any PersistentModel.Type else { return }
    let destination = try requireBinding(for: type)
    let identifiers = rows.compactMap { $0.cells[index] as? PersistentIdentifier }
    var models: [Int64: any PersistentModel] = [:]
    for identifier in identifiers where identifier.isTemporary {
      models[identifier.id.key] = inserted.models.first { $0.anyIdentifier == identifier }
    }
    let keys = Set(identifiers.map(\.id.key)).filter { $0 > 0 }
    var missing: [Int64] = []
    for key in keys {
      if let model = destination.map.model(key) { models[key] = model } else { missing.append(key) }
    }
    if !missing.isEmpty {
      let group = FetchGroup(map: destination.map)
      try destination.session.rows(of: destination.rootEntity, keys: missing.sorted()) { row, reader in
        models[row.key] = receive(row, reader, group)
      }
    }
    for place in rows.indices {
      guard let identifier = rows[place].cells[index] as? PersistentIdentifier else { continue }
      rows[place].cells[index] = models[identifier.id.key]
    }
  }
}
