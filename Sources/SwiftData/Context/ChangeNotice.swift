/// What one save changed, or another call that writes.
struct ChangeNotice: Sendable {
  var inserted = KeysByEntity()
  var updated = KeysByEntity()
  var deleted = KeysByEntity()
  /// Entities of which any rows may have been changed or deleted.
  var unknown: Set<Int> = []
}

/// Keys of rows, by the position of their entity in the schema.
struct KeysByEntity: Sendable {
  /// The entity that was added to last: most keys have the entity of the one before.
  private var entity = -1
  private var keys: [Int64] = []
  /// Those of the other entities.
  private var others: [Int: [Int64]] = [:]

  var isEmpty: Bool { entity < 0 }

  /// One for each entity, in ascending order.
  var entries: [(entity: Int, keys: [Int64])] {
    if isEmpty { return [] }
    if others.isEmpty { return [(entity, keys)] }
    return (others.map { ($0, $1) } + [(entity, keys)]).sorted { $0.0 < $1.0 }
  }

  var entities: Set<Int> {
    isEmpty ? [] : Set(others.keys).union([entity])
  }

  /// Calls `body` for each entity, in ascending order.
  func visit(_ body: (_ entity: Int, _ keys: [Int64]) -> Void) {
    if others.isEmpty, !isEmpty { return body(entity, keys) }
    for (entity, keys) in entries { body(entity, keys) }
  }

  mutating func add(_ key: Int64, of entity: Int) {
    if entity != self.entity { turn(to: entity) }
    keys.append(key)
  }

  mutating func add(_ keys: [Int64], of entity: Int) {
    guard !keys.isEmpty else { return }
    if entity != self.entity { turn(to: entity) }
    self.keys += keys
  }

  private mutating func turn(to entity: Int) {
    if !isEmpty { others[self.entity] = keys }
    keys = others.removeValue(forKey: entity) ?? []
    self.entity = entity
  }
}
