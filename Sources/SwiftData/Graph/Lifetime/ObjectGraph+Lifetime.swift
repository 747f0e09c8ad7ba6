import Dispatch
import Support

// A context retains its graph. When the context is released, the graph *closes*: unsaved changes are discarded, and the
// models' relationships are emptied, so that no model retains another. From then on the graph retains itself as long as
// there are models of it, and each model is released with the program's last reference.
//
// Until a context is made for the graph again, the library makes no model retain another:
//
// - An accessor that reads a relationship returns the result and does not store it.
// - A change is recorded only in its model, and a link only on the side that was set, as in a transient model. The next
//   context tracks both.
extension ObjectGraph {
  /// The references to and from a graph that determine its lifetime.
  struct Lifetime {
    /// The context, if there is one.
    var reference = UncountedReference<ModelContext>()
    /// Whether models may retain one another, and changes are recorded in the journal.
    var isOpen = false
    /// Whether there was a call since the context was made: without one, no model retains another.
    var wasUsed = false
    /// Whether the context is released, and the graph closes before its next call.
    var isClosing = false
    /// The graph itself, from the release of its context to the release of its last model.
    var retainedSelf: ObjectGraph?
    /// Whether models were changed without a context.
    var hasUntracked = false
    /// The changes without a context that the current context has tracked.
    var trackedChanges: [UntrackedChange] = []
    /// The number of models in the journal after that.
    var trackedCount = 0
  }

  /// A change that was made without a context.
  struct UntrackedChange {
    // The journal retains it as long as the change is pending.
    weak var model: (any PersistentModel)?
    let property: _ModelProperty
  }

  /// The graph's context, which is made if there is none.
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

  /// Called when the context is deinitialized, on any thread.
  func closed() {
    // A container can be released on any thread, but the models of its main context belong to the main actor.
    guard isMain, !MainQueue.isCurrent || saving.isAutosaveScheduled else { return releaseContext() }
    let reference = MainReference(graph: self)
    DispatchQueue.main.async {
      guard reference.graph.saving.isAutosaveScheduled else { return reference.graph.releaseContext() }
      // An autosave runs first. It may have been scheduled after this block.
      DispatchQueue.main.async { reference.graph.releaseContext() }
    }
  }

  /// Sends the graph of a main context to the main queue, which is its isolation.
  private struct MainReference: @unchecked Sendable {
    let graph: ObjectGraph
  }

  /// Lets accessors report changes while a save, a change observer or an index needs them.
  func updateChangeReporting() {
    reportsChanges.store(saving.isWriting || changeObserver != nil || journal.isIndexed, ordering: .relaxed)
  }

  // MARK: Closing

  /// Ends the released context. The graph closes at once if no other thread can be reading its models.
  ///
  /// Accessors read values in memory without a call of the graph. So if the context was released on another thread than the
  /// last user's, or during a call, the graph closes before its next call, or some time later if there is none.
  ///
  /// - Returns: Whether observers may have to be notified of changes by closing.
  func endContext(isInCall: Bool) -> Bool {
    // There may be a new context by now.
    if lifetime.reference.object != nil { return false }
    lifetime.retainedSelf = self
    let isHere = isMain || exclusiveAccess.wasMine
    if !isInCall, isHere || isBare {
      close()
      return isHere
    }
    lifetime.isClosing = true
    closeLater()
    return false
  }

  /// Whether closing changes no model.
  private var isBare: Bool {
    journal.isEmpty
      && !registeredModels.contains { model in
        EntityBinding.rules(of: model).contains { $0.property.loadedTarget(of: model) != nil }
      }
  }

