/// The reference model: the expected contents of a context as plain values.
///
/// Models are numbers here, the handles that the test gives them.
struct World {
  struct Thing {
    let kind: Kind
    var text: String
    var number: Int?
    /// The targets of each relationship in order; at most one for a to-one.
    var links: [Relation: [Int]] = [:]
  }

  var things: [Int: Thing] = [:]
  /// Inserted and unsaved models, in order.
  var inserted: [Int] = []
  var deleted: Set<Int> = []
  /// Saved models with changes.
  var changed: Set<Int> = []
  /// Models that count as changed only if they were in memory when the other side was set or deleted.
  var perhapsChanged: Set<Int> = []

  var hasChanges: Bool {
    !inserted.isEmpty || !deleted.isEmpty || !changed.isEmpty
  }

  func handles(_ kind: Kind) -> [Int] {
    things.keys.filter { things[$0]?.kind == kind }.sorted()
  }

  func links(_ handle: Int, _ relation: Relation) -> [Int] {
    things[handle]?.links[relation] ?? []
  }

  mutating func insert(_ handle: Int, _ kind: Kind, text: String) {
    things[handle] = Thing(kind: kind, text: text, number: nil)
    inserted.append(handle)
  }

  mutating func set(_ handle: Int, text: String) {
    touch(handle)
    things[handle]?.text = text
  }

  mutating func set(_ handle: Int, number: Int?) {
    touch(handle)
    things[handle]?.number = number
  }

  private mutating func touch(_ handle: Int) {
    if !inserted.contains(handle) { changed.insert(handle) }
  }

  // MARK: Relationships

  mutating func assign(_ handle: Int, _ relation: Relation, _ targets: [Int]) {
    touch(handle)
    let old = links(handle, relation)
    for target in old where !targets.contains(target) {
      let isRead = relation.isToMany || !relation.inverse.isToMany
      remove(handle, from: target, relation.inverse, isCertain: isRead)
    }
    for target in targets where !old.contains(target) { adopt(handle, by: target, relation) }
    things[handle]?.links[relation] = targets
  }

  /// Sets the inverse of a new link.
  private mutating func adopt(_ handle: Int, by target: Int, _ relation: Relation) {
    let inverse = relation.inverse
    touch(target)
    guard !inverse.isToMany else {
      things[target]?.links[inverse, default: []].append(handle)
      return
    }
    for previous in links(target, inverse) where previous != handle { remove(target, from: previous, relation) }
    things[target]?.links[inverse] = [handle]
  }

  private mutating func remove(_ handle: Int, from owner: Int, _ relation: Relation, isCertain: Bool = true) {
    if isCertain {
      touch(owner)
    } else if !inserted.contains(owner) {
      perhapsChanged.insert(owner)
    }
    things[owner]?.links[relation]?.removeAll { $0 == handle }
  }

  // MARK: Deletion

  mutating func delete(_ root: Int) {
    var waiting = [root]
    while let handle = waiting.popLast() {
      guard let thing = things.removeValue(forKey: handle) else { continue }
      for relation in thing.kind.relations {
        let targets = thing.links[relation] ?? []
        if relation.cascades { waiting += targets }
        let isRead = relation.isToMany || !relation.inverse.isToMany || relation.cascades
        for target in targets where things[target] != nil {
          remove(handle, from: target, relation.inverse, isCertain: isRead)
        }
      }
      if inserted.contains(handle) {
        inserted.removeAll { $0 == handle }
      } else {
        deleted.insert(handle)
      }
      changed.remove(handle)
      perhapsChanged.remove(handle)
    }
  }
}
