/// Validates all changes against the schema before a save writes any of them, and reports all violations together.
struct SaveValidation {
  let graph: ObjectGraph

  /// - Throws: The violations and the changes that were refused since the last save, or why the store could not be read. In
  ///   the latter case the refusals are kept for the next save.
  func run() throws {
    var issues: [SwiftDataError.Issue] = []
    try graph.loadDeniedRows()
    try graph.journal.inserted.visit { _, model in try check(model, isInserted: true, &issues) }
    // Retained where members are read: a read may show that the row of a model has changed to another class, and the lists
    // release that model then.
    let retained = readsMembers ? graph.journal.changed.models + graph.journal.deleted.models : []
    try withExtendedLifetime(retained) {
      try graph.journal.changed.visit { _, model in
        if model._$withState({ $0.status == .persistent }) { try check(model, isInserted: false, &issues) }
      }
      try graph.journal.deleted.visit { _, model in try checkDeletion(of: model, &issues) }
    }
    // The error also has the refused changes. The program never sees the error of an autosave.
    if !graph.saving.isAutosaving { issues = graph.failures.refusals + issues }
    guard !issues.isEmpty else { return }
    if !graph.saving.isAutosaving { graph.failures.closeRefusals() }
    let only = issues.count == 1 ? issues[0] : nil
    throw SwiftDataError.modelValidationFailure.with(
      entity: only?.entity, property: only?.property,
      message: only?.message ?? "The changes violate \(issues.count) rules of the schema.",
      hint: "Change or delete the named models and save again, or roll back; until then the changes stay unsaved.",
      identifiers: issues.compactMap(\.persistentIdentifier), issues: issues)
  }

  private var readsMembers: Bool {
    graph.bindingsByOrdinal.contains { binding in
      !binding.countedToManys.isEmpty || binding.relationshipRules.contains { $0.deleteRule == .deny }
    }
  }

  private func check(
    _ model: any PersistentModel, isInserted: Bool, _ issues: inout [SwiftDataError.Issue]
  ) throws {
    // Runs for each model that a save writes, without retaining a rule or a binding, which the graph retains.
    let (reference, dirty) = model._$withState { ($0.bindingReference, isInserted ? .max : $0.dirty) }
    try reference?._withUnsafeGuaranteedRef { binding in
      /// Several properties may share a bit: an unchanged one is not validated, and need not be read.
      func isChanged(_ rule: RelationshipRule) -> Bool {
        dirty & rule.bit != 0 && (isInserted || model._$withState { $0.isPending(rule.property.index) })
      }
      for rule in binding.toOneReferences {
        rule._withUnsafeGuaranteedRef { if isChanged($0) { checkTarget(of: $0, model, binding, &issues) } }
      }
      for rule in binding.countedToManys where isChanged(rule) { try checkCount(of: rule, model, binding, &issues) }
    }
  }

  private func checkTarget(
    of rule: ToOneRule, _ model: any PersistentModel, _ binding: EntityBinding, _ issues: inout [SwiftDataError.Issue]
  ) {
    let (property, isOneWay) = (rule.toOne, rule.isOneWay)
    guard let target = property.loadedTarget(of: model) else {
      if property.isRequired, property.unreadKey(of: model) == nil {
        issues.append(issue(model, binding, property, required(rule, model)))
      }
      return
    }
    let (status, isMine, sessionIndex) = target._$withState {
      ($0.status, $0.belongs(to: graph), $0.withBinding { $0.sessionIndex })
    }
    switch status {
    case .pending, .persistent:
      if isMine, sessionIndex == binding.sessionIndex { return }
      // A one-way relationship keeps such a target until the save, and is saved as nil.
      if !isMine, isOneWay, !property.isRequired { return }
      let message =
        isMine
        ? "\(model.nameInMessages) refers by \(property.name) to a model of another store, which no relationship can."
        : "\(model.nameInMessages) refers by \(property.name) to a \(property.destinationType) of another context."
      issues.append(issue(model, binding, property, message))
    case .deleted where isOneWay && !property.isRequired: return
    case .deleted, .detached:
      issues.append(
        issue(
          model, binding, property,
          "\(model.nameInMessages) refers by \(property.name) to a deleted \(property.destinationType)."))
    case .transient:
      if property.isRequired {
        issues.append(issue(model, binding, property, required(rule, model)))
      }
    }
  }

  /// The message about a required to-one without a target, and for a persistent model a possible cause.
  private func required(_ rule: ToOneRule, _ model: any PersistentModel) -> String {
    let property = rule.property
    let lack = "\(model.nameInMessages) must have a \(property.name), and has none."
    guard model._$withState({ $0.status == .persistent }), let back = rule.inverseRule, back.deleteRule == .nullify
    else {
      return lack
    }
    let (entity, inverse) = (ModelRuntime.of(model).entityName, "\(property.destinationType).\(back.property.name)")
    return """
      \(lack) The delete rule .nullify of \(inverse) empties it when its \(property.destinationType) is deleted. Use the rule \
      .cascade there to delete the \(entity) too, or make \(entity).\(property.name) optional.
      """
  }

  private func checkCount(
    of rule: ToManyRule, _ model: any PersistentModel, _ binding: EntityBinding,
    _ issues: inout [SwiftDataError.Issue]
  ) throws {
    let property = rule.property
    // Deleted members may be in the list until the save is complete.
    let count = try property.targets(of: model).count(where: graph.isResolved)
    if count < rule.minimum {
      issues.append(
        issue(
          model, binding, property,
          "\(model.nameInMessages) has too few \(property.name): \(count), of at least \(rule.minimum)."))
    }
    if rule.maximum > 0, count > rule.maximum {
      issues.append(
        issue(
          model, binding, property,
          "\(model.nameInMessages) has too many \(property.name): \(count), of at most \(rule.maximum)."))
    }
  }

  private func checkDeletion(of model: any PersistentModel, _ issues: inout [SwiftDataError.Issue]) throws {
    guard let binding = model._$withState({ $0.binding }) else { return }
    for rule in binding.relationshipRules where rule.deleteRule == .deny {
      let property = rule.property
      let inverse = property.inverse(for: model)
      let remaining = try property.targets(of: model).filter { target in
        try graph.isResolved(target) && inverse?.targets(of: target).contains { $0 === model } ?? true
      }
      guard !remaining.isEmpty else { continue }
      issues.append(
        issue(
          model, binding, property,
          """
          \(model.nameInMessages) cannot be deleted while it has \(property.name) (\(remaining.count) of \
          \(property.destinationType)): the delete rule of \(binding.entity.name).\(property.name) is .deny.
          """))
    }
  }

  private func issue(
    _ model: any PersistentModel, _ binding: EntityBinding, _ property: any RelationshipProperty, _ message: String
  ) -> SwiftDataError.Issue {
    SwiftDataError.Issue(
      persistentIdentifier: model.anyIdentifier, entity: binding.entity.name, property: property.name, message: message)
  }
}
