import Foundation

extension ObjectGraph {
  /// The isolation in which the context autosaves; nil if the library cannot run code in the context's isolation. Can be
  /// called on any thread.
  var autosaveIsolation: AutosaveIsolation? {
    if let queue = executorQueue.withLock({ $0 }) { return .executor(queue) }
    return isOnMainQueue ? .main : nil
  }

  /// Saves at the end of the turn, or at the end of the program if that comes first.
  func scheduleAutosave() {
    guard let isolation = autosaveIsolation else {
      // It may still get an executor.
      _ = saving.takeSchedule()
      _ = Self.warning
      return
    }
    PendingAutosaves.add(self)
    if isMain {
      let reference = UncheckedReference(graph: self)
      isolation.atEndOfTurn { reference.graph?.endTurn() }
    } else {
      // Retained until then: a context that the program releases would lose its changes.
      HeldContext(context: context).endTurn(in: isolation)
    }
  }

  /// Logged once.
  private static let warning: Void = {
    Log.store.warning(
      """
      autosaveEnabled is set for a context that was not made on the main thread and belongs to no model actor. Such a \
      context does not autosave: call save().
      """)
  }()

  /// Sends a context to the queue that is its isolation.
  private struct HeldContext: @unchecked Sendable {
    let context: ModelContext

    func endTurn(in isolation: AutosaveIsolation) {
      isolation.atEndOfTurn {
        let graph = context.graph
        // An executor may have taken it from the main queue since, so that the main queue must not use it.
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

  /// Saves unsaved changes when the program ends, unless a call or a transaction is in progress.
  ///
  /// - Parameter again: Whether only changes since the last such save are saved.
  func autosaveAtExit(again: Bool) {
    if exclusiveAccess.isInCall { return }
    if saving.takeSchedule() || !again { autosave(isAtExit: true) }
  }

  private func autosave(isAtExit: Bool = false) {
    // A transaction saves at its end.
    guard autosaveEnabled, hasPlan, !saving.isInTransaction else { return }
    if let failure = failures.read {
      // The changes may depend on a failed read, which no call has thrown yet.
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

  /// The changes that an autosave failed to save are saved or discarded.
  func closeAutosaveFailure() {
    if saving.autosaveFailure == nil { return }
    saving.autosaveFailure = nil
    forgetUnlessRetrying()
  }

  private func forgetUnlessRetrying() {
    if !saving.isAwaited { PendingAutosaves.remove(self) }
  }
}
