extension ObjectGraph {
  /// Stops the program, in debug builds, if an invariant of the graph is violated. A graph with many models is not checked:
  /// that would take longer than the call that makes the check.
  @inline(__always)
  func checkInvariants() {
    #if DEBUG
      let limit = 100
      guard exclusiveAccess.isShallow, journal.count < limit else { return }
      let broken = brokenInvariants(limit: limit)
      if !broken.isEmpty { fatalError("A ModelContext is broken: \(broken.joined(separator: "; "))") }
    #endif
  }
}

// Invariants that hold whenever no call is in progress. Debug builds check them after operations that change many models,
// and the random tests after each step.
#if DEBUG
  extension ObjectGraph {
    /// Descriptions of violated invariants.
    ///
    /// - Parameter limit: The number of registered models above which nothing is checked.
    func brokenInvariants(limit: Int = .max) -> [String] {
      exclusively {
        // The pages are counted first: there may be very many models.
        if bindingsByOrdinal.contains(where: { $0.map.usedCount > limit }) { return [] }
        let models = registeredModels
        if models.count > limit { return [] }
        let broken = maps.flatMap(\.brokenInvariants) + brokenLists(models)
        // Some may be released on another thread at this moment.
        if maps.reduce(0, { $0 + $1.count }) > models.count { return broken }
        return broken + brokenGroups(models)
      }
    }

    private func brokenGroups(_ models: [any PersistentModel]) -> [String] {
      var groups: [ObjectIdentifier: (group: FetchGroup, models: [any PersistentModel])] = [:]
      for model in models {
        guard let group = model._$withState({ $0.group }) else { continue }
        groups[ObjectIdentifier(group), default: (group, [])].models.append(model)
      }
      return groups.values.flatMap { $0.group.brokenInvariants($0.models) }
    }

    private func brokenLists(_ models: [any PersistentModel]) -> [String] {
      var broken: [String] = []
      func check(_ model: any PersistentModel, _ isTrue: Bool, _ rule: String) {
        if !isTrue { broken.append("\(type(of: model)) \(model._$withState { $0.key }): \(rule)") }
      }
      for model in journal.inserted.models {
        let (status, isMine) = model._$withState { ($0.status, $0.belongs(to: self)) }
        check(model, status == .pending && isMine, "it is among the inserted ones and \(status)")
      }
      for model in models {
        let (status, isMine, hasRecord) = model._$withState { ($0.status, $0.belongs(to: self), $0.changes != nil) }
        check(model, isMine, "it is registered here and belongs elsewhere")
        check(
          model, (status == .deleted) == journal.deleted.contains(model), "it is \(status), which the list does not say"
        )
        if !lifetime.isOpen { continue }
        check(model, hasRecord == journal.changed.contains(model), "that it has changes the list does not say")
      }
      for model in journal.deleted.models + journal.changed.models {
        let (key, binding) = model._$withState { ($0.key, $0.binding) }
        check(model, binding?.map.model(key) === model, "it is listed and not registered")
      }
      return broken
    }

    /// The relationships whose two sides disagree, as far as both are in memory. They may disagree while rows are in memory
    /// that another process has changed.
    var disagreements: [String] {
      var found: [String] = []
      for model in exclusively({ registeredModels + journal.inserted.models })
      where model._$withState({ $0.status != .deleted }) {
        for rule in EntityBinding.rules(of: model) {
          guard let inverse = rule.property.inverse(for: model) else { continue }
          rule.property.forEachLoadedTarget(of: model) { target in
            guard target._$withState({ $0.isLive }) else {
              if !model._$withState({ $0.isDirty(rule.property.index) }) {
                found.append("\(name(model)).\(rule.property.name) leads to \(name(target)), which is gone")
              }
              return
            }
            if knows(target, inverse, model) { return }
            found.append(
              "\(name(model)).\(rule.property.name) leads to \(name(target)), whose \(inverse.name) does not lead back")
          }
        }
      }
      return found
    }

    /// Whether a relationship has a model as its target, or may have it once it is read.
    private func knows(_ owner: any PersistentModel, _ property: any RelationshipProperty, _ model: any PersistentModel)
      -> Bool
    {
      if property.isLoaded(owner) { return property.loadedTargets(of: owner).contains { $0 === model } }
      if let key = property.toOne?.unreadKey(of: owner) { return key == model._$withState { $0.key } }
      return true
    }

    private func name(_ model: any PersistentModel) -> String {
      "\(type(of: model)) \(model._$withState { $0.key })"
    }
  }
#endif