  // A queue of its own: with a shared queue, Dispatch would wake the process each second from then on.
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
      leaveCleared(notifying: notices.take())
    } else {
      leaveCleared()
    }
  }

  /// Discards unsaved changes, and empties relationships so that no model retains another.
  func close() {
    lifetime.isClosing = false
    if lifetime.reference.object != nil { return }
    guard lifetime.wasUsed || hasChanges else {
      lifetime.isOpen = false
      return
    }
    notices.hold()
    // Changes that were made without a context are kept for a context that saves them or rolls them back.
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

  /// Removes the inverse links to a model, so that it retains its targets and they do not retain it. A transient model
  /// keeps its targets.
  private func dropLinksBack(to model: any PersistentModel, _ property: _ModelProperty) {
    guard let relationship = property.relationship, let inverse = relationship.inverse(for: model) else { return }
    relationship.forEachLoadedTarget(of: model) { target in inverse.drop(from: target) { $0 === model } }
  }

  /// Empties the relationships of a model.
  private func empty(_ model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) { rule.property.release(model) }
  }

  /// Logs that the context was released with unsaved changes.
  private func reportLostChanges() {
    var entity: String?
    journal.inserted.visit { _, model in entity = entity ?? model._$withState { $0.withBinding { $0.entity.name } } }
    let example = entity.map { "an inserted \($0)" } ?? "a changed or deleted model"
    Notice.say(
      "A context was released with unsaved changes, which are lost, such as \(example). Call save() before.",
      to: Log.model)
  }

  /// Logs that a model with unsaved changes was released after its context, when only the program retained it.
  func reportLostChange(_ released: ReleasedModel) {
    let entity = released.binding._withUnsafeGuaranteedRef { $0.entity.name }
    Notice.say(
      """
      After its context, a changed \(entity) was released before a save: the change is lost. Retain the model or its \
      modelContext until it is saved.
      """, to: Log.model)
  }

  // MARK: Without a context

  /// Tracks the changes that were made without a context.
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
      if let model = change.model, let property = change.property.relationship { reassign(property, of: model) }
    }
    lifetime.trackedCount = journal.count
  }

  /// Sets a relationship again that was set without a context, so that the inverses are set.
  private func reassign(_ property: any RelationshipProperty, of model: any PersistentModel) {
    guard let changes = model._$withState({ $0.changes }), let entry = changes.entry(property.index) else { return }
    let targets = property.loadedTargets(of: model)
    if case .target(_, let old) = entry { property.restore(old, to: model) } else { property.unload(model) }
    if !changes.remove(property.index) { journal.closeChanges(of: model) }
    property.assign(targets: targets, to: model)
  }

  /// The storage of a property that was changed without a context, if the change is still pending.
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

  // MARK: Release of the graph

  /// The graph itself if it has neither a context nor models. The caller releases it at the end of its call.
  func takeRetainedSelf() -> ObjectGraph? {
    guard lifetime.retainedSelf != nil, !lifetime.isOpen, !lifetime.isClosing,
      bindingsByOrdinal.allSatisfy({ $0.map.isEmpty })
    else { return nil }
    return lifetime.retainedSelf.take()
  }

  // MARK: The main context

  /// Merges what other contexts save into the main context when the main queue runs next.
  func observeInbox() {
    let reference = UncheckedReference(graph: self)
    inbox.onPost { DispatchQueue.main.async { reference.graph?.attemptToProcessInbox() } }
  }
}

// The last reference to a model or a context can be released on any thread.
extension ObjectGraph {
  /// Removes a released model, on any thread.
  func release(_ released: ReleasedModel) {
    let isMine = exclusiveAccess.isMine
    guard isMine || exclusiveAccess.enterToClear() else { return deferRelease(released) }
    clear(released)
    if isMine { return }
    if lifetime.retainedSelf == nil { exclusiveAccess.leaveCleared() } else { leaveCleared() }
  }

  /// Closes the graph after its context was released, on any thread.
  func releaseContext() {
    if exclusiveAccess.isMine {
      _ = endContext(isInCall: true)
    } else if exclusiveAccess.enterToClear() {
      leaveCleared(notifying: endContext(isInCall: false) ? notices.take() : [])
    } else {
      deferRelease(nil)
    }
  }

  private func deferRelease(_ released: ReleasedModel?) {
    let graph = Unmanaged.passRetained(self)
    exclusiveAccess.deferRelease(ExclusiveAccess.DeferredRelease(released: released, graph: self))
    // The thread inside may have left meanwhile.
    clearUp()
    graph.release()
  }

  /// Performs the releases that other threads have deferred. A call in progress does so at its end instead.
  func clearUp() {
    while !exclusiveAccess.isCleared, exclusiveAccess.enterToClear() {
      performDeferredReleases()
      leaveCleared()
    }
  }

  func performDeferredReleases() {
    for deferred in exclusiveAccess.takeDeferredReleases() {
      if let released = deferred.released { clearWithoutInlining(released) } else { _ = endContext(isInCall: true) }
    }
  }

  /// Leaves after `enterToClear`, and releases the graph if it has neither a context nor models.
  ///
  /// - Parameter changes: The properties that closing the graph has changed, for observers. They are notified after the
  ///   thread has left.
  func leaveCleared(notifying changes: [(property: _ModelProperty, model: any PersistentModel)] = []) {
    let graph = Unmanaged.passRetained(self)
    let retainedSelf = takeRetainedSelf()
    exclusiveAccess.leaveCleared()
    for (property, model) in changes { property.notifyObservers(of: model) }
    withExtendedLifetime(retainedSelf) {}
    graph.release()
  }

  /// `clear` without inlining, for the less frequent calls.
  private func clearWithoutInlining(_ released: ReleasedModel) {
    clear(released)
  }

  @inline(__always)
  private func clear(_ released: ReleasedModel) {
    released.binding._withUnsafeGuaranteedRef { $0.map.release(released.key) }
    released.group?._withUnsafeGuaranteedRef { $0.dismiss() }
    if released.isChanged { reportLostChange(released) }
  }
}
