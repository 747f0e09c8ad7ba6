extension PersistentModel {
  /// Runs `body`, which changes only the model and so needs no exclusive access. In debug builds it is a call like others,
  /// which detects concurrent use by two threads.
  @inline(__always)
  func exclusivelyInDebugBuilds<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if DEBUG
      if let graph = _$withState({ $0.graph }) { return try graph.exclusively(body) }
    #endif
    return try body()
  }
}

extension ObjectGraph {
  /// Runs `body` with exclusive access, and then notifies observers of its changes. See `ExclusiveAccess`.
  @inline(__always)
  func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isInside = enter()
    defer { leave(isInside) }
    return try body()
  }

  /// Enters the graph; `leave` leaves it.
  @inline(__always)
  private func enter() -> Bool {
    let isInside = exclusiveAccess.enter()
    notices.hold()
    if lifetime.mustClose, isInside, exclusiveAccess.isOutermost { close() }
    lifetime.wasEntered = true
    return isInside
  }

  /// - Parameter isInside: What `enter` returned.
  @inline(__always)
  private func leave(_ isInside: Bool) {
    let hasNotices = notices.release()
    var retainedSelf: ObjectGraph?
    if isInside {
      if exclusiveAccess.isOutermost {
        if exclusiveAccess.hasDeferredReleases { performDeferredReleases() }
        retainedSelf = takeRetainedSelf()
      }
      if exclusiveAccess.leave() { performDeferredReleasesIfUnused() }
    }
    if hasNotices { notifyObservers() }
    // It may be the last reference to the graph.
    withExtendedLifetime(retainedSelf) {}
  }
}

extension ObjectGraph {
  /// Runs code of the program in the middle of a call. Observers are notified of its changes at once, as outside of a call.
  func interrupted<Result>(by body: () throws -> Result) rethrows -> Result {
    let depth = notices.suspend()
    defer { notices.resume(depth) }
    if exclusiveAccess.hasDeferredReleases { performDeferredReleases() }
    if !notices.isEmpty { notifyObservers() }
    return try body()
  }

  /// Notifies observers of a changed property when the call that changed it ends.
  func recordChange(of property: _ModelProperty, _ model: any PersistentModel) {
    if notices.isHeld { notices.add(property, model) } else { property.notifyObservers(of: model) }
  }

  /// Ends `notices.hold()` without notifying observers: the end of the call notifies them.
  func closeNotices() {
    _ = notices.release()
  }

  func notifyObservers() {
    // Changes that observers make meanwhile are reported to observers at once.
    for (property, model) in notices.take() { property.notifyObservers(of: model) }
    // An observer of the notification may save, which would release the lock of a transaction: it is posted at the
    // transaction's end.
    if notices.isInvalidationWaiting, !saving.isInTransaction { postInvalidation(of: notices.takeInvalidated()) }
  }
}

extension ObjectGraph {
  /// Runs `body` where the caller cannot throw: a failure is logged, and kept for the next call that can throw.
  ///
  /// - Returns: Whether `body` succeeded.
  @discardableResult
  @inline(__always)
  func attempt(_ action: @autoclosure () -> String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      Log.store.error("\(action()) failed: \(error)")
      record(error)
      return false
    }
  }

  /// Whether a read has failed and no call has thrown the error.
  var hasUnreportedFailure: Bool { failures.read != nil }

  /// Keeps a failure for the next call that can throw.
  func record(_ failure: any Error) {
    failures.recordRead(failure)
    saving.recordFailure(failure)
  }

  /// - Throws: The error of an accessor's failed read that no call has thrown yet.
  func throwAccessFailure() throws {
    guard let failure = failures.read else { return }
    // The program never sees the error of an autosave, so the failure is kept for the next call that can throw.
    if saving.isAutosaving { throw failure }
    failures.closeRead()
    scheduleAutosaveIfNeeded()
    throw failure
  }

  // MARK: Refusals

  /// Refuses a change in a call that cannot throw; the next save reports it.
  func reject(
    _ model: any PersistentModel, _ message: String, _ hint: String, about property: _ModelProperty? = nil
  ) {
    let issue = SwiftDataError.Issue(
      persistentIdentifier: model.anyIdentifier, entity: ModelRuntime.of(model).entityName.string,
      property: property?.name, message: "\(message) \(hint)")
    failures.recordRefusal(issue)
    Log.model.error("\(issue)")
  }

  /// Refuses a model whose values can never be read.
  func rejectUnreadable(_ model: any PersistentModel) {
    reject(
      model, "The model was made from an identifier, and its row is not there or could not be read.",
      "Fetch it again, or make a new model.")
  }
}
