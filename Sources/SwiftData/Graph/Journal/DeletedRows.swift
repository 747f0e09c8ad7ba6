/// Rows with a pending deletion that have no model in memory.
///
/// When a model is made for one of them, the row is removed here and the model is marked for deletion.
struct DeletedRows {
  /// The positions of the rows' entities in the schema, by key, for each entity tree.
  private var entities: [ObjectIdentifier: [Int64: Int]] = [:]
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The rows of an entity tree.
  func rows(of map: IdentityMap) -> [Int64: Int] {
    entities[ObjectIdentifier(map)] ?? [:]
  }

  func contains(_ key: Int64, of map: IdentityMap) -> Bool {
    entities[ObjectIdentifier(map)]?[key] != nil
  }

  mutating func insert(_ row: RowKey, of map: IdentityMap) {
    if entities[ObjectIdentifier(map), default: [:]].updateValue(row.entity, forKey: row.key) == nil { count += 1 }
  }

  /// - Returns: Whether the row was there.
  @discardableResult
  mutating func remove(_ key: Int64, of map: IdentityMap) -> Bool {
    guard entities[ObjectIdentifier(map)]?.removeValue(forKey: key) != nil else { return false }
    count -= 1
    return true
  }

  mutating func removeAll() {
    self = DeletedRows()
  }

  /// The keys of the rows, grouped by the entities that meet a condition, in ascending order.
  func keys(where isIncluded: (_ entity: Int) -> Bool) -> [(entity: Int, keys: [Int64])] {
    var keys: [Int: [Int64]] = [:]
    for rows in entities.values {
      for (key, entity) in rows where isIncluded(entity) { keys[entity, default: []].append(key) }
    }
    return keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
  }
}
