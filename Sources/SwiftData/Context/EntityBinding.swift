/// What one context needs to handle models of one entity.
final class EntityBinding {
  let runtime: ModelRuntime
  let entity: Schema.Entity
  /// The position in the schema's list of entities.
  let ordinal: Int
  /// Shared with all entities of the same inheritance tree.
  let map: IdentityMap
  unowned let session: any StoreSession
  let store: InternedString
  let sessionIndex: Int
  let relationshipRules: [RelationshipRule]

  /// What the schema demands of one relationship.
  struct RelationshipRule {
    let property: any RelationshipProperty
    let deleteRule: Schema.Relationship.DeleteRule
    /// How many targets a to-many may have; zero for any number.
    let minimum: Int
    let maximum: Int

    var isCounted: Bool { minimum > 0 || maximum > 0 }
  }

  init(
    runtime: ModelRuntime, entity: Schema.Entity, ordinal: Int, map: IdentityMap, session: any StoreSession,
    sessionIndex: Int
  ) {
    self.runtime = runtime
    self.entity = entity
    self.ordinal = ordinal
    self.map = map
    self.session = session
    self.sessionIndex = sessionIndex
    store = session.storeIdentifier
    relationshipRules = runtime.relationships.map { property in
      let relationship = entity.relationship(named: property.name)
      return RelationshipRule(
        property: property, deleteRule: relationship?.deleteRule ?? .nullify,
        minimum: relationship?.minimumModelCount ?? 0, maximum: relationship?.maximumModelCount ?? 0)
    }
  }
}
