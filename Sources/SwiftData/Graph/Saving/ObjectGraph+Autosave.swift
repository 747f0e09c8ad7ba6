import Dispatch

extension ObjectGraph {
  /// Saves soon, when the current work of the main actor is done.
  ///
  /// Only the main context can find its way back to its own isolation; a context made by hand saves when it is told to.
  func scheduleAutosave() {
    guard isMain else { return }
    let reference = UncheckedReference(graph: self)
    DispatchQueue.main.async { reference.graph?.autosave() }
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
