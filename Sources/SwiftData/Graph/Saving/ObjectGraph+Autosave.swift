import Dispatch

extension ObjectGraph {
  /// Saves soon, when what the isolation has to do before is done.
  ///
  /// Only the main context and those of model actors can find their way back to their own isolation; another one saves
  /// when it is told to.
  func scheduleAutosave() {
    if isMain {
      let reference = UncheckedReference(graph: self)
      DispatchQueue.main.async { reference.graph?.autosave() }
    } else if let queue = executorQueue.withLock({ $0 }) {
      // Held until then: the actor may go away, and what nobody holds is forgotten.
      let held = HeldContext(context: context)
      queue.async { held.context.graph.autosave() }
    } else {
      // It may be given to an actor yet.
      _ = saving.takeSchedule()
      _ = Self.warning
    }
  }

  /// Said once.
  private static let warning: Void = {
    Log.store.warning(
      """
      autosaveEnabled is set for a context that is neither a container's main context nor a model actor's. Such a context \
      saves when it is told to: call save().
      """)
  }()

  /// Carries the context of a model actor to the actor's queue, which is its isolation.
  private struct HeldContext: @unchecked Sendable {
    let context: ModelContext
  }

  func autosave() {
    // A transaction saves at its end.
    guard saving.takeSchedule(), autosaveEnabled, hasPlan, !saving.isInTransaction else { return }
    if let failure = failures.read {
      // What has changed since may come of what could not be read, and nobody has been told of that.
      return Log.store.error("Autosave waits until a call of the context has thrown what failed: \(failure)")
    }
    _ = saving.setAutosaving(true)
    defer { _ = saving.setAutosaving(false) }
    do {
      try save()
    } catch {
      Log.store.error("Autosave failed, and is tried again after the next change: \(error)")
    }
  }
}
