/// Pending notifications of observers: changed properties, and invalidated models.
///
/// An observer may change anything, for example with a rollback. So a call's changes are reported when it ends: then both
/// sides of each relationship agree, and all changes are in the journal.
struct ObservationNotices {
  private var depth = 0
  private var waiting: [(property: _ModelProperty, model: any PersistentModel)] = []
  /// The invalidated models. Reported once the merge is complete, because some may be gone by then.
  private var invalidated: [PersistentIdentifier] = []
  private(set) var isInvalidationWaiting = false

  var isHeld: Bool { depth > 0 }
  var isEmpty: Bool { waiting.isEmpty && !isInvalidationWaiting }

  mutating func add(_ property: _ModelProperty, _ model: any PersistentModel) {
    waiting.append((property, model))
  }

  mutating func hold() {
    depth += 1
  }

  /// Ends all calls of `hold()`, until `resume`.
  ///
  /// - Returns: The number of calls.
  mutating func suspend() -> Int {
    defer { depth = 0 }
    return depth
  }

  mutating func resume(_ depth: Int) {
    self.depth = depth
  }

  /// - Returns: Whether there are notifications to post now.
  mutating func release() -> Bool {
    depth -= 1
    return depth == 0 && !isEmpty
  }

  mutating func take() -> [(property: _ModelProperty, model: any PersistentModel)] {
    defer { waiting = [] }
    return waiting
  }

  // MARK: Invalidations

  mutating func recordInvalidated(_ models: [PersistentIdentifier]) {
    let known = Set(invalidated)
    invalidated += known.isEmpty ? models : models.filter { !known.contains($0) }
  }

  /// The merge is complete, so that the invalidated models can be reported.
  mutating func closeInvalidation() {
    isInvalidationWaiting = !invalidated.isEmpty
  }

  mutating func takeInvalidated() -> [PersistentIdentifier] {
    defer {
      invalidated = []
      isInvalidationWaiting = false
    }
    return invalidated
  }
}
