import Foundation

extension ObjectGraph {
  /// Where the context saves by itself; nil where no code can be run in the isolation that it belongs to. Any thread may
  /// ask.
  var autosaveIsolation: AutosaveIsolation? {
    if let queue = executorQueue.withLock({ $0 }) { return .executor(queue) }
    return isOnMainQueue ? .main : nil
  }

  /// Saves at the end of the turn, and has the end of the program save if it comes before.
  func scheduleAutosave() {
    guard let isolation = autosaveIsolation else {
      // It may be given to an actor yet.
      _ = saving.takeSchedule()
      _ = Self.warning
      return
    }
    PendingAutosaves.add(self)
    if isMain {
      let reference = UncheckedReference(graph: self)
      isolation.atEndOfTurn { reference.graph?.endTurn() }
    } else {
      // Held until then: the program may let go of it, and what nobody holds is forgotten.
      HeldContext(context: context).endTurn(in: isolation)
    }
  }

  /// Said once.
  private static let warning: Void = {
    Log.store.warning(
      """
      autosaveEnabled is set for a context that was not made on the main thread and is no model actor's. Such a context \
      saves when it is told to: call save().
      """)
  }()

  /// Carries a context to the queue that is its isolation.
  private struct HeldContext: @unchecked Sendable {
    let context: ModelContext

    func endTurn(in isolation: AutosaveIsolation) {
      isolation.atEndOfTurn {
        let graph = context.graph
        // The main queue may have lost it to an executor since, and knows nothing of what that does with it.
        if case .main = isolation, let present = graph.autosaveIsolation, case .executor = present {
          endTurn(in: present)
        } else {
          graph.endTurn()
        }
      }
    }
  }

  private func endTurn() {
    guard saving.takeSchedule() else { return }
    autosave()
    forgetUnlessRetrying()
  }

  /// Saves what is left when the program ends. What is in the middle of a call, or of a transaction, is left alone.
  ///
  /// - Parameter again: Whether only what has changed since the last such save is to be saved.
  func autosaveAtExit(again: Bool) {
    if exclusiveAccess.isInCall { return }
    if saving.takeSchedule() || !again { autosave(isAtExit: true) }
  }

  private func autosave(isAtExit: Bool = false) {
    // A transaction saves at its end.
    guard autosaveEnabled, hasPlan, !saving.isInTransaction else { return }
    if let failure = failures.read {
      // What has changed since may come of what could not be read, and nobody has been told of that.
      Log.store.error(
        isAtExit
          ? "The program ends with unsaved changes, which are lost: \(failure)"
          : "Autosave waits until a call of the context has thrown what failed: \(failure)")
      return notifyOfAutosaveFailure(failure)
    }
    do {
      _ = saving.setAutosaving(true)
      defer { _ = saving.setAutosaving(false) }
      try save()
    } catch {
      Log.store.error(
        isAtExit
          ? "The program ends with unsaved changes, which are lost: \(error)"
          : "Autosave failed, and is tried again after the next change: \(error)")
      notifyOfAutosaveFailure(error)
    }
  }

  // MARK: Failures

  private func notifyOfAutosaveFailure(_ failure: any Error) {
    saving.autosaveFailure = failure
    PendingAutosaves.add(self)
    let key = ModelContext.NotificationKey.autosaveError
    NotificationCenter.default.post(
      name: ModelContext.autosaveDidFail, object: context, userInfo: [key: failure, key.rawValue: failure])
  }

  /// Nothing is left of what an autosave has failed to save.
  func closeAutosaveFailure() {
    if saving.autosaveFailure == nil { return }
    saving.autosaveFailure = nil
    forgetUnlessRetrying()
  }

  private func forgetUnlessRetrying() {
    if !saving.isAwaited { PendingAutosaves.remove(self) }
  }
}
