import Foundation

extension ModelContext {
  /// One aggregate over the models that `descriptor` selects. ``fetchSum(of:matching:)-(KeyPath<T,Value>,_)`` and its kin
  /// say the same in a word.
  public func fetchAggregates<T: PersistentModel, Value>(
    _ aggregate: AggregateDescriptor<T, Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> Value {
    let rows = try rows(of: AggregateQuery(descriptor, columns: [aggregate.column]))
    return try AggregateCell.cast(rows.first?.cells.first ?? nil, to: Value.self)
  }

  /// Several aggregates over the models that `descriptor` selects, worked out together.
  ///
  /// ```swift
  /// let (total, last) = try context.fetchAggregates(.sum(of: \.amount), .maximum(of: \.date), matching: descriptor)
  /// ```
  ///
  /// The store answers with one statement and no model is made, unless the predicate or a value has no form in SQL, or
  /// unsaved changes bear on the answer: then the models are fetched and the same is done in memory.
  ///
  /// - Parameters:
  ///   - aggregate: What to work out.
  ///   - descriptor: Which models; with a limit, those that ``fetch(_:)`` would return.
  /// - Throws: ``SwiftDataError`` for a key path that leads to no persisted value, ``AggregateError`` for a sum of
  ///   integers that overflows, or the store's failure.
  public func fetchAggregates<T: PersistentModel, each Value>(
    _ aggregate: repeat AggregateDescriptor<T, each Value>, matching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> (repeat each Value) {
    var columns: [AggregateColumn] = []
    repeat columns.append((each aggregate).column)
    let rows = try rows(of: try AggregateQuery(descriptor, columns: columns))
    var cells = (rows.first?.cells ?? [])[...]
    return (repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Value).self))
  }

  // MARK: The answer

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
    let context = hasChanges && !descriptor.includePendingChanges ? ModelContext(container) : self
    do {
      let rows = try AggregateEvaluator(query).rows(over: context.fetch(descriptor))
      try context.throwAccessFailure()
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
