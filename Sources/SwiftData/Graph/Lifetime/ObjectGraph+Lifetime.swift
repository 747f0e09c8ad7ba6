import Dispatch
import Support

// A context retains its graph. When the context is released, the graph *closes*: it discards unsaved changes, and the
// models' relationships release their targets, so that no model retains another. From then on the graph retains itself as
// long as there are models of it, and each model is released with the program's last reference.
//
// Until a context is made for the graph again, no model may retain another, so the library does the following:
//
// - An accessor that reads a relationship returns the result and does not store it.
// - A change is recorded only in its model, and a link only on the side that was set, as in a model that was never
//   inserted. The next context adopts both.
extension ObjectGraph {
  /// The references to and from a graph that determine its lifetime.
  struct Lifetime {
    /// The context, if there is one.
    var reference = UncountedReference<ModelContext>()
    /// Whether models may retain one another, and changes are recorded in the journal.
    var isOpen = false
    /// Whether the graph was entered since the context was made. If not, closing has nothing to empty.
    var wasEntered = false
    /// Whether the context is gone and `close` still has to run, before the next call at the latest.
    var mustClose = false
    /// The graph itself, from the release of its context to the release of its last model.
    var retainedSelf: ObjectGraph?
    /// Whether models were changed without a context.
    var hasContextlessChanges = false
    /// The changes without a context that the current context has adopted.
    var adoptedChanges: [ContextlessChange] = []
    /// The number of models in the journal right after adopting those changes. A larger number at `close` means that the
    /// context's own changes are lost.
    var adoptedCount = 0
  }

  /// A change that was made without a context.
  struct ContextlessChange {
    // The journal retains it as long as the change is pending.
    weak var model: (any PersistentModel)?
    let property: _ModelProperty
  }

  /// The graph's context, which is made if there is none.
  var context: ModelContext {
    lifetime.reference.object ?? ModelContext(self)
  }

  func contextWasMade(_ context: ModelContext) {
    exclusively {
      lifetime.reference = UncountedReference(context)
      lifetime.isOpen = true
      adoptContextlessChanges()
      lifetime.wasEntered = !lifetime.adoptedChanges.isEmpty
    }
  }

