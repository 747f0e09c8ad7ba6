/// Keeps both sides of a relationship in step when one of them is set.
enum RelationshipLinks {
  /// Tells the other sides that a to-one is about to change.
  ///
  /// - Returns: what its storage has to hold; nil when the change is refused.
  static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToOneContent, to value: (any PersistentModel)?
  ) -> _ToOneContent? {
    ModelRuntime.of(model).link(at: index)?._withUnsafeGuaranteedRef { begin(model, index, content, to: value, $0) }
      ?? nil
  }

  private static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToOneContent, to value: (any PersistentModel)?,
    _ link: ModelRuntime.Link
  ) -> _ToOneContent? {
    let target = value.flatMap { localized($0, for: model) }
    // What cannot be linked is no reason to give up the target that is there.
    if value != nil, target == nil { return nil }
    // The other side of what an initializer set does not know of it.
    let isOneSided = content.key == _ToOneContent.oneSidedMark
    let old =
      isOneSided
      ? nil
      : previousTarget(
        of: model, link.property, content,
        needsRow: link.inverse?.isToMany == false || losesCountedMember(link.property, link.inverse, model))
    guard Mutation.begin(model, index, original: link.property.slot(of: model)) else { return nil }
    if let inverse = link.inverse, old !== target {
      if let old { inverse.unlink(model, from: old) }
      if let target { self.link(model, to: target, inverse, back: link.property) }
    }
    return _ToOneContent(target: target)
  }

  /// The target that the model leaves. One whose inverse is a to-many need not be read for that: an unread to-many
  /// sees the change when it is read.
  private static func previousTarget(
    of model: any PersistentModel, _ property: any RelationshipProperty, _ content: _ToOneContent,
    needsRow: @autoclosure () -> Bool
  ) -> (any PersistentModel)? {
    if let target = content.target { return target }
    guard content.key != 0 else { return nil }
    if content.key == _ToOneContent.unreadMark {
      guard let graph = model._$withState({ $0.graph }) else { return nil }
      graph.readRow(of: model)
    }
    guard let key = property.unresolvedKey(of: model) else { return property.loadedTargets(of: model).first }
    if needsRow() { return property.targets(of: model).first }
    guard let graph = model._$withState({ $0.graph }) else { return nil }
    return graph.binding(for: property.destinationType)?.map.model(key)
  }

  /// Whether the old target has to be in memory so that a save checks how many members it is left with.
  private static func losesCountedMember(
    _ property: any RelationshipProperty, _ inverse: (any RelationshipProperty)?, _ model: any PersistentModel
  ) -> Bool {
    guard let inverse, let graph = model._$withState({ $0.graph }) else { return false }
    let entity = graph.binding(for: property.destinationType)?.entity
    return (entity?.relationship(named: inverse.name)?.minimumModelCount ?? 0) > 0
  }

  /// Makes `model` the target of `other`; a to-one that leads elsewhere until now gives up its old target.
  static func link(
    _ model: any PersistentModel, to other: any PersistentModel, _ inverse: any RelationshipProperty,
    back property: any RelationshipProperty
  ) {
    if !inverse.isToMany {
      for previous in inverse.targets(of: other) where previous !== model {
        property.unlink(other, from: previous)
      }
    }
    inverse.link(model, to: other)
  }

  /// Tells the other sides that a to-many is about to change.
  ///
  /// - Returns: what its storage has to hold; nil when the change is refused.
  static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToManyContent, to value: [any PersistentModel]
  ) -> _ToManyContent? {
    guard let property = property(of: model, at: index) else { return nil }
    let members = unique(value.compactMap { localized($0, for: model) })
    // The other side of what an initializer set does not know of it.
    let oneSided = content.state?.oneSided ?? []
    let old = property.targets(of: model).filter { !oneSided.contains(ObjectIdentifier($0)) }
    guard Mutation.begin(model, index, original: property.slot(of: model)) else { return nil }
    if let inverse = property.inverse(for: model) {
      let before = Set(old.map { ObjectIdentifier($0) })
      let after = Set(members.map { ObjectIdentifier($0) })
      for member in old where !after.contains(ObjectIdentifier(member)) {
        inverse.unlink(model, from: member)
      }
      for member in members where !before.contains(ObjectIdentifier(member)) {
        link(model, to: member, inverse, back: property)
      }
    }
    return _ToManyContent(members: members)
  }

  /// Registers what a registered model leads to, and a plain model that leads to a registered one.
  static func register(_ target: any PersistentModel, with model: any PersistentModel) {
    let isRegistered = model._$withState { $0.graphIdentity != nil }
    if isRegistered == target._$withState({ $0.graphIdentity != nil }) { return }
    if isRegistered {
      model._$withState { $0.graph }?.register(target)
    } else {
      target._$withState { $0.graph }?.register(model)
    }
  }

  private static func property(of model: any PersistentModel, at index: Int) -> (any RelationshipProperty)? {
    ModelRuntime.of(model).properties[index].relationship
  }

  /// The model that stands for the same row in the context of `model`, when `target` belongs to another context or to
  /// one that is gone. There is none while `target` is not saved.
  private static func localized(
    _ target: any PersistentModel, for model: any PersistentModel
  ) -> (any PersistentModel)? {
    let (owner, isRegistered) = target._$withState { ($0.graphIdentity, $0.status == .registered) }
    let graph = model._$withState { $0.graphIdentity }
    guard graph != nil, graph != owner, owner != nil || isRegistered else { return target }
    return model._$withState { $0.graph }?.counterpart(of: target)
  }

  private static func unique(_ members: [any PersistentModel]) -> [any PersistentModel] {
    var seen = Set<ObjectIdentifier>(minimumCapacity: members.count)
    return members.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
