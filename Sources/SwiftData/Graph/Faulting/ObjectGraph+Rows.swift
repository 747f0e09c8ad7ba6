// Makes models for rows, and faults for rows that are read later.
extension ObjectGraph {
  /// The registered model for a row, or a new fault.
  ///
  /// - Parameter binding: The entity of the row itself. If the entity is only assumed, use `find`.
  /// - Throws: Why the row could not be read, where that is necessary.
  func fault(_ key: Int64, _ binding: EntityBinding, group: FetchGroup? = nil) throws -> any PersistentModel {
    if let model = binding.map.model(key) {
      if model._$withState({ $0.isOf(binding) }) {
        join(group, model)
        return model
      }
      evict(model, replacedBy: binding)
    }
    // A row with a pending deletion is read while it exists.
    if !journal.deletedRows.isEmpty, journal.deletedRows.contains(key, of: binding.map),
      let model = try read(key, binding, group)
    {
      return model
    }
    if binding.runtime.hasConstants {
      // A constant is set when its model is made, so such a model cannot be a fault.
      if let model = try read(key, binding, group) { return model }
      FallbackValues.prepare(binding.runtime, self)
    }
    return makeFault(binding.runtime.type, key, binding, group)
  }

  /// The model of a row, which is read; nil if there is no row of the entity or a subentity.
  func read(_ key: Int64, _ binding: EntityBinding, _ group: FetchGroup?) throws -> (any PersistentModel)? {
    var made: (any PersistentModel)?
    do {
      try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
        guard bindingsByOrdinal[row.entity].entity.isKind(of: binding.entity) else { return }
        made = receive(row, reader, group)
      }
    } catch {
      // One value could not be decoded. The model becomes a fault, whose accessors read the other values. A constant is set
      // when its model is made, so a model with a damaged constant is refused.
      guard let made, hasOnlyDamagedVariables(made) else { throw error }
      unload(made)
    }
    return made
  }

  /// Whether values of the model's row could not be decoded, none of them a constant's.
  private func hasOnlyDamagedVariables(_ model: any PersistentModel) -> Bool {
    let damaged = model._$withState { $0.damaged }
    return damaged != 0
      && !ModelRuntime.of(model).properties.contains { $0.isConstant && damaged & _ModelState.bit($0.index) != 0 }
  }

  /// Evicts a registered model whose row has changed to another entity: the model lacks the properties of the row. Another
  /// context has replaced the row.
  private func evict(_ model: any PersistentModel, replacedBy binding: EntityBinding) {
    let identifier = model.anyIdentifier
    Log.store.error("The row of \(identifier) is now a \(binding.entity.name); its object is evicted from the context.")
    if model.hasChanges {
      record(
        SwiftDataError.modelValidationFailure.with(
          entity: identifier.entityName,
          message: "The row of a changed \(identifier.entityName) has become a \(binding.entity.name).",
          hint: "The changes are not saved. Fetch the model again.", identifiers: [identifier]))
    }
    let ordinal = model._$withState { $0.withBinding { $0.ordinal } }
    evict(model)
    // Targets that refer back to the model would retain it.
    if let ordinal { removeDetachedTargets(of: [ordinal], includingMutual: true) }
  }

  /// Moves a registered model to the group of the last fetch, because the program enumerates that fetch next.
  func join(_ group: FetchGroup?, _ model: any PersistentModel, at index: Int32? = nil) {
    if let group { model._$withState { $0.join(group, at: index) } }
  }

  /// The registered model for a row, with the row's values except where the model has unsaved changes.
  func receive(_ row: RowKey, _ reader: _RowReader, _ group: FetchGroup?) -> any PersistentModel {
    receive(row.key, bindingsByOrdinal[row.entity], reader, group)
  }

  /// - Parameter index: The model's index in `group`, if it has one already.
  func receive(
    _ key: Int64, _ binding: EntityBinding, _ reader: _RowReader, _ group: FetchGroup?, at index: Int32? = nil
  ) -> any PersistentModel {
    let page = binding.map.page(for: key)
    if let model = page.model(key), update(model, binding, from: reader, group, at: index) { return model }
    // A page is freed with its last model, which may be the evicted one.
    return make(binding.runtime.type, key, binding, binding.map.page(for: key), reader, group, at: index)
  }

  /// Refreshes a registered model from its row, unless it has the row's values already.
  ///
  /// - Parameter binding: The entity of the row, whose columns `reader` has.
  /// - Returns: False if the row is of another entity than the model; the model is evicted then.
  func update(
    _ model: any PersistentModel, _ binding: EntityBinding, from reader: _RowReader, _ group: FetchGroup?,
    at index: Int32? = nil
  ) -> Bool {
    let (isSame, isCurrent) = model._$withState { state in
      guard state.isOf(binding) else { return (false, false) }
      if let group { state.join(group, at: index) }
      return (true, reader.age != 0 && state.age == reader.age && !state.isFault)
    }
    if !isSame {
      evict(model, replacedBy: binding)
    } else if !isCurrent {
      refresh(model, reader)
    }
    return isSame
  }

  /// Makes and registers the model of a row.
  ///
  /// - Returns: A model of `type`. The result type is an existential, because a reference whose type is unknown at compile
  ///   time costs one more retain for each use as an existential.
  @inline(__always)
  func make<Model: PersistentModel>(
    _ type: Model.Type, _ key: Int64, _ binding: EntityBinding, _ page: IdentityMap.Page, _ reader: _RowReader,
    _ group: FetchGroup?, at index: Int32? = nil
  ) -> any PersistentModel {
    page.reserve()
    let origin = _ModelOrigin(
      binding: binding, key: key, group: group, index: index, isFault: reader.isPartial, age: reader.age)
    let model: any PersistentModel = type.init(_$origin: origin, row: reader)
    if let other = page.register(model, key, isNew: true) {
      return useRegistered(other, inPlaceOf: model, type, key, binding, page, reader, group, at: index)
    }
    if reader.failure != nil { recordDamage(of: model, reader) }
    if !journal.deletedRows.isEmpty { recordDeletion(of: model, key, binding) }
    return model
  }

  /// The model that was made for the same row meanwhile, by a fetch in the decoding of one of the row's values.
  private func useRegistered<Model: PersistentModel>(
    _ other: any PersistentModel, inPlaceOf model: any PersistentModel, _ type: Model.Type, _ key: Int64,
    _ binding: EntityBinding, _ page: IdentityMap.Page, _ reader: _RowReader, _ group: FetchGroup?, at index: Int32?
  ) -> any PersistentModel {
    model._$withState { $0.withdraw() }
    page.endOne()
    guard other is Model, update(other, binding, from: reader, group, at: index) else {
      return make(type, key, binding, binding.map.page(for: key), reader, group, at: index)
    }
    return other
  }

  /// Records which values of a row could not be decoded.
  func recordDamage(of model: any PersistentModel, _ reader: _RowReader) {
    model._$withState { state in
      state.age = 0
      state.damaged = reader.rejected
    }
  }

  /// Makes and registers a fault.
  private func makeFault<Model: PersistentModel>(
    _ type: Model.Type, _ key: Int64, _ binding: EntityBinding, _ group: FetchGroup?
  ) -> any PersistentModel {
    let page = binding.map.page(for: key)
    page.reserve()
    let origin = _ModelOrigin(
      binding: binding, key: key, group: group, index: nil, isFault: true, age: 0)
    let model: any PersistentModel = type.init(_$origin: origin, row: emptyRow)
    if let other = page.register(model, key, isNew: true), other is Model {
      model._$withState { $0.withdraw() }
      page.endOne()
      return other
    }
    if !journal.deletedRows.isEmpty { recordDeletion(of: model, key, binding) }
    return model
  }

  /// Marks a new model for deletion if the next save deletes its row.
  private func recordDeletion(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) {
    if journal.cancelDeletion(ofRow: key, of: binding.map) { journal.recordDeletion(of: model) }
  }
}
