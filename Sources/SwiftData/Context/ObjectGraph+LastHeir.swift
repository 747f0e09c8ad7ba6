internal import ReferenceCounts

// When nobody holds the context, and every model that somebody holds has unsaved changes, or is what some lead to, one
// of these is the heir. The others are held by the lists of unsaved changes until it has gone, or somebody takes a
// context again and saves; of the heir these let go, and so does the storage of all that has unsaved changes, where a
// `StandIn` or a key is in its place.
//
// Should the heir go away while somebody holds another one, its unsaved changes are given to a new object for its row.
extension ObjectGraph {
  /// The only heir, which has unsaved changes, and what to put back where it was held.
  final class LastHeir {
    /// Its state tells the graph that it goes away, which drops this then.
    private let model: UncountedReference<AnyObject>
    let binding: EntityBinding
    let key: Int64
    let status: _ModelState.Status
    let standIn: StandIn
    /// Where it was held. The holders are in the lists of unsaved changes, which hold them.
    let places: [Place]
    let record: ChangeRecord?
    /// What the heir has that no row tells.
    private(set) var values: [(property: _ModelProperty, slot: Any)] = []

    init(_ model: any PersistentModel, _ binding: EntityBinding, _ standIn: StandIn, _ places: [Place]) {
      self.model = UncountedReference(model)
      self.binding = binding
      self.standIn = standIn
      self.places = places
      (key, status, record) = model._$withState { ($0.key, $0.status, $0.change) }
      keepValues()
    }

    /// The heir, unless it is going away.
    var living: (any PersistentModel)? { model.object as? any PersistentModel }

    /// Keeps what the heir has now.
    func keepValues() {
      guard let model = living else { return }
      let properties = binding.runtime.properties.filter { property in
        !property.isConstant && (status == .inserted || record?.original(property.index) != nil)
      }
      values = properties.map { ($0, $0.storage(of: model)) }
    }
  }

  /// Where something inside holds a model.
  struct Place {
    /// In a list of unsaved changes, which holds it for as long as there is a last heir.
    unowned(unsafe) let holder: any PersistentModel
    let holderIdentity: ObjectIdentifier
    let property: any RelationshipProperty
    /// Whether it is in the value that a rollback goes back to.
    let isOriginal: Bool

    init(_ holder: any PersistentModel, _ property: any RelationshipProperty, isOriginal: Bool) {
      self.holder = holder
      holderIdentity = ObjectIdentifier(holder)
      self.property = property
      self.isOriginal = isOriginal
    }

    func change(_ body: (Any) -> Any) {
      if !isOriginal { return property.restore(body(property.storage(of: holder)), to: holder) }
      if let record = holder._$withState({ $0.change }) { change(in: record, body) }
    }

    func change(in record: ChangeRecord, _ body: (Any) -> Any) {
      guard let original = record.original(property.index) else { return }
      record.replaceOriginal(property.index, with: body(original))
    }
  }

  /// Calls `body` for each place where unsaved changes hold a model.
  func visitInside(_ body: (Place, any PersistentModel) -> Void) {
    func visit(_ holder: any PersistentModel) {
      let (status, record, binding) = holder._$withState { ($0.status, $0.change, $0.binding) }
      for rule in binding?.relationshipRules ?? [] {
        let property = rule.property
        if status == .inserted || holder._$withState({ $0.isPending(property.index) }) {
          let place = Place(holder, property, isOriginal: false)
          property.forEachHeld(by: property.storage(of: holder)) { body(place, $0) }
        }
        if let original = record?.original(property.index) {
          let place = Place(holder, property, isOriginal: true)
          property.forEachHeld(by: original) { body(place, $0) }
        }
      }
    }
    inserted.visit { _, model in visit(model) }
    changed.visit { _, model in visit(model) }
    deleted.visit { _, model in if !changed.contains(model) { visit(model) } }
  }

  func appointLastHeir() {
    var places: [ObjectIdentifier: [Place]] = [:]
    var targets: [any PersistentModel] = []
    visitInside { place, target in
      let isFirst = places[ObjectIdentifier(target)] == nil
      places[ObjectIdentifier(target), default: []].append(place)
      if isFirst, !hasChanges(target) { targets.append(target) }
    }
    func isAppointed(_ candidate: Unmanaged<AnyObject>, heldHere: Int) -> Bool {
      let standIn = StandIn(candidate)
      let places = places[standIn.identity] ?? []
      for place in places { place.change { place.property.loosening($0, standIn) } }
      if isHeldOutside(candidate, heldHere) {
        appoint(candidate, standIn, places)
        return true
      }
      for place in places { place.change { place.property.tightening($0, standIn) } }
      return false
    }
    if candidates().contains(where: { isAppointed($0, heldHere: 0) }) { return }
    // What has no unsaved changes is in no list that would hold it meanwhile.
    withExtendedLifetime(targets) {
      _ = targets.map { Unmanaged<AnyObject>.passUnretained($0) }.contains { isAppointed($0, heldHere: 1) }
    }
  }

