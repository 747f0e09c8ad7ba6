import Dispatch
import Support

// A context holds its graph. When the context goes away, the graph *closes*: what is not saved is discarded, and the
// models' relationships are emptied, so that no model holds another one. From then on the graph holds itself for as long
// as there are models of it, and each of them goes as soon as the program lets go of it.
//
// Until a context is made for the graph again, nothing of it makes a model hold another one but the program itself:
//
// - An accessor that reads a relationship returns what it has read and keeps nothing.
// - A change is noted with its model alone, and a link on the side that was set alone, as in a model that was never
//   inserted. The next context takes both in.
extension ObjectGraph {
  /// Who holds the graph.
  struct Lifetime {
    /// The context, if there is one.
    var reference = UncountedReference<ModelContext>()
    /// Whether models may hold one another, and changes are noted in the journal.
    var isOpen = false
    /// Whether there was a call since the context was made: without one, no model has come to hold another.
    var wasUsed = false
    /// Whether the context is gone, and the graph closes before its next call.
    var isClosing = false
    /// The graph itself, from the end of its context until that of its last model.
    var keeper: ObjectGraph?
    /// Whether models were changed while there was no context.
    var hasUntracked = false
    /// The changes that the context has taken in.
    var trackedChanges: [UntrackedChange] = []
    /// How many models the journal had then.
    var trackedCount = 0
  }

  /// A change that was made while there was no context.
  struct UntrackedChange {
    // The journal holds it as long as the change is pending.
    weak var model: (any PersistentModel)?
    let property: _ModelProperty
  }

  /// The context of the graph: the living one, or a new one.
  var context: ModelContext {
    lifetime.reference.object ?? ModelContext(self)
  }

  func opened(_ context: ModelContext) {
    exclusively {
      lifetime.reference = UncountedReference(context)
      lifetime.isOpen = true
      trackUntrackedChanges()
      lifetime.wasUsed = !lifetime.trackedChanges.isEmpty
    }
  }

  /// Called when the context is deallocated, on any thread.
  func closed() {
    // Whoever lets go of a container can be on any thread, but the models of its main context are the main actor's.
    guard isMain, !MainQueue.isCurrent || saving.isAutosaveScheduled else { return releaseContext() }
    let reference = MainReference(graph: self)
    DispatchQueue.main.async {
      guard reference.graph.saving.isAutosaveScheduled else { return reference.graph.releaseContext() }
      // An autosave comes first, and may have been scheduled after this.
      DispatchQueue.main.async { reference.graph.releaseContext() }
    }
  }

  /// Carries the graph of a main context to the main queue, which is its isolation.
  private struct MainReference: @unchecked Sendable {
    let graph: ObjectGraph
  }

  /// Has accessors report changes while a save, a change observer or an index needs them.
  func updateChangeReporting() {
    reportsChanges.store(saving.isWriting || changeObserver != nil || journal.isIndexed, ordering: .relaxed)
  }

  // MARK: Closing

  /// Ends the released context. The graph closes at once if no other thread can be reading its models.
  ///
  /// Accessors read what is in memory without a call of the graph. So when the context was released on another thread
  /// than the one that used it last, or in the middle of a call, the graph closes before its next call, or a while later
  /// if there is none.
  ///
  /// - Returns: Whether observers may have to be told of what that has changed.
  func endContext(isInCall: Bool) -> Bool {
    // There may be another one by now.
    if lifetime.reference.object != nil { return false }
    lifetime.keeper = self
    let isHere = isMain || exclusiveAccess.wasMine
    if !isInCall, isHere || isBare {
      close()
      return isHere
    }
    lifetime.isClosing = true
    closeLater()
    return false
  }

  /// Whether closing takes nothing from any model.
  private var isBare: Bool {
    journal.isEmpty
      && !registeredModels.contains { model in
        EntityBinding.rules(of: model).contains { $0.property.loadedTarget(of: model) != nil }
      }
  }

  // With a shared queue, Dispatch would wake the process every second from then on.
  private static let closing = DispatchQueue(label: "SwiftData.closing")

