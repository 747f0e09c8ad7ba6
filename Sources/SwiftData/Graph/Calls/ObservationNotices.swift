/// What observers are to be told of: of properties, and of notifications that models were invalidated.
///
/// They may do anything, a rollback among others. So they hear of the changes that a call makes when it is over: then both
/// sides of each relationship agree, and what is to be saved is noted.
struct ObservationNotices {
  private var depth = 0
  private var waiting: [(property: _ModelProperty, model: any PersistentModel)] = []
  /// The models that were invalidated. Told once all of that is taken in, as some may be gone by then.
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

  /// Ends all that `hold()` began, until `resume`.
  ///
  /// - Returns: How often notices were held.
  mutating func suspend() -> Int {
    defer { depth = 0 }
    return depth
  }

  mutating func resume(_ depth: Int) {
    self.depth = depth
  }

  /// - Returns: Whether there is something to be told now.
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

  /// All that was noted is taken in.
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
