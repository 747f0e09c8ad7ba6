/// Updates the inverse when a relationship is set.
///
/// All reads that a change needs come before the first change, so that a failure leaves both sides unchanged.
enum RelationshipLinks {
  /// Updates the inverses of a to-one that is about to change.
  ///
  /// - Returns: The content for its storage; nil when the change is refused.
  static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToOneContent, to target: (any PersistentModel)?
  ) -> _ToOneContent? {
    if Mutation.isRefused(model, index) { return nil }
    if let target, isForeign(target, to: model) {
      // A target that cannot be linked must not remove the current target.
      guard let counterpart = insertion(for: model)?.counterpart(of: target) else { return nil }
      return begin(model, index, content, to: counterpart)
    }
    return ModelRuntime.link(of: model, at: index)?._withUnsafeGuaranteedRef { link in
      change(model, index, content, to: target, link)
    } ?? nil
  }

  private static func change(
    _ model: any PersistentModel, _ index: Int, _ content: _ToOneContent, to target: (any PersistentModel)?,
    _ link: ModelRuntime.Link
  ) -> _ToOneContent? {
    if isSetOneSided(model, target) {
      guard Mutation.begin(model, index, link.property.entry(of: model)) else { return nil }
      return _ToOneContent(target: target, key: target == nil ? 0 : _ToOneContent.oneSidedMark)
    }
    var ends = Ends()
    // A to-one that is nil, with a target that any number of models can refer to, needs no read: this is the case for most
    // new models.
    if content.target != nil || content.key != 0 || link.isExclusive {
      guard let read = self.ends(of: model, content, to: target, link) else { return nil }
      ends = read
    }
    guard Mutation.begin(model, index, link.property.entry(of: model)) else { return nil }
    if let inverse = link.inverse, ends.old !== target {
      if let old = ends.old { inverse.unlink(model, from: old) }
      if let target { self.link(model, to: target, inverse, back: link.property, insteadOf: ends.partners) }
    }
    guard let target else { return _ToOneContent(target: nil) }
    let isLinked = link.inverse == nil || acceptsLinks(target)
    return _ToOneContent(target: target, key: isLinked ? 0 : _ToOneContent.oneSidedMark)
  }

  /// The models that are unlinked when a to-one is set.
  private struct Ends {
    /// The previous target of the model.
    var old: (any PersistentModel)?
    /// The previous targets of the new target.
    var partners: [any PersistentModel] = []
  }

  /// - Returns: Nil if they could not be read, which the next save reports.
  private static func ends(
    of model: any PersistentModel, _ content: _ToOneContent, to target: (any PersistentModel)?,
    _ link: ModelRuntime.Link
  ) -> Ends? {
    var ends = Ends()
    // An initializer has set the target, so the inverse is not set.
    let isOneSided = content.key == _ToOneContent.oneSidedMark
    let isRead = attempt(model, link.property) {
      if !isOneSided {
        ends.old = try previousTarget(
          of: model, link.property, content,
          needsRow: link.isExclusive || losesCountedMember(link.property, model))
      }
      guard let inverse = link.inverse, ends.old !== target else { return }
      if let old = ends.old { try inverse.prepareToUnlink(from: old) }
      if let target { ends.partners = try partners(of: target, inverse, back: link.property, except: model) }
    }
    return isRead ? ends : nil
  }

  /// Reads what a change of a relationship needs. A failure refuses the change, and the next save reports it.
  static func attempt(
    _ model: any PersistentModel, _ property: any RelationshipProperty, _ body: () throws -> Void
  ) -> Bool {
    do {
      try body()
      return true
    } catch {
      guard let graph = model._$withState({ $0.graph }) else { return false }
      graph.reject(
        model, "It was not set, because a relationship could not be read: \(error)",
        "Set it again when the relationship can be read.", about: property)
      return false
    }
  }

  /// The target that is replaced. If the inverse is a to-many, the target need not be read: a to-many that is not in memory
  /// reads the change later. But an undo manager needs the position of the model there.
  private static func previousTarget(
    of model: any PersistentModel, _ property: any RelationshipProperty, _ content: _ToOneContent,
    needsRow: @autoclosure () -> Bool
  ) throws -> (any PersistentModel)? {
    if let target = content.target { return target }
    guard content.key != 0 else { return nil }
    if content.key == _ToOneContent.unreadMark {
      guard let graph = model._$withState({ $0.graph }) else { return nil }
      try graph.faulting.readRow(of: model)
    }
    guard let toOne = property.toOne, let key = toOne.unreadKey(of: model), !needsRow() else {
      return try property.targets(of: model).first
    }
    guard let graph = model._$withState({ $0.graph }) else { return nil }
    if graph.recordsUndo { return try property.targets(of: model).first }
    return graph.binding(for: property.destinationType).flatMap { graph.target(key, toOne, $0) }
  }

  /// Whether the previous target has to be in memory, so that a save validates its number of members.
  private static func losesCountedMember(
    _ property: any RelationshipProperty, _ model: any PersistentModel
  ) -> Bool {
    model._$withState { $0.binding }?.rule(of: property)?.inverseRule?.hasMinimum ?? false
  }

  /// The current target of a to-one that is about to be set.
  private static func partners(
    of other: any PersistentModel, _ inverse: any RelationshipProperty, back property: any RelationshipProperty,
    except model: any PersistentModel
  ) throws -> [any PersistentModel] {
    guard let inverse = inverse.toOne else { return [] }
    let partners = try inverse.targets(of: other).filter { $0 !== model }
    for partner in partners { try property.prepareToUnlink(from: partner) }
    return partners
  }

  /// Sets the inverse: makes `model` a target of `other`. A to-one inverse is first unlinked from its previous model.
  ///
  /// - Returns: False if the current target of `other` could not be read, which the next save reports.
  static func link(
    _ model: any PersistentModel, to other: any PersistentModel, _ inverse: any RelationshipProperty,
    back property: any RelationshipProperty
  ) -> Bool {
    var partners: [any PersistentModel] = []
    let isRead = attempt(other, inverse) {
      partners = try self.partners(of: other, inverse, back: property, except: model)
    }
    if isRead { link(model, to: other, inverse, back: property, insteadOf: partners) }
    return isRead
  }

  /// - Parameters:
  ///   - partners: The current targets of a to-one of `other`.
  ///   - isBack: Whether the deletion of `other` was just cancelled.
  static func link(
    _ model: any PersistentModel, to other: any PersistentModel, _ inverse: any RelationshipProperty,
    back property: any RelationshipProperty, insteadOf partners: [any PersistentModel], isBack: Bool = false
  ) {
    let status = other._$withState { $0.status }
    if status == .deleted || status == .detached { restore(other, to: model) }
    for partner in partners { property.unlink(other, from: partner) }
    // A deleted model keeps its own side.
    if status == .deleted || isBack, inverse.loadedTargets(of: other).contains(where: { $0 === model }) { return }
    inverse.link(model, to: other)
  }

  /// Removes `member` from a to-many.
  static func unlink(
    _ member: any PersistentModel, from model: any PersistentModel, _ property: any RelationshipProperty,
    _ inverse: (any RelationshipProperty)?
  ) {
    guard attempt(model, property, { try inverse?.prepareToUnlink(from: member) }) else { return }
    property.unlink(member, from: model)
    inverse?.unlink(model, from: member)
  }

  /// Cancels the deletion of models that are about to be linked to another one.
  ///
  /// - Returns: The models whose deletion was cancelled.
  private static func restoreDeleted(
    _ members: [any PersistentModel], to model: any PersistentModel
  ) -> Set<ObjectIdentifier> {
    // Collected first, because cancelling one deletion can cancel others to which it cascaded.
    let deleted = members.filter { $0._$withState { $0.status == .deleted } }
    for member in deleted where member._$withState({ $0.status == .deleted }) { restore(member, to: model) }
    return Set(deleted.map { ObjectIdentifier($0) })
  }

  /// Cancels the deletion of a model that is about to be linked. A detached model becomes transient again, if it is linked
  /// to a model of a context. A deleted model cannot be linked.
  private static func restore(_ other: any PersistentModel, to model: any PersistentModel) {
    let (status, isUnreadable) = other._$withState { ($0.status, $0.isUnreadable) }
    if status == .deleted {
      other._$withState { $0.graph }?.register(other)
    } else if status == .detached, !isUnreadable {
      insertion(for: model)?.renew(other)
    }
  }

  /// Whether the inverse can be set on a model. A detached model's inverse is set when it is inserted again.
  private static func acceptsLinks(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.status != .detached }
  }

  /// Updates the inverses of a to-many that is about to change.
  ///
  /// - Returns: The content for its storage; nil when the change is refused.
  static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToManyContent, to value: [any PersistentModel]
  ) -> _ToManyContent? {
    guard let property = toMany(of: model, at: index), !Mutation.isRefused(model, index) else { return nil }
    let targets = value.compactMap { target in
      isForeign(target, to: model) ? insertion(for: model)?.counterpart(of: target) : target
    }
    // A target that cannot be linked must not remove the current members.
    if targets.count < value.count { return nil }
    let members = unique(targets)
    if isSetOneSided(model, members.first(where: lacksContext)) {
      return Mutation.begin(model, index, property.entry(of: model)) ? _ToManyContent(oneSided: members) : nil
    }
    // An initializer has set these members, so their inverse is not set.
    let oneSided = content.state?.oneSided ?? []
    let inverse = property.inverse(for: model)
    var all: [any PersistentModel] = []
    var old: [any PersistentModel] = []
    var joining: [(member: any PersistentModel, partners: [any PersistentModel])] = []
    var leaving: [any PersistentModel] = []
    let isRead = attempt(model, property) {
      all = try property.targets(of: model)
      old = oneSided.isEmpty ? all : all.filter { !oneSided.contains(ObjectIdentifier($0)) }
      guard let inverse else { return }
      let before = Set(old.map { ObjectIdentifier($0) })
      let after = Set(members.map { ObjectIdentifier($0) })
      for member in old where !after.contains(ObjectIdentifier(member)) {
        try inverse.prepareToUnlink(from: member)
        leaving.append(member)
      }
      for member in members where !before.contains(ObjectIdentifier(member)) {
        joining.append((member, try partners(of: member, inverse, back: property, except: model)))
      }
    }
    guard isRead, Mutation.begin(model, index, property.entry(of: model)) else { return nil }
    let returning = restoreDeleted(joining.map(\.member), to: model)
    // A model that kept its own side of the link is a member again.
    if !returning.isEmpty { all = property.loadedTargets(of: model) }
    property.recordMembers(of: model, from: all, to: members)
    if let inverse {
      for member in leaving { inverse.unlink(model, from: member) }
      for (member, partners) in joining {
        let isBack = !returning.isEmpty && returning.contains(ObjectIdentifier(member))
        link(model, to: member, inverse, back: property, insteadOf: partners, isBack: isBack)
      }
    }
    let new = _ToManyContent(members: members)
    new.state?.deleted = deleted(among: old, of: model)
    for member in members {
      if inverse != nil, !acceptsLinks(member) { new.state?.oneSided.insert(ObjectIdentifier(member)) }
    }
    return new
  }

  /// The deleted models that were members before the change. An array that was read before the deletion still has them:
  /// setting it does not cancel their deletion.
  private static func deleted(
    among old: [any PersistentModel], of model: any PersistentModel
  ) -> Set<ObjectIdentifier> {
    guard model._$withState({ $0.graphIdentity != nil }) else { return [] }
    return Set(old.filter { $0._$withState { !$0.isLive } }.map { ObjectIdentifier($0) })
  }

  /// Stores the result of `begin`.
  static func finish(_ model: any PersistentModel, _ index: Int, _ content: _ToOneContent) {
    ModelRuntime.link(of: model, at: index)?._withUnsafeGuaranteedRef { $0.toOne?.put(content, in: model) }
    if let target = content.target { register(target, with: model) }
  }

  static func finish(_ model: any PersistentModel, _ index: Int, _ content: _ToManyContent) {
    guard let property = toMany(of: model, at: index) else { return }
    property.put(content, in: model)
    let deleted = content.state?.deleted ?? []
    property.forEachLoadedTarget(of: model) { target in
      if deleted.isEmpty || !deleted.contains(ObjectIdentifier(target)) { register(target, with: model) }
    }
    if !deleted.isEmpty { content.state?.deleted = [] }
  }

  /// Registers the target of a registered model, or a transient model that refers to a registered one.
  static func register(_ target: any PersistentModel, with model: any PersistentModel) {
    let isRegistered = model._$withState { $0.graphIdentity != nil }
    let (isTargetRegistered, isDeleted) = target._$withState { ($0.graphIdentity != nil, $0.status == .deleted) }
    if isRegistered == isTargetRegistered, !isDeleted { return }
    if isRegistered {
      if let graph = model._$withState({ $0.graph }), !lacksContext(model) {
        graph.exclusively { graph.register(target) }
      }
    } else if let graph = target._$withState({ $0.graph }), !lacksContext(target) {
      graph.exclusively { graph.register(model) }
    }
  }

  /// Whether a model's relationship is set without its inverse, because the model or its target has no context.
  @inline(__always)
  private static func isSetOneSided(
    _ model: any PersistentModel, _ target: @autoclosure () -> (any PersistentModel)?
  ) -> Bool {
    // A target that belongs to another context, or belonged to one, does not get here: see `isForeign`.
    if model._$withState({ $0.graphIdentity != nil }) { return lacksContext(model) }
    return target().map(lacksContext) ?? false
  }

  /// Whether a model's context is released. The inverse is set when the graph has a context again.
  static func lacksContext(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.graphReference }?._withUnsafeGuaranteedRef { !$0.lifetime.isOpen } ?? false
  }

  static func toMany(of model: any PersistentModel, at index: Int) -> (any ToManyRelationship)? {
    ModelRuntime.of(model).properties[index].toMany
  }

  /// Whether a target belongs to another context than a model, or to a released one: then it is replaced by the model of
  /// the same row in the context of `model`. There is none while the target is not saved.
  static func isForeign(_ target: any PersistentModel, to model: any PersistentModel) -> Bool {
    let graph = model._$withState { $0.graphIdentity }
    return target._$withState { state in
      let owner = state.graphIdentity
      return graph != nil && graph != owner && (owner != nil || state.status == .persistent || state.isUnreadable)
    }
  }

  private static func insertion(for model: any PersistentModel) -> InsertionOperation? {
    model._$withState { $0.graph }.map(InsertionOperation.init)
  }

  static func unique(_ members: [any PersistentModel]) -> [any PersistentModel] {
    var seen = Set<ObjectIdentifier>(minimumCapacity: members.count)
    return members.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
