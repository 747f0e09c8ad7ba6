extension ObjectGraph {
  func register(_ root: any PersistentModel) {
    if isSettled(root) { return }
    var waiting: [any PersistentModel] = []
    admit(root, &waiting)
    while let model = waiting.popLast() { admit(model, &waiting) }
  }

  /// - Parameter waiting: Takes the models that have to be registered along with this one.
  private func admit(_ model: any PersistentModel, _ waiting: inout [any PersistentModel]) {
    // Not counted: this graph has the binding, and the binding its rules.
    let (status, owner, isMine) = model._$withState { ($0.status, $0.graphIdentity, $0.belongs(to: self)) }
    if status == .deleted, isMine { return reinstate(model) }
    guard admit(model, status, isOwned: owner != nil, isMine), let binding = model._$withState({ $0.bindingReference })
    else { return }
    for rule in binding._withUnsafeGuaranteedRef({ $0.ruleReferences }) {
      rule._withUnsafeGuaranteedRef { admitTargets(of: $0.property, isToMany: $0.isToMany, model, &waiting) }
    }
  }

  private func admitTargets(
    of property: any RelationshipProperty, isToMany: Bool, _ model: any PersistentModel,
    _ waiting: inout [any PersistentModel]
  ) {
    if !isToMany, property.loadedTarget(of: model).map(isSettled) ?? true {
      property.linkBack(from: model)
      return
    }
    localizeTargets(of: property, model)
    let count = waiting.count
    property.forEachLoadedTarget(of: model) { target in
      if target._$withState({ !$0.belongs(to: self) || $0.status == .deleted }) { waiting.append(target) }
    }
    for target in waiting[count...] where target._$withState({ $0.status == .gone && !$0.isHollow }) { renew(target) }
    property.linkBack(from: model)
    if waiting.count > count + 1 { waiting[count...].reverse() }
  }

  /// Whether a model belongs to this context and stays there with the next save.
  func isSettled(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.isLive && $0.belongs(to: self) }
  }

  /// Replaces targets that belong to another context, which only an initializer can have set, by the models that stand
  /// for the same rows here.
  private func localizeTargets(of property: any RelationshipProperty, _ model: any PersistentModel) {
    var strangers: [any PersistentModel] = []
    property.forEachLoadedTarget(of: model) { target in
      let (owner, isRegistered, isHollow) = target._$withState { ($0.graph, $0.status == .registered, $0.isHollow) }
      if owner !== self, owner != nil || isRegistered || isHollow { strangers.append(target) }
    }
    for target in strangers { property.replace(target, by: counterpart(of: target), in: model) }
  }

  /// Makes an inserted model a plain object again. Its links stay, out of sight of the other side, as in an object that
  /// its initializer just made.
  ///
  /// - Parameter formerKey: The key that it had before its row was deleted, and gets again.
  func dismiss(_ model: any PersistentModel, formerKey: Int64? = nil) {
    model._$withState { state in
      state.status = .plain
      if let formerKey { return state.leave(.plain, for: formerKey) }
      state.binding = nil
    }
    for property in ModelRuntime.of(model).relationships { property.markOneSided(model) }
  }

  /// Makes a model whose row is gone what its initializer would have left: new, with links that nobody else knows of. It
  /// keeps the row's key until a context takes it in, which notes the key in its journal.
  func renew(_ model: any PersistentModel) {
    model._$withState { $0.status = .plain }
    for property in ModelRuntime.of(model).relationships {
      // Nothing can be read any more, and what is linked now is all that there is.
      if !property.isLoaded(model) { property.fillWithDefault(model) }
      dropTaken(from: property, model)
      property.markOneSided(model)
    }
  }

  /// Gives up targets that lead to somebody else by now.
  private func dropTaken(from property: any RelationshipProperty, _ model: any PersistentModel) {
    guard let inverse = property.inverse(for: model), !inverse.isToMany else { return }
    func isTaken(_ target: any PersistentModel) -> Bool {
      guard target._$withState({ $0.belongs(to: self) }) else { return false }
      // Where it leads when that cannot be read is found out, and reported, when it is linked.
      let holder = try? inverse.targets(of: target).first
      return holder.map { $0 !== model } ?? false
    }
    let targets = property.loadedTargets(of: model)
    let kept = targets.filter { !isTaken($0) }
    if kept.count < targets.count { property.fill(model, with: kept) }
  }

  /// - Returns: whether the model is new to this context, so that what it leads to has to be looked at.
  private func admit(
    _ model: any PersistentModel, _ status: _ModelState.Status, isOwned: Bool, _ isMine: Bool
  ) -> Bool {
    if isOwned, !isMine {
      reject(model, "The model belongs to another context.", "Fetch it in this context by its persistentModelID.")
      return false
    }
    switch status {
    case .registered where !isOwned:
      reject(model, "The model's context is gone.", "Fetch it in this context by its persistentModelID.")
      return false
    case .inserted, .registered, .deleted:
      return false
    case .gone where model._$withState { $0.isHollow }:
      rejectHollow(model)
      return false
    case .plain, .gone:
      if status == .gone { renew(model) }
      guard let binding = binding(forNext: Swift.type(of: model)) else {
        reject(
          model, "The container's schema has no entity for \(Swift.type(of: model)).",
          "List the type when you make the ModelContainer.")
        return false
      }
      let former = model._$withState { state -> Int64? in
        let former = state.key > 0 && state.store == binding.store ? state.key : nil
        if state.key >= 0 { state.key = TemporaryKey.next() }
        if state.lastIdentifier != nil { state.lastIdentifier = nil }
        state.binding = binding
        state.age = 0
        return former
      }
      journal.noteInsertion(of: model)
      if let former, RowIdentity.isNumber(former) { journal.noteRevival(of: model, former) }
      return true
    }
  }

  /// The object for the row of `model` here, when `model` belongs to another context.
  func counterpart(of model: any PersistentModel) -> (any PersistentModel)? {
    let (key, store, isHollow) = model._$withState { ($0.key, $0.store, $0.isHollow) }
    if isHollow {
      rejectHollow(model)
      return nil
    }
    guard key > 0, let binding = binding(for: Swift.type(of: model)), binding.store == store else {
      reject(
        model, "An unsaved model of another context was linked.", "Save it there first, or make it in this context.")
      return nil
    }
    do {
      return try fault(key, binding)
    } catch {
      reject(model, "A model of another context was linked, and cannot be read here: \(error)", "Link it again.")
      return nil
    }
  }

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
      Specimens.prepare(binding.runtime, self)
    }
    return makeFault(binding.runtime.type, key, binding, group)
  }

  /// The model of a row, which is read; nil when there is none of the entity, or of one that inherits from it.
  func read(_ key: Int64, _ binding: EntityBinding, _ group: FetchGroup?) throws -> (any PersistentModel)? {
    var made: (any PersistentModel)?
    try binding.session.row(of: binding.rootEntity, key: key) { row, reader in
      guard bindingsByOrdinal[row.entity].entity.isKind(of: binding.entity) else { return }
      made = receive(row, reader, group)
    }
    return made
  }

  /// Takes a registered model out of the context whose row turned out to be of another entity: its properties are not
  /// those of the row. Somebody else has changed what the row is.
  private func giveUp(_ model: any PersistentModel, inFavourOf binding: EntityBinding) {
    let identifier = model.anyIdentifier
    Log.store.error("\(identifier) turned out to be a \(binding.entity.name); the object leaves its context.")
    if model.hasChanges {
      note(
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
    if reader.failure != nil { noteDamage(of: model, reader) }
    if !journal.deletedRows.isEmpty { noteDeletion(of: model, key, binding) }
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
  func noteDamage(of model: any PersistentModel, _ reader: _RowReader) {
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
    if !journal.deletedRows.isEmpty { noteDeletion(of: model, key, binding) }
    return model
  }

  /// Marks a model for deletion that was made for a row which the next save deletes.
  private func noteDeletion(of model: any PersistentModel, _ key: Int64, _ binding: EntityBinding) {
    if journal.takeBackDeletion(ofRow: key, of: binding.map) { journal.noteDeletion(of: model) }
  }
}

extension PersistentModel {
  /// The identifier, for callers that hold a model of any type.
  var anyIdentifier: PersistentIdentifier {
    ModelRuntime.of(self).identifier(of: self)
  }
}