  /// Called on any thread.
  func contextWasDeinitialized() {
    // A container can be released on any thread, but the models of its main context belong to the main actor.
    guard isMain, !MainQueue.isCurrent || saving.isAutosaveScheduled else { return detachContextExclusively() }
    let reference = MainReference(graph: self)
    DispatchQueue.main.async {
      guard reference.graph.saving.isAutosaveScheduled else { return reference.graph.detachContextExclusively() }
      // An autosave runs first. It may have been scheduled after this block.
      DispatchQueue.main.async { reference.graph.detachContextExclusively() }
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

  /// Closes the graph whose context was released, at once or later.
  ///
  /// Accessors read values in memory without a call of the graph. So the graph closes at once only outside a call, and only
  /// if this thread was the last to use it or closing changes no model. Otherwise it closes before its next call, or some
  /// time later if there is none.
  ///
  /// - Returns: Whether the graph closed on the thread that used it: the caller then notifies observers of what closing
  ///   changed.
  func closeNowOrLater(isInCall: Bool) -> Bool {
    // There may be a new context by now.
    if lifetime.reference.object != nil { return false }
    lifetime.retainedSelf = self
    let isOnOwnThread = isMain || exclusiveAccess.wasMine
    if !isInCall, isOnOwnThread || closingChangesNothing {
      close()
      return isOnOwnThread
    }
    lifetime.mustClose = true
    closeLater()
    return false
  }

  /// Whether closing changes no model.
  private var closingChangesNothing: Bool {
    journal.isEmpty
      && !registeredModels.contains { model in
        EntityBinding.rules(of: model).contains { $0.property.loadedTarget(of: model) != nil }
      }
  }

  // A private queue: after a delayed block on a shared (global) queue, Dispatch keeps waking the process every second.
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
    guard exclusiveAccess.enterForRelease() else { return closeLater() }
    if lifetime.mustClose {
      close()
      leaveAfterRelease(notifying: notices.take())
    } else {
      leaveAfterRelease()
    }
  }

  /// Discards unsaved changes, and releases the targets of relationships so that no model retains another.
  func close() {
    lifetime.mustClose = false
    if lifetime.reference.object != nil { return }
    guard lifetime.wasEntered || hasChanges else {
      lifetime.isOpen = false
      return
    }
    notices.hold()
    // Changes that were made without a context are kept for a context that saves them or rolls them back.
    let contextlessValues = lifetime.adoptedChanges.compactMap(pendingValue)
    if journal.count > lifetime.adoptedCount { reportLostChanges() }
    lifetime.adoptedChanges = []
    lifetime.adoptedCount = 0
    if hasChanges { withoutUndo(discardChanges) }
    lifetime.isOpen = false
    for model in registeredModels { releaseTargets(of: model) }
    for (model, property, slot) in contextlessValues where model._$withState({ $0.status == .persistent }) {
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

  private func releaseTargets(of model: any PersistentModel) {
    for rule in EntityBinding.rules(of: model) { rule.property.releaseTargets(of: model) }
  }

  /// Logs that the context was released with unsaved changes.
  private func reportLostChanges() {
    var entity: String?
    journal.inserted.visit { _, model in entity = entity ?? model._$withState { $0.withBinding { $0.entity.name } } }
    let example = entity.map { "an inserted \($0)" } ?? "a changed or deleted model"
    UsageWarning.logOnce(
      """
      A context was released with unsaved changes, which are lost, such as \(example). Call save() before the context is \
      released.
      """, to: Log.model)
  }

  /// Logs that a model with unsaved changes was released after its context, when only the program retained it.
  func reportLostChange(_ released: ReleasedModel) {
    let entity = released.binding._withUnsafeGuaranteedRef { $0.entity.name }
    UsageWarning.logOnce(
      """
      A \(entity) with unsaved changes was released after its context: the changes are lost. Retain the model or its \
      modelContext until it is saved.
      """, to: Log.model)
  }

  // MARK: Without a context

  /// Records the changes that were made without a context in the journal, and sets the inverses of changed relationships.
  private func adoptContextlessChanges() {
    guard lifetime.hasContextlessChanges else { return }
    lifetime.hasContextlessChanges = false
    for model in registeredModels where !journal.changed.contains(model) {
      guard let changes = model._$withState({ $0.changes }) else { continue }
      journal.recordChanged(model)
      let properties = ModelRuntime.of(model).properties
      lifetime.adoptedChanges += changes.entries.map { ContextlessChange(model: model, property: properties[$0.index]) }
    }
    for change in lifetime.adoptedChanges {
      if let model = change.model, let property = change.property.relationship { reassign(property, of: model) }
    }
    lifetime.adoptedCount = journal.count
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
    _ change: ContextlessChange
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
    guard lifetime.retainedSelf != nil, !lifetime.isOpen, !lifetime.mustClose,
      bindingsByOrdinal.allSatisfy({ $0.map.isEmpty })
    else { return nil }
    return lifetime.retainedSelf.take()
  }

  // MARK: The main context

  /// When other contexts save, merges their changes into the main context at the main queue's next turn.
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
    guard isMine || exclusiveAccess.enterForRelease() else { return deferRelease(released) }
    remove(released)
    if isMine { return }
    if lifetime.retainedSelf == nil { exclusiveAccess.leaveAfterRelease() } else { leaveAfterRelease() }
  }

  /// Closes the graph after its context was released, at once or later. Called on any thread.
  func detachContextExclusively() {
    if exclusiveAccess.isMine {
      _ = closeNowOrLater(isInCall: true)
    } else if exclusiveAccess.enterForRelease() {
      leaveAfterRelease(notifying: closeNowOrLater(isInCall: false) ? notices.take() : [])
    } else {
      deferRelease(nil)
    }
  }

  private func deferRelease(_ released: ReleasedModel?) {
    let graph = Unmanaged.passRetained(self)
    exclusiveAccess.deferRelease(ExclusiveAccess.DeferredRelease(released: released, graph: self))
    // The thread inside may have left meanwhile.
    performDeferredReleasesIfUnused()
    graph.release()
  }

  /// Performs the releases that other threads have deferred, unless a call is in progress, which does so at its end.
  func performDeferredReleasesIfUnused() {
    while exclusiveAccess.hasDeferredReleases, exclusiveAccess.enterForRelease() {
      performDeferredReleases()
      leaveAfterRelease()
    }
  }

  func performDeferredReleases() {
    for deferred in exclusiveAccess.takeDeferredReleases() {
      if let released = deferred.released {
        removeWithoutInlining(released)
      } else {
        _ = closeNowOrLater(isInCall: true)
      }
    }
  }

  /// Leaves after `enterForRelease`, and releases the graph if it has neither a context nor models.
  ///
  /// - Parameter changes: The properties that closing the graph has changed. Their observers are notified after the thread
  ///   has left.
  func leaveAfterRelease(notifying changes: [(property: _ModelProperty, model: any PersistentModel)] = []) {
    let graph = Unmanaged.passRetained(self)
    let retainedSelf = takeRetainedSelf()
    exclusiveAccess.leaveAfterRelease()
    for (property, model) in changes { property.notifyObservers(of: model) }
    withExtendedLifetime(retainedSelf) {}
    graph.release()
  }

  /// `remove` without inlining, for the less frequent calls.
  private func removeWithoutInlining(_ released: ReleasedModel) {
    remove(released)
  }

  @inline(__always)
  private func remove(_ released: ReleasedModel) {
    released.binding._withUnsafeGuaranteedRef { $0.map.release(released.key) }
    released.group?._withUnsafeGuaranteedRef { $0.dismiss() }
    if released.isChanged { reportLostChange(released) }
  }
}
