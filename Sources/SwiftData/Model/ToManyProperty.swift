final class ToManyProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, RelationshipProperty, @unchecked Sendable
{
  private let get: (Model) -> _ToManySlot<Target, Value>
  private let set: (Model, _ToManySlot<Target, Value>) -> Void

  init(
    _ keyPath: KeyPath<Model, Value>, get: @escaping (Model) -> _ToManySlot<Target, Value>,
    set: @escaping (Model, _ToManySlot<Target, Value>) -> Void
  ) {
    self.get = get
    self.set = set
    super.init(keyPath: keyPath)
  }

  var isToMany: Bool { true }
  var isRequired: Bool { false }
  var destinationType: any PersistentModel.Type { Target.self }

  private func typed(_ model: any PersistentModel) -> Model {
    unsafeDowncast(model, to: Model.self)
  }

  /// A copy that later changes of the model leave alone.
  override func slot(of model: any PersistentModel) -> Any {
    get(typed(model)).snapshot
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let slot = slot as? _ToManySlot<Target, Value> else { return }
    set(typed(model), slot)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    get(typed(model)).isLoaded
  }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(typed(model), _ToManySlot(members: []))
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    true
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    guard let backingData = backingData as? any BackingData<Model> else { return }
    let members: [Target]
    if let keyPath = keyPath as? KeyPath<Model, [Target]> {
      members = backingData.getValue(forKey: keyPath)
    } else if let keyPath = keyPath as? KeyPath<Model, [Target]?> {
      members = backingData.getValue(forKey: keyPath) ?? []
    } else {
      members = []
    }
    set(typed(model), _ToManySlot(members: members))
  }

  func loadedTargets(of model: any PersistentModel) -> [any PersistentModel] {
    guard let state = get(typed(model)).state else { return [] }
    return state.members ?? state.added
  }

  func targets(of model: any PersistentModel) -> [any PersistentModel] {
    if !isLoaded(model) { Faulting.fulfill(model, index) }
    return get(typed(model)).state?.members ?? []
  }

  func unresolvedKey(of model: any PersistentModel) -> Int64? {
    nil
  }

  func fill(_ model: any PersistentModel, with targets: [any PersistentModel]) {
    let stored = targets.compactMap { $0 as? Target }
    let model = typed(model)
    guard let pending = get(model).state, pending.members == nil, !(pending.added.isEmpty && pending.removed.isEmpty)
    else {
      set(model, _ToManySlot(members: stored))
      return
    }
    // What the store has becomes the original that a save compares with and a rollback goes back to.
    model._$withState { $0.change }?.replaceOriginal(index, with: _ToManySlot<Target, Value>(members: stored))
    let gone = Set(pending.removed.map(ObjectIdentifier.init) + pending.added.map(ObjectIdentifier.init))
    set(model, _ToManySlot(members: stored.filter { !gone.contains(ObjectIdentifier($0)) } + pending.added))
  }

  func release(_ model: any PersistentModel) {
    set(typed(model), _ToManySlot())
  }

  func unload(_ model: any PersistentModel) {
    release(model)
  }

  func settle(_ model: any PersistentModel) {
    if !isLoaded(model) { set(typed(model), _ToManySlot()) }
  }

  func linkBack(from model: any PersistentModel) {
    guard let state = get(typed(model)).state, !state.oneSided.isEmpty else { return }
    let oneSided = state.oneSided
    state.oneSided = []
    guard let inverse = inverse(for: model) else { return }
    for member in state.members ?? [] where oneSided.contains(ObjectIdentifier(member)) {
      RelationshipLinks.link(model, to: member, inverse, back: self)
    }
  }

  func markOneSided(_ model: any PersistentModel) {
    get(typed(model)).state?.markOneSided()
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    guard let member = member as? Target else { return }
    // An initializer made it a member already, and now it knows.
    if get(typed(owner)).state?.oneSided.remove(ObjectIdentifier(member)) != nil { return }
    change(owner) { state in
      if state.members != nil {
        state.members?.append(member)
      } else {
        state.removed.removeAll { $0 === member }
        state.added.append(member)
      }
    }
  }

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    guard let member = member as? Target else { return }
    change(owner) { state in
      if let index = state.members?.firstIndex(where: { $0 === member }) {
        state.members?.remove(at: index)
        state.oneSided.remove(ObjectIdentifier(member))
      } else if state.members == nil {
        state.added.removeAll { $0 === member }
        state.removed.append(member)
      }
    }
  }

  private func change(_ owner: any PersistentModel, _ body: (ToManyState<Target>) -> Void) {
    let model = typed(owner)
    guard Mutation.begin(model, index, original: get(model).snapshot) else { return }
    willSet(owner)
    if let state = get(model).state {
      body(state)
    } else {
      let state = ToManyState<Target>(members: get(model).isKnownEmpty ? [] : nil)
      body(state)
      set(model, _ToManySlot(state: state))
    }
    didSet(owner)
    Mutation.end(model)
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    guard let state = get(typed(owner)).state else { return }
    let replacement = replacement as? Target
    state.members = state.members.map { Self.replacing(member, by: replacement, in: $0) }
    state.added = Self.replacing(member, by: replacement, in: state.added)
    if state.oneSided.remove(ObjectIdentifier(member)) != nil, let replacement {
      state.oneSided.insert(ObjectIdentifier(replacement))
    }
  }

  private static func replacing(
    _ member: any PersistentModel, by replacement: Target?, in members: [Target]
  ) -> [Target] {
    guard let index = members.firstIndex(where: { $0 === member }) else { return members }
    var members = members
    if let replacement, !members.contains(where: { $0 === replacement }) {
      members[index] = replacement
    } else {
      members.remove(at: index)
    }
    return members
  }

  func membership(of model: any PersistentModel, original: Any?) -> MembershipChange {
    let slot = get(typed(model))
    guard slot.isLoaded || slot.state != nil else { return MembershipChange() }
    guard let members = slot.isKnownEmpty ? [] : slot.state?.members else {
      guard let state = slot.state else { return MembershipChange() }
      return MembershipChange(added: state.added, removed: state.removed, reordered: state.added)
    }
    let before = (original as? _ToManySlot<Target, Value>)?.state?.members ?? []
    let identities = Set(before.map(ObjectIdentifier.init))
    let current = Set(members.map(ObjectIdentifier.init))
    let added = members.filter { !identities.contains(ObjectIdentifier($0)) }
    let removed = before.filter { !current.contains(ObjectIdentifier($0)) }
    let kept = before.filter { current.contains(ObjectIdentifier($0)) }
    let appendedInOrder = (kept + added).elementsEqual(members) { $0 === $1 }
    return MembershipChange(
      added: added, removed: removed, reordered: appendedInOrder ? added : members, members: members)
  }
}

extension _ToManySlot {
  init(state: ToManyState<Target>) {
    self.state = state
    isKnownEmpty = false
  }

  var snapshot: _ToManySlot {
    guard let state else { return self }
    guard let members = state.members else { return _ToManySlot() }
    return _ToManySlot(members: members)
  }
}
