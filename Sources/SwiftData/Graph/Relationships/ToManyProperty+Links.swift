extension ToManyProperty {
  func fill(_ model: any PersistentModel, with stored: [AnyObject]) {
    guard !isLoaded(model), let changes = changes(of: model) else {
      return set(model, _ToManyContent(members: stored))
    }
    set(model, _ToManyContent(members: changes.members(with: stored)))
  }

  func merge(_ model: any PersistentModel, with stored: [AnyObject], hasLeft: (any PersistentModel) -> Bool) {
    guard let changes = changes(of: model), let members = get(model).members else { return }
    if changes.isReordered(members, stored), let order = changes.order {
      let identifiers = order.map { self.model($0).anyIdentifier }
      model._$withState { $0.changes }?.recordConflict(index, .members(identifiers))
    }
    let merged = changes.merged(members, with: stored) { hasLeft(self.model($0)) }
    if merged.elementsEqual(members, by: ===) { return }
    set(model, _ToManyContent(members: merged))
    recordChange(of: model)
  }

  func append(_ member: any PersistentModel, to model: any PersistentModel) {
    guard member is Target else { return }
    let content = get(model)
    if let state = content.state, state.isLoaded {
      state.append(member)
    } else if content.isLoaded {
      set(model, _ToManyContent(members: [member]))
    }
    recordChange(of: model)
  }

  func hasTarget(_ target: any PersistentModel, in owner: any PersistentModel) -> Bool {
    let content = get(owner)
    if content.isLoaded { return content.state?.contains(target) ?? false }
    return changes(of: owner)?.linked.contains { $0 === target } ?? false
  }

  func drop(from model: any PersistentModel, where isDropped: (any PersistentModel) -> Bool) {
    func isOut(_ member: AnyObject) -> Bool { isDropped(self.model(member)) }
    let (state, changes) = (get(model).state, changes(of: model))
    guard (state?.members ?? changes?.linked ?? []).contains(where: isOut) else { return }
    state?.members?.removeAll(where: isOut)
    changes?.drop(where: isOut)
    recordChange(of: model)
  }

  func linkBack(from model: any PersistentModel) {
    guard let state = get(model).state, !state.oneSided.isEmpty else { return }
    let oneSided = state.oneSided
    state.oneSided = []
    guard let inverse = inverse(for: model) else { return }
    for member in state.members ?? [] where oneSided.contains(ObjectIdentifier(member)) {
      if RelationshipLinks.link(model, to: self.model(member), inverse, back: self) { continue }
      // The inverse is set when the property is set again.
      get(model).state?.oneSided.insert(ObjectIdentifier(member))
    }
  }

  func markOneSided(_ model: any PersistentModel) {
    get(model).state?.markOneSided()
  }

  func oneSidedSlot(_ targets: [any PersistentModel]) -> Any {
    _ToManyContent(oneSided: targets)
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    guard member is Target else { return }
    let content = get(owner)
    // An initializer made it a member already, and now its inverse is set.
    if let state = content.state, !state.oneSided.isEmpty,
      state.oneSided.remove(ObjectIdentifier(member)) != nil
    {
      return
    }
    let known = changes(of: owner)
    guard beginChange(of: owner, .appending([member])) else { return }
    let state = content.state
    let changes = known ?? changes(of: owner)
    changes?.link(member, isRead: content.isLoaded)
    if let state, state.isLoaded {
      state.append(member)
    } else if content.isLoaded || changes == nil {
      // An unsaved model has no members in the store either.
      set(owner, _ToManyContent(members: [member]))
    }
    endChange(of: owner)
  }

  func linkAgain(_ member: any PersistentModel, to owner: any PersistentModel) {
    // While the members are not read, it has its position in the store.
    if !get(owner).isLoaded, let changes = changes(of: owner), changes.cancelUnlink(of: member) {
      return recordChange(of: owner)
    }
    link(member, to: owner)
  }

  func recordAppended(_ member: any PersistentModel, to model: any PersistentModel) {
    changes(of: model)?.link(member, isRead: true)
    get(model).state?.append(member)
  }

  func recordAdded(_ added: [any PersistentModel], at position: Int, to model: any PersistentModel) {
    changes(of: model)?.link(added, at: position, among: get(model).members ?? [])
  }

  func recordRemoved(_ removed: [any PersistentModel], from model: any PersistentModel) {
    guard let changes = changes(of: model) else { return }
    let members = get(model).members
    for member in removed { changes.unlink(member, from: members, isStored: false) }
  }

  func prepareToUnlink(from owner: any PersistentModel) {}

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    guard member is Target else { return }
    var content = get(owner)
    var position = content.members?.position(of: member)
    if content.isLoaded, position == nil { return }
    let known = changes(of: owner)
    let count = content.members?.count ?? 0
    guard beginChange(of: owner, position.map { .removing([member], from: $0, count: count) }) else { return }
    if UndoRecorder.areThereAny {
      // An undo recorder has read the members, which may exclude this one already.
      content = get(owner)
      position = content.members?.position(of: member)
      if content.isLoaded, position == nil { return endChange(of: owner) }
    }
    if let changes = known ?? changes(of: owner) {
      let isStored = !content.isLoaded && canBeStored(member, of: owner, changes)
      changes.unlink(member, from: content.members, isStored: isStored)
    }
    if let position, let state = content.state {
      state.members?.remove(at: position)
      state.oneSided.remove(ObjectIdentifier(member))
    }
    endChange(of: owner)
  }

  /// Whether the store may have a member that is removed from a to-many that is not read.
  private func canBeStored(
    _ member: any PersistentModel, of owner: any PersistentModel, _ changes: MemberChanges
  ) -> Bool {
    let (status, memberChanges) = member._$withState { ($0.status, $0.changes) }
    if status == .transient || status == .pending { return false }
    // If the member was linked by an unsaved change, its own side has the committed value.
    guard changes.linked.position(of: member) != nil, let inverse = inverse(for: owner),
      let entry = memberChanges?.entry(inverse.index)
    else { return true }
    switch entry {
    case .attribute: return true
    case .target(_, let old): return !old.isRead || old.leads(to: owner)
    case .members(_, let others):
      // A deleted model keeps its own side; any other has just removed the owner.
      return status == .deleted
        ? others.linked.position(of: owner) == nil : others.unlinked.position(of: owner) != nil
    }
  }

  @inline(__always)
  private func beginChange(
    of owner: any PersistentModel, _ change: @autoclosure () -> UndoStep.MemberChange?
  ) -> Bool {
    Mutation.begin(owner, index, isAsked: false, members: change(), entry(of: owner))
  }

  private func endChange(of owner: any PersistentModel) {
    recordChange(of: owner)
    Mutation.endConsequence(owner)
  }

  func recordMembers(
    of model: any PersistentModel, from members: [any PersistentModel], to new: [any PersistentModel]
  ) {
    changes(of: model)?.set(members.map { $0 }, to: new.map { $0 })
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    let replacement = replacement.flatMap { $0 is Target ? $0 : nil }
    changes(of: owner)?.replace(member, by: replacement)
    guard let state = get(owner).state else { return }
    state.members = state.members.map { Self.replacing(member, by: replacement, in: $0) }
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

  func isReordered(_ model: any PersistentModel) -> Bool {
    changes(of: model)?.isReordered ?? false
  }

  func membership(of model: any PersistentModel) -> MembershipChange {
    let members = get(model).members
    guard let changes = changes(of: model) else {
      // All members of an unsaved model are new.
      let added = (members ?? []).map(self.model)
      return MembershipChange(added: added, placedLast: added)
    }
    let added = changes.linked.map(self.model)
    let moved = changes.moved(among: members)
    return MembershipChange(
      added: added, removed: changes.unlinked.map(self.model), placedFirst: moved?.first.map(self.model) ?? [],
      placedLast: moved?.last.map(self.model) ?? added)
  }
}
