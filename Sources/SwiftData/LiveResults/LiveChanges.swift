/// The changes in a context since the last update of its live queries.
struct LiveChanges {
  /// The changed properties of a row, in the format of `_ModelState.dirty`; all bits for an inserted or deleted row.
  typealias Properties = UInt64

  struct EntityChanges {
    /// The changed properties of any row.
    fileprivate(set) var properties: Properties = 0
    /// Whether rows were inserted or deleted.
    fileprivate(set) var hasOtherMembers = false
    /// The rows by their keys. A row can occur several times.
    fileprivate(set) var rows: [(key: Int64, properties: Properties)] = []
    /// The models without a row that were inserted, changed or deleted: their temporary keys, and their positions in the
    /// list of inserted models. They are not retained, because a change must not extend a model's lifetime.
    fileprivate(set) var unsaved: [(key: Int64, position: Int, properties: Properties)] = []
    /// Whether other rows may have changed as well.
    fileprivate(set) var hasUnlistedKeys = false

    fileprivate var isRecorded = false
    fileprivate var hasCapacity: Bool { max(rows.count, unsaved.count) < LiveChanges.rowLimit }

    fileprivate mutating func add(_ key: Int64, _ properties: Properties) {
      // An insertion is a separate record.
      if let last = rows.indices.last, rows[last].key == key, rows[last].properties != .max {
        rows[last].properties |= properties
      } else if hasCapacity {
        rows.append((key, properties))
      } else {
        discardRows()
      }
    }

    fileprivate mutating func add(_ model: any PersistentModel, _ key: Int64, _ properties: Properties) {
      if let last = unsaved.indices.last, unsaved[last].key == key {
        unsaved[last].properties |= properties
      } else if hasCapacity {
        unsaved.append((key, StatePosition.position(of: model), properties))
      } else {
        discardRows()
      }
    }

    fileprivate mutating func discardRows() {
      hasUnlistedKeys = true
      rows = []
      unsaved = []
    }
  }

  /// The number of rows of an entity above which the rows are not evaluated one by one.
  static let rowLimit = 16_384

  /// By the position of the entity in the schema.
  private(set) var entities: [EntityChanges]
  /// The entities with changes.
  private(set) var changed: [Int] = []
  private(set) var isAnything = false

  init(entityCount: Int) {
    entities = Array(repeating: EntityChanges(), count: entityCount)
  }

  var isEmpty: Bool { changed.isEmpty && !isAnything }

  private mutating func record(_ entity: Int) {
    if entities[entity].isRecorded { return }
    entities[entity].isRecorded = true
    changed.append(entity)
  }

  mutating func add(_ properties: Properties, of entity: Int) {
    record(entity)
    entities[entity].properties |= properties
  }

  mutating func add(_ model: any PersistentModel, _ entity: Int, _ properties: Properties, isMember: Bool) {
    record(entity)
    if isMember { entities[entity].hasOtherMembers = true } else { entities[entity].properties |= properties }
    if entities[entity].hasUnlistedKeys { return }
    let key = model._$withState { $0.key }
    if key > 0 { entities[entity].add(key, properties) } else { entities[entity].add(model, key, properties) }
  }

  /// Records an inserted or deleted row.
  mutating func add(_ row: RowKey) {
    record(row.entity)
    entities[row.entity].hasOtherMembers = true
    if !entities[row.entity].hasUnlistedKeys { entities[row.entity].add(row.key, .max) }
  }

  mutating func add(_ changes: ChangeInbox.EntityChanges, of entity: Int) {
    add(changes.hasUnlistedKeys ? .max : changes.properties, of: entity)
    if changes.hasInsertionsOrDeletions || changes.hasUnlistedKeys { entities[entity].hasOtherMembers = true }
    if changes.hasUnlistedKeys || changes.hasOtherInserted { entities[entity].discardRows() }
    add(changes.updated, changes.properties, of: entity)
    for keys in [changes.inserted, changes.deleted] { add(keys, .max, of: entity) }
  }

  private mutating func add(_ keys: some Collection<Int64>, _ properties: Properties, of entity: Int) {
    for key in keys where !entities[entity].hasUnlistedKeys { entities[entity].add(key, properties) }
  }

  mutating func addAnything() {
    isAnything = true
  }

  mutating func add(_ other: LiveChanges) {
    for entity in other.changed {
      let changes = other.entities[entity]
      add(changes.properties, of: entity)
      if changes.hasOtherMembers { entities[entity].hasOtherMembers = true }
      // Earlier records may be of rows whose keys have changed since.
      entities[entity].discardRows()
    }
    if other.isAnything { isAnything = true }
  }
}
