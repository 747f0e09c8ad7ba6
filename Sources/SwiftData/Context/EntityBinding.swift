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
  }
}