  private func closeLater() {
    let reference = UncheckedReference(graph: self)
    if isMain {
      DispatchQueue.main.async { reference.graph?.exclusively {} }
    } else {
      Self.closing.asyncAfter(deadline: .now() + 1) { reference.graph?.closeUnlessUsed() }
    }
  }

  private func closeUnlessUsed() {
    guard exclusiveAccess.enterToClear() else { return closeLater() }
    if lifetime.isClosing {
      close()
      leaveCleared(telling: notices.take())
    } else {
      leaveCleared()
    }
  }

  /// Discards what is not saved, and has no model hold another one.
  func close() {
    lifetime.isClosing = false
    if lifetime.reference.object != nil { return }
    guard lifetime.wasUsed || hasChanges else {
      lifetime.isOpen = false
      return
    }
    notices.hold()
    // What was changed without a context waits for one that saves it, or that rolls it back.
    let waiting = lifetime.trackedChanges.compactMap(pendingValue)
    if journal.count > lifetime.trackedCount { reportLostChanges() }
    lifetime.trackedChanges = []
    lifetime.trackedCount = 0
    if hasChanges { withoutUndo(discardChanges) }
    lifetime.isOpen = false
    for model in registeredModels { empty(model) }
    for (model, property, slot) in waiting where model._$withState({ $0.status == .persistent }) {
      changes(of: model)?.record(property.entry(of: model))
      property.restore(slot, to: model)
      dropLinksBack(to: model, property)
    }
    closeNotices()
  }

  /// Has a model hold its targets without being held by them: one that is a plain object again leads to what it led to.
  private func dropLinksBack(to model: any PersistentModel, _ property: _ModelProperty) {
    guard let relationship = property.relationship, let inverse = relationship.inverse(for: model) else { return }
    relationship.forEachLoadedTarget(of: model) { target in inverse.drop(from: target) { $0 === model } }
  }

  /// Empties the relationships of a model.
  private func empty(_ model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) { rule.property.release(model) }
  }

  /// Logs that the context ends with unsaved changes.
  private func reportLostChanges() {
    var entity: String?
    journal.inserted.visit { _, model in entity = entity ?? model._$withState { $0.withBinding { $0.entity.name } } }
    let words = entity.map { "an inserted \($0)" } ?? "a changed or deleted model"
    Notice.say(
      "A context was released with unsaved changes, which are lost, such as \(words). Call save() before.",
      to: Log.model)
  }

  /// Logs that a model went away that nothing but the program held with its changes.
  func reportLostChange(_ released: ReleasedModel) {
    let entity = released.binding._withUnsafeGuaranteedRef { $0.entity.name }
    Notice.say(
      """
      Of a context that is gone, a \(entity) was changed, and released before a save: the change is lost. Hold the model \
      or its modelContext until it is saved.
      """, to: Log.model)
  }

  // MARK: Without a context

  /// Takes in what was changed while there was no context.
  private func trackUntrackedChanges() {
    guard lifetime.hasUntracked else { return }
    lifetime.hasUntracked = false
    for model in registeredModels where !journal.changed.contains(model) {
      guard let changes = model._$withState({ $0.changes }) else { continue }
      journal.recordChanged(model)
      let properties = ModelRuntime.of(model).properties
      lifetime.trackedChanges += changes.entries.map { UntrackedChange(model: model, property: properties[$0.index]) }
    }
    for change in lifetime.trackedChanges {
      if let model = change.model, let property = change.property.relationship { setAgain(property, of: model) }
    }
    lifetime.trackedCount = journal.count
  }

  /// Sets a relationship that was set without a context once more, so that the other sides are told.
  private func setAgain(_ property: any RelationshipProperty, of model: any PersistentModel) {
    guard let changes = model._$withState({ $0.changes }), let entry = changes.entry(property.index) else { return }
    let targets = property.loadedTargets(of: model)
    if case .target(_, let old) = entry { property.restore(old, to: model) } else { property.unload(model) }
    if !changes.remove(property.index) { journal.closeChanges(of: model) }
    property.assign(targets: targets, to: model)
  }

  /// The storage of a property that was changed without a context, if the change is still to be saved.
  private func pendingValue(
    _ change: UntrackedChange
  ) -> (model: any PersistentModel, property: _ModelProperty, slot: Any)? {
    let property = change.property
    guard let model = change.model,
      model._$withState({ $0.status == .persistent && $0.belongs(to: self) && $0.isPending(property.index) })
    else { return nil }
    guard let relationship = property.relationship else { return (model, property, property.slot(of: model)) }
    return (model, property, relationship.oneSidedSlot(relationship.loadedTargets(of: model)))
  }

  // MARK: The end

  /// The graph itself when it has neither a context nor models. The caller releases it at the end of its call.
  func takeKeeper() -> ObjectGraph? {
    guard lifetime.keeper != nil, !lifetime.isOpen, !lifetime.isClosing,
      bindingsByOrdinal.allSatisfy({ $0.map.isEmpty })
    else { return nil }
    return lifetime.keeper.take()
  }

  // MARK: The main context

  /// Has the main context take in what others save as soon as the main queue is free.
  func observeInbox() {
    let reference = UncheckedReference(graph: self)
    inbox.onPost { DispatchQueue.main.async { reference.graph?.attemptToProcessInbox() } }
  }
}

