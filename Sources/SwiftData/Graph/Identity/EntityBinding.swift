/// What one context needs to handle models of one entity.
@usableFromInline
final class EntityBinding {
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// Set as soon as the graph is made, and there for as long as models refer to the binding.
  @exclusivity(unchecked) private(set) var graphReference: Unmanaged<ObjectGraph>?
  let runtime: ModelRuntime
  let entity: Schema.Entity
  /// The topmost entity of the same inheritance tree.
  let rootEntity: Schema.Entity
  /// The position in the schema's list of entities.
  let ordinal: Int
  /// Shared with all entities of the same inheritance tree.
  let map: IdentityMap
  /// The graph has its sessions for as long as its bindings.
  unowned let session: any StoreSession
  let store: InternedString
  let sessionIndex: Int
  let relationshipRules: [RelationshipRule]
  /// The same, to be gone through without counting a reference for each: `relationshipRules` holds them.
  let ruleReferences: [Unmanaged<RelationshipRule>]
  /// Asked at every read of a property, too often for counting references to it. It is retained where it is set, and
  /// released when another takes its place or the binding goes.
  @exclusivity(unchecked) private var observationProbe: Unmanaged<ObservationProbe>?
  /// The probe that found an observer last. The model that is observed takes it over.
  @exclusivity(unchecked) var trackedProbe: ObservationProbe?

  let hasToMany: Bool
  /// The properties that no row of the entity tells, as `_ModelState.dirty` has them.
  let toManyBits: UInt64
  /// The to-ones that have a to-many as their other side, in the same way.
  let memberBits: UInt64
  /// Whether a save leaves something to do for its relationships: see `SaveCompletion`.
  let needsSettling: Bool

  /// What the schema demands of one relationship.
  final class RelationshipRule {
    let property: any RelationshipProperty
    let inverse: (any RelationshipProperty)?
    let isToMany: Bool
    /// Whether it is a to-one whose target's row tells where it leads.
    let isKeptByTarget: Bool
    var isOneWay: Bool { inverse == nil }
    /// What the keys of members are of that are read from now on.
    @exclusivity(unchecked) var reading = MemberReading()
    /// Whether it goes on leading to what is deleted until the save. Set as soon as all bindings are there.
    @exclusivity(unchecked) var mayHoldDeleted = false
    /// Whether it is a to-one that keeps its key when its target is deleted.
    var mayLeadOn: Bool { mayHoldDeleted && !isToMany && !isOneWay }
    /// The mark of the property among the changed ones.
    let bit: UInt64
    let deleteRule: Schema.Relationship.DeleteRule
    /// How many targets a to-many may have; zero for any number.
    let minimum: Int
    let maximum: Int

    var isCounted: Bool { minimum > 0 || maximum > 0 }

    init(
      _ property: any RelationshipProperty, inverse: (any RelationshipProperty)?,
      _ relationship: Schema.Relationship?, isKeptByTarget: Bool
    ) {
      self.property = property
      self.inverse = inverse
      self.isKeptByTarget = isKeptByTarget
      isToMany = property.isToMany
      bit = _ModelState.bit(property.index)
      deleteRule = relationship?.deleteRule ?? .nullify
      minimum = relationship?.minimumModelCount ?? 0
      maximum = relationship?.maximumModelCount ?? 0
    }
  }

  init(
    runtime: ModelRuntime, entity: Schema.Entity, ordinal: Int, map: IdentityMap, session: any StoreSession,
    sessionIndex: Int
  ) {
    self.runtime = runtime
    self.entity = entity
    rootEntity = entity.rootEntity
    self.ordinal = ordinal
    self.map = map
    self.session = session
    self.sessionIndex = sessionIndex
    store = session.storeIdentifier
    isPolymorphic = !rootEntity.subentities.isEmpty
    hasToMany = runtime.hasToMany
    toManyBits = runtime.relationships.reduce(0) { bits, property in
      property.isToMany && property.index < _ModelState.restIndex ? bits | _ModelState.bit(property.index) : bits
    }
    relationshipRules = runtime.relationships.map { property in
      RelationshipRule(
        property, inverse: runtime.inverse(of: property), entity.relationship(named: property.name),
        isKeptByTarget: !property.isToMany && !session.keepsTarget(of: property.name, in: entity))
    }
    memberBits = relationshipRules.reduce(0) { bits, rule in
      !rule.isToMany && rule.inverse?.isToMany == true ? bits | rule.bit : bits
    }
    ruleReferences = relationshipRules.map(Unmanaged.passUnretained)
    needsSettling = relationshipRules.contains { $0.isToMany || $0.isKeptByTarget || $0.isOneWay }
  }

  func rule(of property: any RelationshipProperty) -> RelationshipRule? {
    relationshipRules.first { $0.property === property }
  }

  /// Whether rows of several entities share their keys with those of this one.
  let isPolymorphic: Bool

  /// Whether the entity has a name or inherits from the one that has.
  func isKind(ofEntity name: InternedString) -> Bool {
    runtime.entityName == name || isPolymorphic && entity.superentities.contains { $0.name == name.string }
  }

  /// The identifier of a row.
  func identifier(of key: Int64) -> PersistentIdentifier {
    if key >= RowIdentity.firstText, let text = session.text(for: key) {
      return PersistentIdentifier(
        storeName: store.string, entityName: runtime.entityName.string, primaryKey: text)
    }
    return PersistentIdentifier(store: store, entity: runtime.entityName, key: key)
  }

  var graph: ObjectGraph? {
    graphReference?.takeUnretainedValue()
  }

  /// Tells what follows the context that a property of a model has another value.
  @inline(__always)
  func noteChange(of model: any PersistentModel, property index: Int) {
    graphReference?._withUnsafeGuaranteedRef { graph in
      guard graph.hearsChanges.load(ordering: .relaxed) else { return }
      map.unsaved.inserted?.noteChange(of: model, properties: _ModelState.bit(index))
      graph.changeObserver?.noteChange(of: model, entity: ordinal, properties: _ModelState.bit(index))
    }
  }

  func attach(to graph: ObjectGraph) {
    graphReference = .passUnretained(graph)
    #if DEBUG
      map.isMine = { [unowned(unsafe) graph] in graph.occupancy.isMine }
    #endif
  }

  /// Whether the code that runs now is observed by somebody. Every read of a property asks.
  @usableFromInline var isObserving: Bool {
    if let observationProbe, !observationProbe._withUnsafeGuaranteedRef({ $0.isTracking }) { return false }
    return probeAnew()
  }

  /// Asks a new probe, and keeps it if it found nobody.
  private func probeAnew() -> Bool {
    if graph?.readsUnobserved == true { return false }
    observationProbe?.release()
    observationProbe = nil
    guard ObservationProbe.isReliable else { return true }
    let probe = ObservationProbe.take()
    if probe.isTracking {
      trackedProbe = probe
      return true
    }
    observationProbe = .passRetained(probe)
    return false
  }

  deinit {
    if let observationProbe { ObservationProbe.giveBack(observationProbe.takeRetainedValue()) }
  }
}
