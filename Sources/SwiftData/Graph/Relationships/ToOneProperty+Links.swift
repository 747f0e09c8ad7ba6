extension ToOneProperty {
  func linkBack(from model: any PersistentModel) {
    var content = get(model)
    guard content.key == _ToOneContent.oneSidedMark else { return }
    content.key = 0
    set(model, content)
    guard let target = content.target, let inverse = inverse(for: model) else { return }
    // The inverse is set when the property is set again.
    if !RelationshipLinks.link(model, to: target, inverse, back: self) { markOneSided(model) }
  }

  func drop(from model: any PersistentModel, where isDropped: (any PersistentModel) -> Bool) {
    guard let target = get(model).target, isDropped(target) else { return }
    set(model, _ToOneContent(target: nil))
    recordChange(of: model)
  }

  func markOneSided(_ model: any PersistentModel) {
    var content = get(model)
    guard content.target != nil else { return }
    content.key = _ToOneContent.oneSidedMark
    set(model, content)
  }

  func oneSidedSlot(_ targets: [any PersistentModel]) -> Any {
    _ToOneContent(target: targets.first, key: targets.isEmpty ? 0 : _ToOneContent.oneSidedMark)
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    change(owner, to: member)
  }

  func linkAgain(_ member: any PersistentModel, to owner: any PersistentModel) {
    link(member, to: owner)
  }

  func prepareToUnlink(from owner: any PersistentModel) throws {
    // The target of an owner that is a fault is only in the row.
    guard get(owner).key == _ToOneContent.unreadMark else { return }
    try owner._$withState { $0.graph }?.faulting.readRow(of: owner)
    // Another context has saved since the row was read. A later read of the key would store the value from before this
    // change, and overwrite it.
    guard get(owner).key == _ToOneContent.unreadMark else { return }
    let target = try targets(of: owner).first
    if !isLoaded(owner) { set(owner, _ToOneContent(target: nil, key: target?._$withState { $0.key } ?? 0)) }
  }

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    let content = get(owner)
    let isTarget = content.target === member || (content.target == nil && content.key == member._$withState { $0.key })
    guard isTarget else { return }
    change(owner, to: nil)
  }

  private func change(_ owner: any PersistentModel, to member: (any PersistentModel)?) {
    guard Mutation.begin(owner, index, isAsked: false, entry(of: owner)) else { return }
    set(owner, _ToOneContent(target: member))
    recordChange(of: owner)
    Mutation.endConsequence(owner)
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    var content = get(owner)
    guard content.target === member else { return }
    content.target = replacement
    if replacement == nil { content.key = 0 }
    set(owner, content)
  }
}
