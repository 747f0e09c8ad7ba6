/// What a context needs to handle models of one entity.
@usableFromInline
final class EntityBinding {
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// Set when the graph is made, and valid as long as models refer to the binding.
  @exclusivity(unchecked) private(set) var graphReference: Unmanaged<ObjectGraph>?
  let runtime: ModelRuntime
  let entity: Schema.Entity
  /// The topmost entity of the same inheritance tree.
  let rootEntity: Schema.Entity
  /// The position in the schema's list of entities.
  let ordinal: Int
  /// Shared with all entities of the same inheritance tree.
  let map: IdentityMap
  /// The graph retains its sessions as long as its bindings.
  unowned let session: any StoreSession
  let store: InternedString
  let sessionIndex: Int
  let relationshipRules: [RelationshipRule]
  let toOnes: [ToOneRule]
  let toManys: [ToManyRule]
  /// The elements of `relationshipRules`, which retains them, for iterations without retains.
  let ruleReferences: [Unmanaged<RelationshipRule>]
  let toOneReferences: [Unmanaged<ToOneRule>]
  /// The to-manys with a minimum or maximum number of members.
  let countedToManys: [ToManyRule]
  /// Checked at each read of a property, too often for retains. It is retained when it is set, and released when it is
  /// replaced or when the binding is released.
  @exclusivity(unchecked) private var observationProbe: Unmanaged<ObservationProbe>?
  /// The last probe that detected an observer. The observed model takes it.
  @exclusivity(unchecked) var trackedProbe: ObservationProbe?

  /// The properties without a column in the entity's row, in the format of `_ModelState.dirty`.
  let toManyBits: UInt64
  /// The to-ones whose inverse is a to-many, in the same format.
  let memberBits: UInt64
  /// Whether relationships need work after a save.
  let needsCompletion: Bool

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
    toOnes = runtime.toOnes.map { toOne in
      ToOneRule(
        toOne, inverse: runtime.inverse(of: toOne), entity.relationship(named: toOne.name),
        storesKeyInTarget: !session.keepsTarget(of: toOne.name, in: entity))
    }
    toManys = runtime.toManys.map { toMany in
      ToManyRule(toMany, inverse: runtime.inverse(of: toMany), entity.relationship(named: toMany.name))
    }
    relationshipRules = (toOnes + toManys).sorted { $0.property.index < $1.property.index }
    toManyBits = toManys.reduce(0) { $1.property.index < _ModelState.restIndex ? $0 | $1.bit : $0 }
    memberBits = toOnes.reduce(0) { $1.inverse?.toMany != nil ? $0 | $1.bit : $0 }
    ruleReferences = relationshipRules.map(Unmanaged.passUnretained)
    toOneReferences = toOnes.map(Unmanaged.passUnretained)
    countedToManys = toManys.filter(\.isCounted)
    needsCompletion = relationshipRules.contains(where: \.needsCompletion)
  }

  /// The rules of a model's relationships; none if it is in no context.
  static func rules(of model: any PersistentModel) -> [RelationshipRule] {
    model._$withState { $0.binding }?.relationshipRules ?? []
  }

  /// The relationships that keep a deleted target until the save.
  var holdingDeleted: [RelationshipRule] { relationshipRules.filter(\.mayHoldDeleted) }
  /// The to-ones whose key is in the target's row.
  var storedInTarget: [ToOneRule] { toOnes.filter(\.storesKeyInTarget) }

  func rule(of property: any RelationshipProperty) -> RelationshipRule? {
    relationshipRules.first { $0.property === property }
  }

  /// Whether other entities share the key space of this one.
  let isPolymorphic: Bool

  /// Whether the entity has the name or inherits from the entity that has it.
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

  /// Notifies the change observer that a property of a model was set.
  @inline(__always)
  func recordChange(of model: any PersistentModel, property index: Int) {
    graphReference?._withUnsafeGuaranteedRef { graph in
      guard graph.reportsChanges.load(ordering: .relaxed) else { return }
      map.unsaved.inserted?.recordChange(of: model, properties: _ModelState.bit(index))
      graph.changeObserver?.recordChange(of: model, entity: ordinal, properties: _ModelState.bit(index))
    }
  }

  func attach(to graph: ObjectGraph) {
    graphReference = .passUnretained(graph)
    #if DEBUG
      map.isMine = { [unowned(unsafe) graph] in graph.exclusiveAccess.isMine }
    #endif
  }

  /// Whether the current code is observed. Each read of a property checks this.
  @usableFromInline var isObserving: Bool {
    if let observationProbe, !observationProbe._withUnsafeGuaranteedRef({ $0.isTracking }) { return false }
    return probeAgain()
  }

  /// Checks with a new probe, and keeps it if it detected no observer.
  private func probeAgain() -> Bool {
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