// The last reference to a model or a context can go away on any thread.
extension ObjectGraph {
  /// Clears away what a model leaves that goes away, on any thread.
  func release(_ released: ReleasedModel) {
    let isMine = exclusiveAccess.isMine
    guard isMine || exclusiveAccess.enterToClear() else { return deferRelease(released) }
    clear(released)
    if isMine { return }
    if lifetime.keeper == nil { exclusiveAccess.leaveCleared() } else { leaveCleared() }
  }

  /// Closes the graph after its context was released, on any thread.
  func releaseContext() {
    if exclusiveAccess.isMine {
      _ = endContext(isInCall: true)
    } else if exclusiveAccess.enterToClear() {
      leaveCleared(telling: endContext(isInCall: false) ? notices.take() : [])
    } else {
      deferRelease(nil)
    }
  }

  private func deferRelease(_ released: ReleasedModel?) {
    let graph = Unmanaged.passRetained(self)
    exclusiveAccess.deferRelease(ExclusiveAccess.DeferredRelease(released: released, graph: self))
    // Those inside may have left meanwhile.
    clearUp()
    graph.release()
  }

  /// Clears away what other threads have left behind. A call that is under way does so at its end instead.
  func clearUp() {
    while !exclusiveAccess.isCleared, exclusiveAccess.enterToClear() {
      performDeferredReleases()
      leaveCleared()
    }
  }

  func performDeferredReleases() {
    for deferred in exclusiveAccess.takeDeferredReleases() {
      if let released = deferred.released { clearSeldom(released) } else { _ = endContext(isInCall: true) }
    }
  }

  /// Leaves what `enterToClear` has entered, and lets go of the graph when this was the last that there was of it.
  ///
  /// - Parameter changes: The properties that closing the graph has changed, for observers. They run after the thread has
  ///   left.
  func leaveCleared(telling changes: [(property: _ModelProperty, model: any PersistentModel)] = []) {
    let graph = Unmanaged.passRetained(self)
    let keeper = takeKeeper()
    exclusiveAccess.leaveCleared()
    for (property, model) in changes { property.notifyObservers(of: model) }
    withExtendedLifetime(keeper) {}
    graph.release()
  }

  /// `clear`, for where it is not called for each model that goes away.
  private func clearSeldom(_ released: ReleasedModel) {
    clear(released)
  }

  @inline(__always)
  private func clear(_ released: ReleasedModel) {
    released.binding._withUnsafeGuaranteedRef { $0.map.release(released.key) }
    released.group?._withUnsafeGuaranteedRef { $0.dismiss() }
    if released.isChanged { reportLostChange(released) }
  }
}
