final class ToManyProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, RelationshipProperty, @unchecked Sendable
{
  private let get: (any PersistentModel) -> _ToManyContent
  private let set: (any PersistentModel, _ToManyContent) -> Void
  /// The model that a member is.
  private let model: (AnyObject) -> any PersistentModel

  init(
    _ keyPath: KeyPath<Model, Value>, get: @escaping (any PersistentModel) -> _ToManyContent,
    set: @escaping (any PersistentModel, _ToManyContent) -> Void, model: @escaping (AnyObject) -> any PersistentModel
  ) {
    self.get = get
    self.set = set
    self.model = model
    super.init(keyPath: keyPath)
  }

  override var relationship: (any RelationshipProperty)? { self }
  var isToMany: Bool { true }
  var isRequired: Bool { false }
  var destinationType: any PersistentModel.Type { Target.self }

  /// A copy that later changes of the model leave alone.
  override func slot(of model: any PersistentModel) -> Any {
    get(model).snapshot
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let content = slot as? _ToManyContent else { return }
    set(model, content)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    get(model).isLoaded
  }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(model, _ToManyContent(members: []))
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    true
  }

  override func value(in backingData: Any) -> Any? {
    guard let backingData = backingData as? any BackingData<Model> else {
      return (backingData as? any InheritingBackingData)?.inheritedValue(forKey: typedKeyPath)
    }
    if let keyPath = keyPath as? KeyPath<Model, [Target]> { return backingData.getValue(forKey: keyPath) }
    return (keyPath as? KeyPath<Model, [Target]?>).flatMap { backingData.getValue(forKey: $0) }
  }

  override func assign(_ value: Any?, to model: any PersistentModel) {
    let members = (value as? [any PersistentModel] ?? []).compactMap { $0 as? Target }
    let model = unsafeDowncast(model, to: Model.self)
    if let keyPath = keyPath as? KeyPath<Model, [Target]> {
      model.write(keyPath, members)
    } else if let keyPath = keyPath as? KeyPath<Model, [Target]?> {
      model.write(keyPath, members)
    }
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    set(model, _ToManyContent(members: value(in: backingData) as? [Target] ?? []))
  }

  override func storage(of model: any PersistentModel) -> Any {
    get(model)
  }

  func put(_ content: _ToManyContent, in model: any PersistentModel) {
    set(model, content)
  }

  func forEachHeld(by slot: Any, _ body: (any PersistentModel) -> Void) {
    (slot as? _ToManyContent)?.state?.forEachHeld { body(self.model($0)) }
  }

  func count(_ slot: Any, in census: inout Census) {
    if let state = (slot as? _ToManyContent)?.state { census.count(state) }
  }

  func loosening(_ slot: Any, _ standIn: StandIn) -> Any {
    (slot as? _ToManyContent)?.state?.loosen(standIn)
    return slot
  }

  func tightening(_ slot: Any, _ standIn: StandIn) -> Any {
    (slot as? _ToManyContent)?.state?.tighten(standIn)
    return slot
  }

  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void) {
    guard let state = get(model).state else { return }
    for member in state.members ?? state.added { body(self.model(member)) }
  }

  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)? {
    guard let state = get(model).state else { return nil }
    return (state.members ?? state.added).first.map(self.model)
  }

  func targets(of model: any PersistentModel) throws -> [any PersistentModel] {
    if !isLoaded(model), let unheld = try Faulting.fulfill(model, self) { return models(unheld) }
    return models(get(model).members ?? [])
  }

  private func models(_ members: [AnyObject]) -> [any PersistentModel] {
    members.map(model)
  }

  func unresolvedKey(of model: any PersistentModel) -> Int64? {
    nil
  }

  func fill(_ model: any PersistentModel, with stored: [AnyObject]) {
    guard let pending = get(model).state, pending.members == nil, !(pending.added.isEmpty && pending.removed.isEmpty)
    else {
      set(model, _ToManyContent(members: stored))
      return
    }
    // What is made below holds what the stand-in stands for.
    if pending.standIn != nil { model._$withState { $0.graph }?.holdLastHeir() }
    // What the store has becomes the original that a save compares with and a rollback goes back to.
    model._$withState { $0.change }?.replaceOriginal(index, with: _ToManyContent(members: stored))
    let gone = Set(pending.removed.map(ObjectIdentifier.init) + pending.added.map(ObjectIdentifier.init))
    set(model, _ToManyContent(members: stored.filter { !gone.contains(ObjectIdentifier($0)) } + pending.added))
  }

  func merge(_ model: any PersistentModel, with stored: [AnyObject], hasLeft: (any PersistentModel) -> Bool) {
    guard let record = model._$withState({ $0.change }), let members = get(model).members,
      let before = (record.original(index) as? _ToManyContent)?.members
    else { return }
    let (known, current) = (Set(before.map(ObjectIdentifier.init)), Set(members.map(ObjectIdentifier.init)))
    let now = Set(stored.map(ObjectIdentifier.init))
    func isNew(_ member: AnyObject) -> Bool {
      let identity = ObjectIdentifier(member)
      return !known.contains(identity) && !current.contains(identity) && !hasLeft(self.model(member))
    }
    record.replaceOriginal(index, with: _ToManyContent(members: stored))
    let merged: [AnyObject]
    if Self.keepsOrder(members, of: before, known, current) {
      // Nobody here has moved a member, and whoever did elsewhere shall have done it.
      merged =
        stored.filter { current.contains(ObjectIdentifier($0)) || isNew($0) }
        + members.filter { !known.contains(ObjectIdentifier($0)) && !now.contains(ObjectIdentifier($0)) }
    } else {
      merged =
        members.filter { now.contains(ObjectIdentifier($0)) || !known.contains(ObjectIdentifier($0)) }
        + stored.filter(isNew)
    }
    if merged.elementsEqual(members, by: ===) { return }
    set(model, _ToManyContent(members: merged))
    noteChange(of: model)
  }

  /// Whether members come as they did before, and those that are new behind them.
  ///
  /// - Parameters:
  ///   - known: Those that there were before.
  ///   - current: Those that there are.
  private static func keepsOrder(
    _ members: [AnyObject], of before: [AnyObject], _ known: Set<ObjectIdentifier>, _ current: Set<ObjectIdentifier>
  ) -> Bool {
    var place = 0
    for member in before where current.contains(ObjectIdentifier(member)) {
      guard place < members.count, members[place] === member else { return false }
      place += 1
    }
    return members[place...].allSatisfy { !known.contains(ObjectIdentifier($0)) }
  }

  func dropGone(from model: any PersistentModel) {
    func isGone(_ member: AnyObject) -> Bool { self.model(member)._$withState { $0.status == .gone } }
    guard let state = get(model).state, (state.members ?? state.added).contains(where: isGone) else { return }
    if state.standIn != nil { model._$withState { $0.graph }?.holdLastHeir() }
    state.members?.removeAll(where: isGone)
    state.added.removeAll(where: isGone)
    noteChange(of: model)
  }

  func accepts(_ type: any PersistentModel.Type) -> Bool {
    type is Target.Type
  }

  func await(_ members: MemberGroup.Section, of model: any PersistentModel) {
    if let state = get(model).state {
      state.awaited = members
      return
    }
    let state = ToManyState(members: nil)
    state.awaited = members
    set(model, _ToManyContent(state: state))
  }

  func awaited(of model: any PersistentModel) -> MemberGroup.Section? {
    get(model).state?.awaited
  }

  func forgetAwaited(of model: any PersistentModel) {
    get(model).state?.awaited = nil
  }

  func release(_ model: any PersistentModel) {
    set(model, _ToManyContent())
  }

  func unload(_ model: any PersistentModel) {
    release(model)
  }

  func settle(_ model: any PersistentModel) {
    if !isLoaded(model) { set(model, _ToManyContent()) }
  }

  func linkBack(from model: any PersistentModel) {
    guard let state = get(model).state, !state.oneSided.isEmpty else { return }
    let oneSided = state.oneSided
    state.oneSided = []
    guard let inverse = inverse(for: model) else { return }
    for member in state.members ?? [] where oneSided.contains(ObjectIdentifier(member)) {
      if RelationshipLinks.link(model, to: self.model(member), inverse, back: self) { continue }
      // It does not know yet, and whoever sets the property again shall tell it.
      get(model).state?.oneSided.insert(ObjectIdentifier(member))
    }
  }

  func markOneSided(_ model: any PersistentModel) {
    get(model).state?.markOneSided()
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    guard member is Target else { return }
    let content = get(owner)
    // An initializer made it a member already, and now it knows.
    if let state = content.state, !state.oneSided.isEmpty, state.oneSided.remove(ObjectIdentifier(member)) != nil {
      return
    }
    change(owner, content, by: member) { state in
      if state.members != nil {
        state.members?.append(member)
      } else {
        if !state.removed.isEmpty { state.removed.removeAll { $0 === member } }
        state.added.append(member)
      }
    }
  }

  func prepareToUnlink(from owner: any PersistentModel) {}

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    guard member is Target else { return }
    change(owner, get(owner), by: member) { state in
      if let index = state.members?.firstIndex(where: { $0 === member }) {
        state.members?.remove(at: index)
        state.oneSided.remove(ObjectIdentifier(member))
      } else if state.members == nil {
        state.added.removeAll { $0 === member }
        state.removed.append(member)
      }
    }
  }

  private func change(
    _ owner: any PersistentModel, _ content: _ToManyContent, by member: any PersistentModel,
    _ body: (ToManyState) -> Void
  ) {
    // Changes the state, and leaves it where it is.
    if content.state?.standIn != nil { owner._$withState { $0.graph }?.holdLastHeir() }
    guard Mutation.begin(owner, index, isAsked: false, original: content.snapshot) else { return }
    Mutation.willHold(member)
    if let state = content.state {
      body(state)
    } else {
      let state = ToManyState(members: content.isKnownEmpty ? [] : nil)
      body(state)
      set(owner, _ToManyContent(state: state))
    }
    noteChange(of: owner)
    Mutation.endConsequence(owner)
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    guard let state = get(owner).state else { return }
    if let replacement { Mutation.willHold(replacement) }
    let replacement = replacement.flatMap { $0 is Target ? $0 : nil }
    state.members = state.members.map { Self.replacing(member, by: replacement, in: $0) }
    state.added = Self.replacing(member, by: replacement, in: state.added)
    if state.oneSided.remove(ObjectIdentifier(member)) != nil, let replacement {
      state.oneSided.insert(ObjectIdentifier(replacement))
    }
  }

  private static func replacing(
    _ member: any PersistentModel, by replacement: (any PersistentModel)?, in members: [AnyObject]
  ) -> [AnyObject] {
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
    let content = get(model)
    guard let members = content.members else {
      guard let state = content.state else { return MembershipChange() }
      let added = models(state.added)
      return MembershipChange(added: added, removed: models(state.removed), reordered: added)
    }
    let before = (original as? _ToManyContent)?.state?.members ?? []
    if before.isEmpty {
      let added = models(members)
      return MembershipChange(added: added, reordered: added, members: added)
    }
    let known = Set(before.map(ObjectIdentifier.init))
    let current = Set(members.map(ObjectIdentifier.init))
    let added = members.filter { !known.contains(ObjectIdentifier($0)) }
    let removed = before.filter { !current.contains(ObjectIdentifier($0)) }
    let reordered = Self.keepsOrder(members, of: before, known, current) ? added : members
    return MembershipChange(
      added: models(added), removed: models(removed), reordered: models(reordered), members: models(members))
  }
}
