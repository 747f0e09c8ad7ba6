/// What observers are to be told of.
///
/// They may do anything, a rollback among others. So they hear of the changes that a call makes when it is over: then both
/// sides of each relationship agree, and what is to be saved is noted.
struct ObservationNotices {
  private var depth = 0
  private var waiting: [(property: _ModelProperty, model: any PersistentModel)] = []

  var isHeld: Bool { depth > 0 }
  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ property: _ModelProperty, _ model: any PersistentModel) {
    waiting.append((property, model))
  }

  mutating func hold() {
    depth += 1
  }

  /// - Returns: Whether there is something to be told now.
  mutating func release() -> Bool {
    depth -= 1
    return depth == 0 && !waiting.isEmpty
  }

  mutating func take() -> [(property: _ModelProperty, model: any PersistentModel)] {
    defer { waiting = [] }
    return waiting
  }
}

extension ObjectGraph {
  /// Ends what `notices.hold()` began.
  @inline(__always)
  func releaseNotices() {
    if notices.release() { tellObservers() }
  }

  private func tellObservers() {
    // What observers change meanwhile they hear of at once.
    for (property, model) in notices.take() { property.tellObservers(of: model) }
  }
}
