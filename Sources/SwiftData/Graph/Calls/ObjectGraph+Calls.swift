extension PersistentModel {
  /// Runs `body`, which changes nothing but the model: nobody else has to be kept away, though it is a call like others
  /// in builds for debugging, which show when two threads make some at a time.
  @inline(__always)
  func exclusivelyInDebugBuilds<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if DEBUG
      if let graph = _$withState({ $0.graph }) { return try graph.exclusively(body) }
    #endif
    return try body()
  }
}

extension ObjectGraph {
  /// Runs `body`, which nobody else may disturb, and then tells observers what it changed. See `ExclusiveAccess`.
  @inline(__always)
  func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isInside = enter()
    defer { leave(isInside) }
    return try body()
  }

  /// Begins what `leave` ends.
  @inline(__always)
  private func enter() -> Bool {
    let isInside = exclusiveAccess.enter()
    notices.hold()
    if lifetime.isClosing, isInside, exclusiveAccess.isOutermost { close() }
    lifetime.wasUsed = true
    return isInside
  }

  /// - Parameter isInside: What `enter` returned.
  @inline(__always)
  private func leave(_ isInside: Bool) {
    let hasNotices = notices.release()
    var keeper: ObjectGraph?
    if isInside {
      if exclusiveAccess.isOutermost {
        if !exclusiveAccess.isCleared { performDeferredReleases() }
        keeper = takeKeeper()
      }
      if exclusiveAccess.leave() { clearUp() }
    }
    if hasNotices { notifyObservers() }
    // It may be the last to hold the graph.
    withExtendedLifetime(keeper) {}
  }
}

extension ObjectGraph {
  /// Runs code of others in the middle of a call. Observers hear of what it changes as they do outside of one.
  func interrupted<Result>(by body: () throws -> Result) rethrows -> Result {
    let depth = notices.suspend()
    defer { notices.resume(depth) }
    if !exclusiveAccess.isCleared { performDeferredReleases() }
    if !notices.isEmpty { notifyObservers() }
    return try body()
  }

  /// Has observers told of a property that has another value, when the call that changed it is over.
  func recordChange(of property: _ModelProperty, _ model: any PersistentModel) {
    if notices.isHeld { notices.add(property, model) } else { property.notifyObservers(of: model) }
  }

  /// Ends what `notices.hold()` began without telling observers: the end of the call does.
  func closeNotices() {
    _ = notices.release()
  }

  func notifyObservers() {
    // What observers change meanwhile they hear of at once.
    for (property, model) in notices.take() { property.notifyObservers(of: model) }
    // Who hears of a notification may save, which would give up the lock of a transaction: it comes at its end.
    if notices.isInvalidationWaiting, !saving.isInTransaction { postInvalidation(of: notices.takeInvalidated()) }
  }
}

extension ObjectGraph {
  /// Runs what cannot throw where it is called: a failure is logged, and kept for the next call that can throw.
  ///
  /// - Returns: whether `body` came to its end.
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

  /// Whether a read has failed and no call has thrown why.
  var hasUnreportedFailure: Bool { failures.read != nil }

  /// Keeps a failure for the next call that can throw.
  func record(_ failure: any Error) {
    failures.recordRead(failure)
    saving.recordFailure(failure)
  }

  /// - Throws: The error of an accessor's read that no call has thrown yet.
  func throwAccessFailure() throws {
    guard let failure = failures.read else { return }
    // The program never sees an error of an autosave, so that the failure is kept for the next call that can throw.
    if saving.isAutosaving { throw failure }
    failures.closeRead()
    scheduleAutosaveIfNeeded()
    throw failure
  }

  // MARK: Refusals

  /// Refuses what was asked of a call that cannot throw; the next save reports it.
  func reject(
    _ model: any PersistentModel, _ message: String, _ hint: String, about property: _ModelProperty? = nil
  ) {
    let issue = SwiftDataError.Issue(
      persistentIdentifier: model.anyIdentifier, entity: ModelRuntime.of(model).entityName.string,
      property: property?.name, message: "\(message) \(hint)")
    failures.recordRefusal(issue)
    Log.model.error("\(issue)")
  }

  /// Refuses a model that has no values but made-up ones.
  func rejectHollow(_ model: any PersistentModel) {
    reject(
      model, "The model was asked for by an identifier, and its row is not there or could not be read.",
      "Ask for it again, or make a new model.")
  }
}
