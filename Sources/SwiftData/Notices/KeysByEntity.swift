/// Keys of rows, by the position of their entity in the schema, with the properties that changed in any row of the entity.
struct KeysByEntity: Sendable {
  struct Entry: Sendable {
    let entity: Int
    fileprivate(set) var keys: [Int64] = []
    /// In the format of `_ModelState.dirty`.
    fileprivate(set) var properties: UInt64 = 0
  }

  /// The entry of the last added entity: most keys have the same entity as the key before.
  private var last = Entry(entity: -1)
  private var others: [Int: Entry]?

  var isEmpty: Bool { last.entity < 0 }

  /// One entry for each entity, in ascending order.
  var entries: [Entry] {
    if isEmpty { return [] }
    guard let others else { return [last] }
    return (others.values + [last]).sorted { $0.entity < $1.entity }
  }

  var entities: Set<Int> {
    isEmpty ? [] : Set((others ?? [:]).keys).union([last.entity])
  }

  /// Calls `body` for each entity, in ascending order.
  func visit(_ body: (Entry) -> Void) {
    if others == nil, !isEmpty { return body(last) }
    for entry in entries { body(entry) }
  }

  /// - Parameter properties: The changed properties of the row; all if they are not known.
  mutating func add(_ key: Int64, of entity: Int, properties: UInt64 = .max) {
    if entity != last.entity { turn(to: entity) }
    last.keys.append(key)
    last.properties |= properties
  }

  mutating func add(_ keys: [Int64], of entity: Int, properties: UInt64 = .max) {
    guard !keys.isEmpty else { return }
    if entity != last.entity { turn(to: entity) }
    last.keys += keys
    last.properties |= properties
  }

  mutating func add(_ others: KeysByEntity) {
    others.visit { add($0.keys, of: $0.entity, properties: $0.properties) }
  }

  private mutating func turn(to entity: Int) {
    let previous = others?.removeValue(forKey: entity)
    if !isEmpty {
      if others == nil { others = [:] }
      others?[last.entity] = last
    }
    last = previous ?? Entry(entity: entity)
  }
}