  /// The models with unsaved changes, those that came last first. None is held for it, so that it shows who else does;
  /// the lists hold them until one is appointed.
  private func candidates() -> [Unmanaged<AnyObject>] {
    var candidates: [Unmanaged<AnyObject>] = []
    inserted.visit { _, model in candidates.append(.passUnretained(model)) }
    deleted.visit { _, model in if !changed.contains(model) { candidates.append(.passUnretained(model)) } }
    changed.visit { _, model in candidates.append(.passUnretained(model)) }
    candidates.reverse()
    // An heir that goes away with others mostly dies before them, whoever is chosen by a rule.
    guard lifetime.successionCount > 1, let place = candidates.indices.randomElement() else { return candidates }
    return Array(candidates[place...] + candidates[..<place])
  }

  /// Whether somebody holds a model beside the lists of unsaved changes, and as many times as it is held here.
  private func isHeldOutside(_ model: Unmanaged<AnyObject>, _ heldHere: Int) -> Bool {
    let listCount = model._withUnsafeGuaranteedRef { object in
      guard let model = object as? any PersistentModel else { return 0 }
      return (inserted.contains(model) ? 1 : 0) + (changed.contains(model) ? 1 : 0) + (deleted.contains(model) ? 1 : 0)
    }
    return swift_retainCount(model.toOpaque()) > listCount + heldHere
  }

  private func appoint(_ candidate: Unmanaged<AnyObject>, _ standIn: StandIn, _ places: [Place]) {
    guard let model = candidate.takeUnretainedValue() as? any PersistentModel,
      let binding = model._$withState({ $0.binding })
    else { return }
    inserted.loosen(model)
    changed.loosen(model)
    deleted.loosen(model)
    model._$withState { $0.heirdom = .last }
    lifetime.lastHeir = LastHeir(model, binding, standIn, places)
    lifetime.heirCount = 1
  }

  /// Has the last heir held again where it was.
  func holdLastHeir() {
    guard let heir = lifetime.lastHeir else { return }
    guard let model = heir.living else {
      lifetime.replacedCount += 1
      return replaceLastHeir()
    }
    inserted.tighten()
    changed.tighten()
    deleted.tighten()
    model._$withState { $0.heirdom = .none }
    putBack(heir, in: heir.places)
  }

  private func putBack(_ heir: LastHeir, in places: [Place]) {
    for place in places { place.change { place.property.tightening($0, heir.standIn) } }
    lifetime.lastHeir = nil
    lifetime.heirCount = 0
    noteHearing()
  }

  func lastHeirDied() {
    // Which of several is buried does not matter.
    if lifetime.replacedCount > 0 {
      lifetime.replacedCount -= 1
    } else {
      lifetime.successionCount += 1
      replaceLastHeir()
    }
  }

  private func replaceLastHeir() {
    guard let heir = lifetime.lastHeir else { return }
    inserted.forgetLoose()
    changed.forgetLoose()
    deleted.forgetLoose()
    let successor = makeSuccessor(of: heir)
    heir.standIn.become(successor)
    if let successor {
      for (property, slot) in heir.values {
        property.restore(property.relationship?.tightening(slot, heir.standIn) ?? slot, to: successor)
      }
    }
    // Its own storage is about to go, its record is the successor's.
    let ownPlaces = heir.places.filter { heir.standIn.standsFor($0.holderIdentity) }
    if let record = heir.record {
      for place in ownPlaces where place.isOriginal {
        place.change(in: record) { place.property.tightening($0, heir.standIn) }
      }
    }
    putBack(heir, in: heir.places.filter { !heir.standIn.standsFor($0.holderIdentity) })
    // Whoever still has the stand-in must not hold the successor by it.
    heir.standIn.become(nil)
  }

  /// An object that has the unsaved changes of one that went away, but for the values.
  private func makeSuccessor(of heir: LastHeir) -> (any PersistentModel)? {
    let runtime = heir.binding.runtime
    if runtime.hasConstants {
      // What was set while the object was made cannot be set again.
      Log.model.warning("A \(runtime.entityName.string) of a context that nobody holds went away with unsaved changes.")
      return nil
    }
    if heir.status == .inserted {
      let model = makeUnregistered(runtime.type)
      model._$withState { state in
        state.key = heir.key
        state.binding = heir.binding
        state.status = .inserted
      }
      inserted.append(model)
      return model
    }
    guard let model = try? fault(heir.key, heir.binding) else { return nil }
    if let record = heir.record {
      model._$withState { $0.change = record }
      changed.append(model)
    }
    if heir.status == .deleted {
      model._$withState { $0.status = .deleted }
      deleted.append(model)
    }
    return model
  }

  private func makeUnregistered<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
    type.init(_$origin: .nowhere, row: emptyRow)
  }
}

/// What is in the place of a model that may not be held there.
final class StandIn {
  private let model: UncountedReference<AnyObject>
  let identity: ObjectIdentifier
  /// What has taken the model's place when it went away.
  private var successor: (any PersistentModel)?
  private var isGone = false
  let key: Int64

  init(_ model: Unmanaged<AnyObject>) {
    (self.model, identity, key) = model._withUnsafeGuaranteedRef {
      (UncountedReference($0), ObjectIdentifier($0), ($0 as? any PersistentModel)?._$withState { $0.key } ?? 0)
    }
  }

  func standsFor(_ other: ObjectIdentifier) -> Bool {
    other == identity
  }

  /// The model, or its successor if there is one; nil while it is going away.
  var represented: AnyObject? {
    isGone ? successor : model.object
  }

  func become(_ successor: (any PersistentModel)?) {
    isGone = true
    self.successor = successor
  }
}
