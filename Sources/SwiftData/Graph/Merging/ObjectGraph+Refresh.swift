extension ObjectGraph {
  /// Gives a registered model the values that its row has now; properties with pending changes keep theirs.
  func refresh(_ model: any PersistentModel, _ reader: _RowReader) {
    reader.keepsOthers = true
    if !reader.departures.isEmpty { reader.departures.removeAll() }
    reader.graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    defer { reader.keepsOthers = false }
    let (status, isFault, isPlain, age) = model._$withState {
      ($0.status, $0.isFault, $0.extrasReference == nil, $0.age)
    }
    guard status == .registered || status == .deleted else { return }
    if isFault, isPlain {
      model._$load(reader)
    } else {
      load(model, reader, isFault: isFault)
      model._$withState { $0.isMissing = false }
    }
    let (isPartial, hasFailed) = (reader.isPartial, reader.failure != nil)
    model._$withState { state in
      // What a part of a row leaves out is still of the state that it was.
      if !isPartial || hasFailed { state.age = hasFailed ? 0 : reader.age }
      if !isPartial {
        state.isFault = false
        state.damaged = reader.rejected
      }
    }
    // What lacks a part of its row may have relationships that came with the other part, from another state of the
    // store.
    if !isFault || age != 0 && age != reader.age { releaseRelationships(of: model, reader) }
    if !reader.departures.isEmpty { follow(model, reader.departures) }
  }

  /// Makes a model ask for all that it has not changed when it is touched.
  func unload(_ model: any PersistentModel) {
    guard model._$withState({ $0.status == .registered }) else { return }
    load(model, emptyRow, isFault: false)
    releaseRelationships(of: model, emptyRow)
    model._$withState { $0.isFault = true }
  }

  /// Loads a row into a model that has values, changes or observers.
  private func load(_ model: any PersistentModel, _ reader: _RowReader, isFault: Bool) {
    let (isObserved, isDeleted) = model._$withState { ($0.observers != nil, $0.status == .deleted) }
    guard let runtime = model._$withState({ $0.binding?.runtime }) else { return }
    let before = (isObserved || isDeleted) && !isFault ? runtime.properties.map { $0.slot(of: model) } : []
    let changes = model._$withState { $0.changes }
    let pending = (changes?.entries ?? []).compactMap { entry -> (JournalEntry, _ModelProperty, Any)? in
      if case .members = entry { return nil }
      return (entry, runtime.properties[entry.index], runtime.properties[entry.index].slot(of: model))
    }
    model._$load(reader)
    for (former, property, slot) in pending {
      // What was there before is in the journal, and not what the reader has found.
      reader.departures.removeAll { $0.index == property.index }
      // A rollback goes back to what the row has now, if it tells.
      if reader.columns[property.index] >= 0, reader.rejected & _ModelState.bit(property.index) == 0 {
        let stored = property.entry(of: model)
        if case .target(_, let old) = former, case .target(_, let new) = stored, old.isRead, old.rowKey != new.rowKey {
          reader.noteDeparture(of: property.index, from: old.rowKey)
        }
        if let changes { noteConflict(former, stored, property, changes) }
        if isDeleted, isChanged(former, stored, property) { journal.noteConflict(model) }
        changes?.replace(stored)
      }
      property.restore(slot, to: model)
    }
    if before.isEmpty { return }
    for property in runtime.properties where !property.isConstant {
      let former = before[property.index]
      if !property.isRead(former) || property.isEqual(former, property.slot(of: model)) { continue }
      if isDeleted, reader !== emptyRow { journal.noteConflict(model) }
      property.noteChange(of: model)
    }
  }

  /// Whether others have changed what a property had before it was changed here.
  private func isChanged(_ former: JournalEntry, _ stored: JournalEntry, _ property: _ModelProperty) -> Bool {
    switch (former, stored) {
    case (.attribute(_, let old), .attribute(_, let new)): property.isRead(old) && !property.isEqual(old, new)
    case (.target(_, let old), .target(_, let new)): old.isRead && old.rowKey != new.rowKey
    default: false
    }
  }

  /// Makes relationships that a row does not tell ask the store again.
  private func releaseRelationships(of model: any PersistentModel, _ reader: _RowReader) {
    guard let runtime = model._$withState({ $0.binding?.runtime }) else { return }
    for property in runtime.relationships where model._$withState({ !$0.isPending(property.index) }) {
      if property.isToMany {
        // Who takes in what others saved has them follow it, or has released them.
        if merging.isUnderWay, model._$withState({ $0.status == .registered }) { continue }
        let wasLoaded = property.isLoaded(model)
        property.release(model)
        if wasLoaded { property.noteChange(of: model) }
      } else if !reader.isPartial, reader.columns[property.index] < 0,
        property.inverse(for: model)?.isToMany == false
      {
        // The key of the target stands in the target's row.
        property.unload(model)
      }
    }
  }

  /// Takes in what other contexts of the container saved since the last time.
  ///
  /// Registered models get their new values, deleted ones go away, and to-many relationships that may have gained or
  /// lost members are read anew. Pending changes are kept.
  ///
  /// - Throws: Why the rows could not be read. The next call takes in what this one could not.
  func processInbox() throws {
    // What is being saved just now stays as it is until it is.
    if saving.isWriting { return }
    let changes = inbox.take()
    if changes.isEmpty { return }
    let context = context
    defer { withExtendedLifetime(context) {} }
    defer { checkInvariants() }
    notices.noteInvalidated(registeredIdentifiers(invalidatedBy: changes))
    do {
      if UndoRecorder.areThereAny, let undoRecorder {
        // What others have done is not for this context to undo, and not to be taken for what it has done.
        undoRecorder.end()
        try undoRecorder.suspended { try takeIn(changes) }
      } else {
        try takeIn(changes)
      }
    } catch {
      inbox.putBack(changes)
      throw error
    }
    notices.closeInvalidation()
  }

  /// The models that the context has of entities of which all rows were invalidated.
  private func registeredIdentifiers(invalidatedBy changes: ChangeInbox.Changes) -> [PersistentIdentifier] {
    let ordinals = Set(changes.entities.lazy.filter { $0.value.isInvalidated }.map { $0.key })
    if ordinals.isEmpty { return [] }
    return registeredModels.compactMap { model in
      let (key, binding) = model._$withState { ($0.key, $0.binding) }
      guard let binding, ordinals.contains(binding.ordinal) else { return nil }
      return binding.identifier(of: key)
    }
  }

  /// The same where nothing can be thrown: what could not be read is left to the next call that can.
  func attemptToProcessInbox() {
    do {
      try alone(processInbox)
    } catch {
      Log.store.error("Reading what another context saved failed, and is tried again: \(error)")
    }
  }

  private func takeIn(_ changes: ChangeInbox.Changes) throws {
    let entities = changes.entities.sorted { $0.key < $1.key }
    merging.isUnderWay = true
    defer {
      let (models, links) = (merging.kept, merging.keptLinks)
      merging = Merging()
      // Also after a failure: the rows are gone, and nobody will say so again.
      if !models.isEmpty { keep(models, links) }
    }
    var forgotten = Set<Int>()
    var living: [Int: Set<Int64>] = [:]
    for (ordinal, changes) in entities where changes.mayBeLate {
      living[ordinal] = try keysOfRowsThere(changes.deleted, bindingsByOrdinal[ordinal])
    }
    for (ordinal, changes) in entities {
      let map = bindingsByOrdinal[ordinal].map
      // In one order, because what goes later leads to nothing that went before.
      let deleted = living[ordinal].map { changes.deleted.subtracting($0) } ?? changes.deleted
      for key in deleted.filter({ map.model($0) != nil }).sorted() {
        guard let model = map.model(key) else { continue }
        forgetDeleted(model)
        forgotten.insert(ordinal)
      }
      if journal.deletedRows.isEmpty { continue }
      for key in deleted { journal.takeBackDeletion(ofRow: key, of: map) }
    }
    let linking = Set(entities.lazy.filter { self.mayLink($0.value, self.bindingsByOrdinal[$0.key]) }.map(\.key))
    let lists = releaseOrFollow(changes, linking, hasLate: living.values.contains { !$0.isEmpty })
    // At once, because later a failure would leave nobody who knows. Whoever deleted them told those that it knew to
    // lead to them.
    releaseLinks(to: forgotten, includingMutual: true)
    journal.noteMerge()
    for (ordinal, changes) in entities {
      let binding = bindingsByOrdinal[ordinal]
      if changes.isBeyondCount {
        try refreshAll(of: binding)
        releaseLinks(to: [ordinal], includingMutual: true)
      } else if hasOtherValues(changes, binding) || living[ordinal]?.isEmpty == false {
        let keys = changes.updated.union(living[ordinal] ?? []).filter { binding.map.model($0) != nil }
        if keys.isEmpty { continue }
        for key in keys {
          guard let model = binding.map.model(key), model._$withState({ $0.isFault }) else { continue }
          noteUntraced(model, changes.properties)
        }
        try refresh(keys.sorted(), binding)
      }
    }
    for (ordinal, changes) in entities where changes.hasRevived {
      try refreshSources(ofRevived: ordinal) { changes.isBeyondCount || changes.revived.contains($0) }
    }
    releaseTargets(among: linking)
    try bringUp(lists)
    try mergePending(linking)
  }

  /// Has to-manys read their members anew that others may have changed.
  ///
  /// - Returns: Those that need not, because it is known what they gain and lose.
  private func releaseOrFollow(_ changes: ChangeInbox.Changes, _ linking: Set<Int>, hasLate: Bool) -> [FollowedList] {
    outdateAwaited(among: linking)
    guard let lists = changes.lists, !hasLate else {
      releaseMembers(of: linking)
      return []
    }
    releaseMembers(of: linking.filter { changes.entities[$0]?.isBeyondCount == true })
    return followedLists(lists)
  }

  /// Whether rows may have other values than they had: that a to-many has other members stands in no row of its owner.
  private func hasOtherValues(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) -> Bool {
    changes.hasRevived || changes.properties & ~binding.toManyBits != 0
  }

  /// Those of the keys that models have and rows as well: what word of a deletion came late of.
  private func keysOfRowsThere(_ keys: Set<Int64>, _ binding: EntityBinding) throws -> Set<Int64> {
    let registered = keys.filter { binding.map.model($0) != nil }.sorted()
    var found: Set<Int64> = []
    if !registered.isEmpty { try takeInRows(registered, binding) { found.insert($0) } }
    return found
  }

  /// Whether what others saved can have changed what leads to models of an entity.
  private func mayLink(_ changes: ChangeInbox.EntityChanges, _ binding: EntityBinding) -> Bool {
    changes.hasOtherRows || changes.isBeyondCount
      || binding.relationshipRules.contains { changes.properties & $0.bit != 0 }
  }

  private func refresh(_ keys: [Int64], _ binding: EntityBinding) throws {
    try takeInRows(keys, binding) { _ in }
  }

  /// - Parameter note: Called with the key of each row that there is.
  private func takeInRows(_ keys: [Int64], _ binding: EntityBinding, _ note: (Int64) -> Void) throws {
    func take(_ row: RowKey, _ reader: _RowReader) {
      note(row.key)
      takeIn(row, reader, binding)
    }
    do {
      return try binding.session.rows(of: binding.rootEntity, keys: keys, receive: take)
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      // One of the rows is so damaged that nothing of it can be taken in, which shall not keep the others from it.
      Log.store.error("Rows of \(binding.entity.name) that another context saved are damaged: \(error)")
    }
    for key in keys {
      do {
        try binding.session.row(of: binding.rootEntity, key: key, receive: take)
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        note(key)
        if let model = binding.map.model(key) { unload(model) }
      }
    }
  }

  /// Gives a registered model what its row has now. Of a value that cannot be read only who touches it has to know.
  private func takeIn(_ row: RowKey, _ reader: _RowReader, _ binding: EntityBinding) {
    guard binding.map.model(row.key) != nil else { return }
    _ = receive(row, reader, nil)
    if let failure = reader.failure {
      Log.store.error("\(binding.entity.name) \(row.key), which another context saved, has a damaged value: \(failure)")
      reader.forgetFailure()
    }
  }

  /// Reads all registered models of an entity anew; those without a row go away.
  private func refreshAll(of binding: EntityBinding) throws {
    let models = binding.map.models.filter { $0._$withState { $0.isOf(binding) } }
    let waiting = journal.deletedRows.keys { $0 == binding.ordinal }.flatMap(\.keys)
    let keys = (models.map { $0._$withState { $0.key } } + waiting).sorted()
    if keys.isEmpty { return }
    var found = Set<Int64>(minimumCapacity: keys.count)
    try takeInRows(keys, binding) { found.insert($0) }
    for key in waiting where !found.contains(key) { journal.takeBackDeletion(ofRow: key, of: binding.map) }
    for model in models where !found.contains(model._$withState { $0.key }) && model._$withState({ $0.isOf(binding) }) {
      forgetDeleted(model)
    }
  }

  /// Others have deleted the row of a model, which may be saved again.
  private func forgetDeleted(_ model: any PersistentModel) {
    if outlastsDeletion(model) {
      merging.kept.append(model)
      merging.keptLinks += deletedLinks(of: model)
    }
    forget(model)
  }

  /// The row of `model` was deleted by somebody else.
  func forget(_ model: any PersistentModel) {
    // Places where the last heir was held may be this model's, and the lists hold it no longer.
    holdLastHeir()
    journal.close(model)
    retire(model)
  }

  /// After deletions: relationships that were not told of them look for their targets again.
  ///
  /// - Parameter includingMutual: Whether also relationships with an inverse may not have been told.
  func releaseLinks(to ordinals: Set<Int>, includingMutual: Bool = false) {
    func mayBeUntold(_ rule: EntityBinding.RelationshipRule) -> Bool { includingMutual || rule.mayHoldDeleted }
    visitSources(of: ordinals, where: mayBeUntold) { model, rule in
      let property = rule.property
      property.forgetAwaited(of: model)
      if model._$withState({ $0.isPending(property.index) }) { return dropGone(from: model, rule) }
      guard property.loadedTargets(of: model).contains(where: { $0._$withState { $0.status == .gone } }) else { return }
      if UndoRecorder.areThereAny { undoRecorder?.noteLoss(of: property, model) }
      if rule.isToMany { return property.drop(from: model) { $0._$withState { $0.status == .gone } } }
      property.release(model)
      property.noteChange(of: model)
    }
    if ordinals.isEmpty { return }
    for model in journal.inserted.models {
      guard let binding = model._$withState({ $0.binding }) else { continue }
      for rule in binding.relationshipRules where mayBeUntold(rule) {
        dropGone(from: model, rule)
      }
    }
  }

  /// Takes what others deleted out of a to-many with pending changes. What a to-one was set to stays, so that the save
  /// tells that it is gone, and learns of it should it come back.
  private func dropGone(from model: any PersistentModel, _ rule: EntityBinding.RelationshipRule) {
    if UndoRecorder.areThereAny { undoRecorder?.noteLoss(of: rule.property, model) }
    if rule.isToMany { return rule.property.drop(from: model) { $0._$withState { $0.status == .gone } } }
    guard let target = rule.property.loadedTarget(of: model), target._$withState({ $0.status == .gone }) else { return }
    journal.noteLink(from: model, by: rule.property, toGone: target)
  }

  /// The models with a to-one to rows that came back, which the store may have emptied when such a row went: nobody was
  /// told of that. To-ones that the rows of their targets tell ask the store again.
  ///
  /// - Parameter includingLoaded: Whether also those whose target is in memory, and knows nothing of it, may have been.
  func sources(
    ofRevived ordinal: Int, includingLoaded: Bool, where isIncluded: (Int64) -> Bool
  ) -> [any PersistentModel] {
    func isToOne(_ rule: EntityBinding.RelationshipRule) -> Bool { !rule.isToMany }
    var sources: [any PersistentModel] = []
    visitSources(of: [ordinal], where: isToOne) { model, rule in
      var key = rule.property.unresolvedKey(of: model)
      if includingLoaded, rule.isOneWay, let target = rule.property.loadedTarget(of: model) {
        key = target._$withState { $0.key }
      }
      guard let key, isIncluded(key),
        model._$withState({ $0.status == .registered && !$0.isPending(rule.property.index) })
      else { return }
      if rule.isKeptByTarget {
        rule.property.unload(model)
        rule.property.noteChange(of: model)
      } else {
        // Whatever state of the store its values are of, they are read once more.
        model._$withState { $0.age = 0 }
        sources.append(model)
      }
    }
    return sources
  }

  /// Reads the rows of models that lead to rows which came back.
  private func refreshSources(ofRevived ordinal: Int, where isIncluded: (Int64) -> Bool) throws {
    var keys: [ObjectIdentifier: (binding: EntityBinding, keys: Set<Int64>)] = [:]
    for source in sources(ofRevived: ordinal, includingLoaded: true, where: isIncluded) {
      guard let binding = source._$withState({ $0.binding }) else { continue }
      keys[ObjectIdentifier(binding), default: (binding, [])].keys.insert(source._$withState { $0.key })
    }
    for (binding, keys) in keys.values.sorted(by: { $0.binding.ordinal < $1.binding.ordinal }) {
      try refresh(keys.sorted(), binding)
    }
  }

  /// Makes to-many relationships that may have gained or lost members, or have them in another order, ask the store again:
  /// those that lead to models of some entities, and those of these models.
  func releaseMembers(of ordinals: Set<Int>) {
    visitSources(of: ordinals, includingOwn: true, where: \.isToMany) { model, rule in
      let property = rule.property
      property.forgetAwaited(of: model)
      guard property.isLoaded(model), model._$withState({ !$0.isPending(property.index) }) else { return }
      property.release(model)
      property.noteChange(of: model)
    }
  }

  /// The same for to-one relationships that the rows of their targets tell.
  func releaseTargets(among ordinals: Set<Int>) {
    visitSources(of: ordinals, where: \.isKeptByTarget) { model, rule in
      let property = rule.property
      guard model._$withState({ !$0.isPending(property.index) }),
        property.isLoaded(model) || property.unresolvedKey(of: model) != nil
      else { return }
      property.unload(model)
      property.noteChange(of: model)
    }
  }

  /// Calls `body` for each registered model and those of its relationships that can lead to models of some entities.
  ///
  /// - Parameter includingOwn: Whether also for the relationships of these models, wherever they lead.
  private func visitSources(
    of ordinals: Set<Int>, includingOwn: Bool = false, where isIncluded: (EntityBinding.RelationshipRule) -> Bool,
    _ body: (_ source: any PersistentModel, _ rule: EntityBinding.RelationshipRule) -> Void
  ) {
    if ordinals.isEmpty { return }
    let maps = Set(ordinals.map { ObjectIdentifier(bindingsByOrdinal[$0].map) })
    for binding in bindingsByOrdinal {
      let rules = binding.relationshipRules.filter { rule in
        guard isIncluded(rule), let destination = self.binding(for: rule.property.destinationType) else { return false }
        return maps.contains(ObjectIdentifier(destination.map))
          || includingOwn && maps.contains(ObjectIdentifier(binding.map))
      }
      guard !rules.isEmpty else { continue }
      for model in binding.map.models where model._$withState({ $0.binding === binding }) {
        for rule in rules { body(model, rule) }
      }
    }
  }

  /// Whether the row of a model does not tell where a relationship of its leads.
  func isKeptElsewhere(_ property: any RelationshipProperty, _ model: any PersistentModel) -> Bool {
    if property.isToMany { return true }
    let binding = model._$withState { $0.binding }
    return binding?.relationshipRules.contains { $0.property === property && $0.isKeptByTarget } ?? false
  }
}
