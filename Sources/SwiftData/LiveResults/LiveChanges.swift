/// What has changed in a context since its live queries were brought up to date.
struct LiveChanges {
  /// Which properties of a row have other values, as `_ModelState.dirty` has them; all of one that came or went.
  typealias Properties = UInt64

  struct EntityChanges {
    /// Those of all rows.
    fileprivate(set) var properties: Properties = 0
    /// Whether rows came or went.
    fileprivate(set) var hasOtherMembers = false
    /// The rows that others have changed, by their keys.
    fileprivate(set) var rows: [Int64: Properties] = [:]
    /// Whether other rows than `rows` and the context's own models may have changed.
    fileprivate(set) var isBeyondCount = false
  }

  /// A model that the context has changed.
  struct ModelChanges {
    /// Not retained: a change must not keep a model, nor its context.
    private(set) weak var model: (any PersistentModel)?
    let entity: Int
    /// The key that it had when it was changed first: the save gives it another one.
    let key: Int64
    fileprivate(set) var properties: Properties

    fileprivate init(model: any PersistentModel, entity: Int, key: Int64, properties: Properties) {
      self.model = model
      self.entity = entity
      self.key = key
      self.properties = properties
    }
  }

  /// More rows than these are not looked at one by one.
  static let rowLimit = 256

  /// By the position of the entity in the schema.
  private(set) var entities: [Int: EntityChanges] = [:]
  private(set) var models: [ObjectIdentifier: ModelChanges] = [:]
  private(set) var isAnything = false

  var isEmpty: Bool { entities.isEmpty && !isAnything }

  mutating func add(_ properties: Properties, of entity: Int) {
    entities[entity, default: EntityChanges()].properties |= properties
  }

  mutating func add(_ model: any PersistentModel, _ entity: Int, _ properties: Properties, isMember: Bool) {
    add(isMember ? 0 : properties, of: entity)
    if isMember { entities[entity]?.hasOtherMembers = true }
    if let known = models[ObjectIdentifier(model)] {
      models[ObjectIdentifier(model)]?.properties |= properties
      // The model was released whose place in memory this one has.
      if known.model !== model { entities[entity]?.isBeyondCount = true }
    } else if models.count < Self.rowLimit {
      let key = model._$withState { $0.key }
      models[ObjectIdentifier(model)] = ModelChanges(model: model, entity: entity, key: key, properties: properties)
    } else {
      entities[entity]?.isBeyondCount = true
    }
  }

  /// A row came or went.
  mutating func add(_ row: RowKey) {
    entities[row.entity, default: EntityChanges()].hasOtherMembers = true
    add([row.key], .max, of: row.entity)
  }

  mutating func add(_ changes: ChangeInbox.EntityChanges, of entity: Int) {
    add(changes.isBeyondCount ? .max : changes.properties, of: entity)
    if changes.hasOtherRows || changes.isBeyondCount { entities[entity]?.hasOtherMembers = true }
    if changes.isBeyondCount || changes.hasOtherInserted { entities[entity]?.isBeyondCount = true }
    add(changes.updated, changes.properties, of: entity)
    add(changes.inserted.union(changes.deleted).union(changes.revived), .max, of: entity)
  }

  private mutating func add(_ keys: some Collection<Int64>, _ properties: Properties, of entity: Int) {
    for key in keys {
      guard entities[entity]?.rows.count ?? 0 < Self.rowLimit else {
        entities[entity]?.isBeyondCount = true
        return
      }
      entities[entity]?.rows[key, default: 0] |= properties
    }
  }

  mutating func addAnything() {
    isAnything = true
  }

  mutating func add(_ other: LiveChanges) {
    for (entity, changes) in other.entities {
      add(changes.properties, of: entity)
      if changes.hasOtherMembers { entities[entity]?.hasOtherMembers = true }
      if changes.isBeyondCount { entities[entity]?.isBeyondCount = true }
      for (key, properties) in changes.rows { add([key], properties, of: entity) }
    }
    models.merge(other.models) { $1 }
    if other.isAnything { isAnything = true }
  }
}
