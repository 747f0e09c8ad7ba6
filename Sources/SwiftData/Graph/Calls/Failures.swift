/// What goes wrong in calls that cannot throw, kept for one that can: why the store could not be read for the next call,
/// and what was refused for the next save.
struct Failures: ~Copyable {
  /// Why an accessor, or another call that cannot throw, could not read. Of several the first: the others may come of it.
  private(set) var read: (any Error)?
  private(set) var refusals: [SwiftDataError.Issue] = []

  /// A program that never saves by itself is never told.
  private static let maximumRefusalCount = 1000

  mutating func noteRead(_ failure: any Error) {
    read = read ?? failure
  }

  mutating func noteRefusal(_ issue: SwiftDataError.Issue) {
    if refusals.count < Self.maximumRefusalCount { refusals.append(issue) }
  }

  /// Somebody was told why the store could not be read.
  mutating func closeRead() {
    read = nil
  }

  /// Somebody was told what was refused.
  mutating func closeRefusals() {
    refusals.removeAll()
  }

  mutating func closeAll() {
    closeRead()
    closeRefusals()
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
      note(error)
      return false
    }
  }

  /// Whether a read has failed and no call has thrown why.
  var hasUnreportedFailure: Bool { failures.read != nil }

  /// Keeps a failure for the next call that can throw.
  func note(_ failure: any Error) {
    failures.noteRead(failure)
    saving.noteFailure(failure)
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
    failures.noteRefusal(issue)
    Log.model.error("\(issue)")
  }

  /// Refuses a model that has no values but made-up ones.
  func rejectHollow(_ model: any PersistentModel) {
    reject(
      model, "The model was asked for by an identifier, and its row is not there or could not be read.",
      "Ask for it again, or make a new model.")
  }
}
