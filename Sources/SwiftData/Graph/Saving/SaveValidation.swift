/// Checks everything pending against the schema before a save writes any of it, and reports all violations together.
struct SaveValidation {
  let graph: ObjectGraph

  /// - Throws: What is broken or was refused since the last save, or why the store could not be asked. Then what was
  ///   refused is kept for the next save.
  func run() throws {
    var issues: [SwiftDataError.Issue] = []
    try graph.loadDeniedRows()
    try graph.journal.inserted.visit { _, model in try check(model, isInserted: true, &issues) }
    // Held where members are read: that may show that the row of a model is of another class by now, and the lists let
    // go of that model then.
    let held = readsMembers ? graph.journal.changed.models + graph.journal.deleted.models : []
    try withExtendedLifetime(held) {
      try graph.journal.changed.visit { _, model in
        if model._$withState({ $0.status == .registered }) { try check(model, isInserted: false, &issues) }
      }
      try graph.journal.deleted.visit { _, model in try checkDeletion(of: model, &issues) }
    }
    // All is read: whoever is told of what is broken is told of what was refused as well. An autosave tells nobody.
    if !graph.saving.isAutosaving { issues = graph.failures.refusals + issues }
    guard !issues.isEmpty else { return }
    if !graph.saving.isAutosaving { graph.failures.closeRefusals() }
    throw SwiftDataError.modelValidationFailure.with(
      message: issues.count == 1 ? issues[0].message : "\(issues.count) rules of the schema are broken.",
      hint: "Change or delete the models named below and save again, or roll back.",
      identifiers: issues.compactMap(\.persistentIdentifier), issues: issues)
  }

  private var readsMembers: Bool {
    graph.bindingsByOrdinal.contains { binding in
      binding.relationshipRules.contains { $0.isCounted || $0.deleteRule == .deny }
    }
  }

  private func check(
    _ model: any PersistentModel, isInserted: Bool, _ issues: inout [SwiftDataError.Issue]
  ) throws {
    // This is asked of every model that a save writes: no reference is counted for a rule or a binding, which the graph
    // has.
    let (reference, dirty) = model._$withState { ($0.bindingReference, isInserted ? .max : $0.dirty) }
    try reference?._withUnsafeGuaranteedRef { binding in
      for rule in binding.ruleReferences {
        try rule._withUnsafeGuaranteedRef { rule in
          if dirty & rule.bit == 0 { return }
          // Others may share the bit: what was not changed is not looked at, and need not be read.
          if !isInserted, !model._$withState({ $0.isPending(rule.property.index) }) { return }
          if !rule.isToMany {
            checkTarget(of: rule.property, isOneWay: rule.isOneWay, model, binding, &issues)
          } else if rule.isCounted {
            try checkCount(of: rule, model, binding, &issues)
          }
        }
      }
    }
  }

  private func checkTarget(
    of property: any RelationshipProperty, isOneWay: Bool, _ model: any PersistentModel, _ binding: EntityBinding,
    _ issues: inout [SwiftDataError.Issue]
  ) {
    guard let target = property.loadedTarget(of: model) else {
      if property.isRequired, property.unresolvedKey(of: model) == nil {
        issues.append(issue(model, binding, property, "A value is required, and there is none."))
      }
      return
    }
    let (status, isMine, sessionIndex) = target._$withState {
      ($0.status, $0.belongs(to: graph), $0.withBinding { $0.sessionIndex })
    }
    switch status {
    case .inserted, .registered:
      if isMine, sessionIndex == binding.sessionIndex { return }
      // Where nobody tells it, a relationship goes on leading there until the save, and is saved as leading nowhere.
      if !isMine, isOneWay, !property.isRequired { return }
      let message =
        isMine
        ? "A relationship cannot lead into another store."
        : "It refers to a \(property.destinationType) that went to another context."
      issues.append(issue(model, binding, property, message))
    case .deleted where isOneWay && !property.isRequired: return
    case .deleted, .gone:
      issues.append(issue(model, binding, property, "It refers to a deleted \(property.destinationType)."))
    case .plain:
      if property.isRequired {
        issues.append(issue(model, binding, property, "A value is required, and there is none."))
      }
    }
  }

  private func checkCount(
    of rule: EntityBinding.RelationshipRule, _ model: any PersistentModel, _ binding: EntityBinding,
    _ issues: inout [SwiftDataError.Issue]
  ) throws {
    let property = rule.property
    // What is deleted may be there until the save is done.
    let count = try property.targets(of: model).count(where: graph.isSettled)
    if count < rule.minimum {
      issues.append(
        issue(model, binding, property, "Too few items in \(property.name): \(count), at least \(rule.minimum)."))
    }
    if rule.maximum > 0, count > rule.maximum {
      issues.append(
        issue(model, binding, property, "Too many items in \(property.name): \(count), at most \(rule.maximum)."))
    }
  }

  private func checkDeletion(of model: any PersistentModel, _ issues: inout [SwiftDataError.Issue]) throws {
    guard let binding = model._$withState({ $0.binding }) else { return }
    for rule in binding.relationshipRules where rule.deleteRule == .deny {
      let property = rule.property
      let inverse = property.inverse(for: model)
      let remaining = try property.targets(of: model).filter { target in
        try graph.isSettled(target) && inverse?.targets(of: target).contains { $0 === model } ?? true
      }
      guard !remaining.isEmpty else { continue }
      issues.append(
        issue(
          model, binding, property,
          "It cannot be deleted while \(property.name) has \(remaining.count) of \(property.destinationType)."))
    }
  }

  private func issue(
    _ model: any PersistentModel, _ binding: EntityBinding, _ property: any RelationshipProperty, _ message: String
  ) -> SwiftDataError.Issue {
    SwiftDataError.Issue(
      persistentIdentifier: model.anyIdentifier, entity: binding.entity.name, property: property.name, message: message)
  }
}
