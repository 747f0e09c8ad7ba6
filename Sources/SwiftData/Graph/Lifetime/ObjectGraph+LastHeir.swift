internal import ReferenceCounts

// The case that nobody holds the context, and that every model which somebody holds has unsaved changes, or is what
// some lead to. Then one of these models is the heir. The lists of unsaved changes hold the others until the heir has
// gone, or until somebody takes a context again and saves. The lists do not hold the heir, and neither does the storage
// of models with unsaved changes: a `StandIn` or a key is in its place there.
//
// Should the heir go away while somebody holds another one of the models, its unsaved changes are given to a new object
// for its row.
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
    let changes: ObjectChanges?
    /// What the heir has that no row tells.
    private(set) var values: [(property: _ModelProperty, slot: Any)] = []

    init(_ model: any PersistentModel, _ binding: EntityBinding, _ standIn: StandIn, _ places: [Place]) {
      self.model = UncountedReference(model)
      self.binding = binding
      self.standIn = standIn
      self.places = places
      (key, status, changes) = model._$withState { ($0.key, $0.status, $0.changes) }
      keepValues()
    }

    /// The heir, unless it is going away.
    var living: (any PersistentModel)? { model.object as? any PersistentModel }

    /// Keeps what the heir has now.
    func keepValues() {
      guard let model = living else { return }
      let properties = binding.runtime.properties.filter { property in
        !property.isConstant && (status == .inserted || changes?.entry(property.index) != nil)
      }
      values = properties.map { ($0, $0.slot(of: model)) }
    }
  }

  /// Where something inside holds a model.
  struct Place {
    /// In a list of unsaved changes, which holds it for as long as there is a last heir.
    unowned(unsafe) let holder: any PersistentModel
    let holderIdentity: ObjectIdentifier
    let property: any RelationshipProperty
    /// Whether it is in the value that a rollback goes back to.
    let isFormer: Bool

    init(_ holder: any PersistentModel, _ property: any RelationshipProperty, isFormer: Bool) {
      self.holder = holder
      holderIdentity = ObjectIdentifier(holder)
      self.property = property
      self.isFormer = isFormer
    }

    func loosen(_ standIn: StandIn) {
      if isFormer { return change { $0.loosened(standIn) } }
      property.restore(property.loosening(property.slot(of: holder), standIn), to: holder)
    }

    func tighten(_ standIn: StandIn) {
      if isFormer { return change { $0.tightened(standIn) } }
      property.restore(property.tightening(property.slot(of: holder), standIn), to: holder)
    }

    private func change(_ body: (JournalEntry) -> JournalEntry) {
      guard let changes = holder._$withState({ $0.changes }), let entry = changes.entry(property.index) else { return }
      changes.replace(body(entry))
    }
  }

  /// Calls `body` for each place where unsaved changes hold a model.
  func visitInside(_ body: (Place, any PersistentModel) -> Void) {
    func visit(_ holder: any PersistentModel) {
      let (status, changes, binding) = holder._$withState { ($0.status, $0.changes, $0.binding) }
      for rule in binding?.relationshipRules ?? [] {
        let property = rule.property
        if status == .inserted || holder._$withState({ $0.isPending(property.index) }) {
          let place = Place(holder, property, isFormer: false)
          property.forEachHeld(by: property.slot(of: holder)) { body(place, $0) }
        }
        let place = Place(holder, property, isFormer: true)
        changes?.entry(property.index)?.forEachHeld { held in
          if let target = held as? any PersistentModel { body(place, target) }
        }
      }
    }
    journal.inserted.visit { _, model in visit(model) }
    journal.changed.visit { _, model in visit(model) }
    journal.deleted.visit { _, model in if !journal.changed.contains(model) { visit(model) } }
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
      for place in places { place.loosen(standIn) }
      if isHeldOutside(candidate, heldHere) {
        appoint(candidate, standIn, places)
        return true
      }
      for place in places { place.tighten(standIn) }
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
    journal.inserted.visit { _, model in candidates.append(.passUnretained(model)) }
    journal.deleted.visit { _, model in
      if !journal.changed.contains(model) { candidates.append(.passUnretained(model)) }
    }
    journal.changed.visit { _, model in candidates.append(.passUnretained(model)) }
    candidates.reverse()
    // An heir that goes away with others mostly dies before them, whoever is chosen by a rule.
    guard lifetime.successionCount > 1, let place = candidates.indices.randomElement() else { return candidates }
    return Array(candidates[place...] + candidates[..<place])
  }

  /// Whether somebody holds a model beside the lists of unsaved changes, and as many times as it is held here.
  private func isHeldOutside(_ model: Unmanaged<AnyObject>, _ heldHere: Int) -> Bool {
    let listCount = model._withUnsafeGuaranteedRef { object in
      guard let model = object as? any PersistentModel else { return 0 }
      return journal.listCount(of: model)
    }
    return swift_retainCount(model.toOpaque()) > listCount + heldHere
  }

  private func appoint(_ candidate: Unmanaged<AnyObject>, _ standIn: StandIn, _ places: [Place]) {
    guard let model = candidate.takeUnretainedValue() as? any PersistentModel,
      let binding = model._$withState({ $0.binding })
    else { return }
    journal.loosen(model)
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
    journal.tighten()
    model._$withState { $0.heirdom = .none }
    putBack(heir, in: heir.places)
  }

  private func putBack(_ heir: LastHeir, in places: [Place]) {
    for place in places { place.tighten(heir.standIn) }
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
    journal.forgetLoose()
    let successor = makeSuccessor(of: heir)
    heir.standIn.become(successor)
    if let successor {
      for (property, slot) in heir.values {
        property.restore(property.relationship?.tightening(slot, heir.standIn) ?? slot, to: successor)
      }
    }
    // Its own storage is about to go, its changes are the successor's.
    let ownPlaces = heir.places.filter { heir.standIn.standsFor($0.holderIdentity) }
    if let changes = heir.changes {
      for place in ownPlaces where place.isFormer {
        if let entry = changes.entry(place.property.index) { changes.replace(entry.tightened(heir.standIn)) }
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
      }
      journal.noteInsertion(of: model)
      return model
    }
    guard let model = try? fault(heir.key, heir.binding) else { return nil }
    if let changes = heir.changes { journal.noteChanges(changes, of: model) }
    if heir.status == .deleted { journal.noteDeletion(of: model) }
    return model
  }

  private func makeUnregistered<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
    type.init(_$origin: .nowhere, row: emptyRow)
  }
}
