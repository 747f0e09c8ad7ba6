// Rows become models here: those that are read, and those whose rows are read later.
extension ObjectGraph {
  /// The registered model for a row, made without reading the row when there is none.
  ///
  /// - Parameter binding: The entity of the row itself, which the row told; `find` is for what somebody else says.
  /// - Throws: Why the row could not be read where it has to be.
  func fault(_ key: Int64, _ binding: EntityBinding, group: FetchGroup? = nil) throws -> any PersistentModel {
    if let model = binding.map.model(key) {
      if model._$withState({ $0.isOf(binding) }) {
        join(group, model)
        return model
      }
      giveUp(model, inFavourOf: binding)
    }
    // What is about to be deleted is read while it is there.
    if !journal.deletedRows.isEmpty, journal.deletedRows.contains(key, of: binding.map),
      let model = try read(key, binding, group)
    {
      return model
    }
    if binding.runtime.hasConstants {
      // A constant is set while its model is made, so such a model cannot wait for its row.
      if let model = try read(key, binding, group) { return model }
      SampleValues.prepare(binding.runtime, self)
    }
    return makeFault(binding.runtime.type, key, binding, group)
  }

  /// The model of a row, which is read; nil when there is none of the entity, or of one that inherits from it.
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

  /// Whether values of the model's row could not be decoded, and none of them is a constant's.
  private func hasOnlyDamagedVariables(_ model: any PersistentModel) -> Bool {
    let damaged = model._$withState { $0.damaged }
    return damaged != 0
      && !ModelRuntime.of(model).properties.contains { $0.isConstant && damaged & _ModelState.bit($0.index) != 0 }
  }

  /// Takes a registered model out of the context whose row turned out to be of another entity: its properties are not
  /// those of the row. Somebody else has changed what the row is.
  private func giveUp(_ model: any PersistentModel, inFavourOf binding: EntityBinding) {
    let identifier = model.anyIdentifier
    Log.store.error("\(identifier) turned out to be a \(binding.entity.name); the object leaves its context.")
    if model.hasChanges {
      record(
        SwiftDataError.modelValidationFailure.with(
          entity: identifier.entityName,
          message: "The row of a changed \(identifier.entityName) was made a \(binding.entity.name).",
          hint: "The changes are not saved. Fetch the model again.", identifiers: [identifier]))
    }
    let ordinal = model._$withState { $0.withBinding { $0.ordinal } }
    forget(model)
    // What it leads to does not let go of it as long as that leads back.
    if let ordinal { releaseLinks(to: [ordinal], includingMutual: true) }
  }

  /// Moves a model that is registered already to the group of models that came together last: they are walked together
  /// next.
  func join(_ group: FetchGroup?, _ model: any PersistentModel, at place: Int32? = nil) {
    if let group { model._$withState { $0.join(group, at: place) } }
  }

  /// The registered model for a row, with the row's values unless the model has changes of its own.
  func receive(_ row: RowKey, _ reader: _RowReader, _ group: FetchGroup?) -> any PersistentModel {
    receive(row.key, bindingsByOrdinal[row.entity], reader, group)
  }

  /// - Parameter place: The model's place in `group`, when it has one already.
  func receive(
    _ key: Int64, _ binding: EntityBinding, _ reader: _RowReader, _ group: FetchGroup?, at place: Int32? = nil
  ) -> any PersistentModel {
    let page = binding.map.page(for: key)
    if let model = page.model(key), update(model, binding, from: reader, group, at: place) { return model }
    // A page goes away with its last model, which may be the one that was given up.
    return make(binding.runtime.type, key, binding, binding.map.page(for: key), reader, group, at: place)
  }

  /// Gives a registered model the values of its row, unless it has them already.
  ///
  /// - Parameter binding: The entity of the row, whose columns `reader` has.
  /// - Returns: false when the row is of another entity than the model, which has left the context then.
  func update(
    _ model: any PersistentModel, _ binding: EntityBinding, from reader: _RowReader, _ group: FetchGroup?,
    at place: Int32? = nil
  ) -> Bool {
    let (isSame, isCurrent) = model._$withState { state in
      guard state.isOf(binding) else { return (false, false) }
      if let group { state.join(group, at: place) }
      return (true, reader.age != 0 && state.age == reader.age && !state.isFault)
    }
    if !isSame {
      giveUp(model, inFavourOf: binding)
    } else if !isCurrent {
      refresh(model, reader)
    }
    return isSame
  }

  /// Makes and registers the model of a row.
  ///
  /// - Returns: A model of `type`. It is not returned as one, because a reference of a type that is not known at compile
  ///   time is counted once more for each use as any model.
  @inline(__always)
  func make<Model: PersistentModel>(
    _ type: Model.Type, _ key: Int64, _ binding: EntityBinding, _ page: IdentityMap.Page, _ reader: _RowReader,
    _ group: FetchGroup?, at place: Int32? = nil
  ) -> any PersistentModel {
    page.reserve()
    let origin = _ModelOrigin(
      binding: binding, key: key, group: group, place: place, isFault: reader.isPartial, age: reader.age)
    let model: any PersistentModel = type.init(_$origin: origin, row: reader)
    if let other = page.place(model, key, isNew: true) {
      return give(other, inPlaceOf: model, type, key, binding, page, reader, group, at: place)
    }
    if reader.failure != nil { recordDamage(of: model, reader) }
    if !journal.deletedRows.isEmpty { recordDeletion(of: model, key, binding) }
    return model
  }

  /// The model that was made for a row while another one was, by a look-up in the coding of one of its values.
  private func give<Model: PersistentModel>(
    _ other: any PersistentModel, inPlaceOf model: any PersistentModel, _ type: Model.Type, _ key: Int64,
    _ binding: EntityBinding, _ page: IdentityMap.Page, _ reader: _RowReader, _ group: FetchGroup?, at place: Int32?
  ) -> any PersistentModel {
    model._$withState { $0.withdraw() }
    page.endOne()
    guard other is Model, update(other, binding, from: reader, group, at: place) else {
      return make(type, key, binding, binding.map.page(for: key), reader, group, at: place)
    }
    return other
  }

  /// Notes which values of a row could not be read.
  func recordDamage(of model: any PersistentModel, _ reader: _RowReader) {
    model._$withState { state in
      state.age = 0
      state.damaged = reader.rejected
    }
  }

  /// Makes and registers a model whose row is read later.
  private func makeFault<Model: PersistentModel>(
    _ type: Model.Type, _ key: Int64, _ binding: EntityBinding, _ group: FetchGroup?
  ) -> any PersistentModel {
    let page = binding.map.page(for: key)
    page.reserve()
    let origin = _ModelOrigin(
      binding: binding, key: key, group: group, place: nil, isFault: true, age: 0)
    let model: any PersistentModel = type.init(_$origin: origin, row: emptyRow)
    if let other = page.place(model, key, isNew: true), other is Model {
      model._$withState { $0.withdraw() }
      page.endOne()
      return other
    }
    if !journal.deletedRows.isEmpty { recordDeletion(of: model, key, binding) }
    return model
  }

  /// Marks a model for deletion that was made for a row which the next save deletes.
  private func recordDeletion(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) {
    if journal.cancelDeletion(ofRow: key, of: binding.map) { journal.recordDeletion(of: model) }
  }
}
