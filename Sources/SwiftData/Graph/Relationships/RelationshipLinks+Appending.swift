/// Appends members in time that does not depend on the number of members.
extension RelationshipLinks {
  /// Appends models to a to-many and updates their inverses, if no other work is necessary.
  ///
  /// - Returns: False if other work is necessary. Nothing is changed then, and the caller sets the whole property.
  static func append(
    _ added: [any PersistentModel], to model: any PersistentModel, _ index: Int, _ content: _ToManyContent
  ) -> Bool {
    guard let property = toMany(of: model, at: index), let state = content.state, state.isLoaded,
      state.oneSided.isEmpty, model._$withState({ $0.status != .deleted && $0.status != .detached }),
      added.allSatisfy({ canJoin($0, model) }), areDistinct(added)
    else { return false }
    // Imports often set the inverse just before, which has appended the member.
    if added.count == 1, state.isLast(added[0]) { return true }
    let inverse = property.inverse(for: model)
    guard let partners = partners(of: added, inverse, back: property, except: model, state),
      property.isLoaded(model), Mutation.begin(model, index, members: .appending(added), property.entry(of: model))
    else { return false }
    for (member, partners) in zip(added, partners) {
      if let inverse { link(model, to: member, inverse, back: property, insteadOf: partners) }
      property.recordAppended(member, to: model)
    }
    return true
  }

  /// Prepares the change that sets all members, including the appended ones.
  static func begin(
    _ model: any PersistentModel, _ index: Int, _ content: _ToManyContent, appending added: [any PersistentModel]
  ) -> _ToManyContent? {
    guard let property = toMany(of: model, at: index) else { return nil }
    var members: [any PersistentModel] = []
    let isRead = attempt(model, property) { members = try property.targets(of: model) }
    return isRead ? begin(model, index, content, to: members + added) : nil
  }

  static func canJoin(_ member: any PersistentModel, _ model: any PersistentModel) -> Bool {
    member !== model && !isForeign(member, to: model) && !lacksContext(member)
      && member._$withState { $0.status != .deleted && $0.status != .detached }
  }

  static func areDistinct(_ models: [any PersistentModel]) -> Bool {
    models.count == 1 || unique(models).count == models.count
  }

  /// The current targets of each of some models, where the inverse is a to-one.
  ///
  /// - Returns: Nil if one is a member already, or could not be read.
  static func partners(
    of members: [any PersistentModel], _ inverse: (any RelationshipProperty)?, back property: any RelationshipProperty,
    except model: any PersistentModel, _ state: ToManyState
  ) -> [[any PersistentModel]]? {
    guard let inverse = inverse?.toOne else {
      return members.contains(where: state.contains) ? nil : members.map { _ in [] }
    }
    var partners: [[any PersistentModel]] = []
    for member in members {
      guard let targets = try? inverse.targets(of: member), !targets.contains(where: { $0 === model }) else {
        return nil
      }
      do {
        for partner in targets { try property.prepareToUnlink(from: partner) }
      } catch {
        return nil
      }
      partners.append(targets)
    }
    return partners
  }
}
