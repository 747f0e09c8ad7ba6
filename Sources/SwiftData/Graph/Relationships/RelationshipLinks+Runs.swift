/// Adds or removes adjacent members in time that does not depend on the number of other members.
extension RelationshipLinks {
  /// Sets a to-many to other members, if these differ by one added or removed run, as after `insert(_:at:)`,
  /// `removeFirst()` or `remove(at:)`.
  ///
  /// - Returns: False if they do not, or if other work is necessary. Nothing is changed then, and the caller sets the whole
  ///   property.
  static func setRun(
    of model: any PersistentModel, _ index: Int, _ content: _ToManyContent, to members: [AnyObject]
  ) -> Bool {
    guard let property = toMany(of: model, at: index), let state = content.state, state.oneSided.isEmpty,
      let run = state.run(to: members), !lacksContext(model),
      model._$withState({ $0.status != .deleted && $0.status != .detached && $0.observers == nil })
    else { return false }
    return run.hasCome
      ? add(run.positions, of: members, to: model, property, state)
      : remove(run.positions, from: model, property, state, leaving: members)
  }

  private static func add(
    _ positions: Range<Int>, of members: [AnyObject], to model: any PersistentModel, _ property: any ToManyRelationship,
    _ state: ToManyState
  ) -> Bool {
    let added = members[positions].compactMap { $0 as? any PersistentModel }
    let isPlain = model._$withState { $0.graphIdentity == nil }
    guard added.allSatisfy({ canJoin($0, model) && (!isPlain || $0._$withState { $0.graphIdentity == nil }) }),
      areDistinct(added)
    else { return false }
    let inverse = property.inverse(for: model)
    guard let partners = partners(of: added, inverse, back: property, except: model, state),
      property.isLoaded(model), Mutation.begin(model, property.index, property.entry(of: model))
    else { return false }
    property.recordAdded(added, at: positions.lowerBound, to: model)
    if let inverse {
      for (member, partners) in zip(added, partners) {
        link(model, to: member, inverse, back: property, insteadOf: partners)
      }
    }
    state.members = members
    for member in added { register(member, with: model) }
    return true
  }

  private static func remove(
    _ positions: Range<Int>, from model: any PersistentModel, _ property: any ToManyRelationship, _ state: ToManyState,
    leaving members: [AnyObject]
  ) -> Bool {
    let removed = (state.members?[positions] ?? []).compactMap { $0 as? any PersistentModel }
    let inverse = property.inverse(for: model)
    do {
      if let inverse { for member in removed { try inverse.prepareToUnlink(from: member) } }
    } catch {
      return false
    }
    let count = removed.count
    let change = UndoStep.MemberChange.removing(removed, from: positions.lowerBound, count: members.count + count)
    guard property.isLoaded(model),
      Mutation.begin(model, property.index, members: change, property.entry(of: model))
    else { return false }
    property.recordRemoved(removed, from: model)
    if let inverse { for member in removed { inverse.unlink(model, from: member) } }
    state.members = members
    return true
  }
}
