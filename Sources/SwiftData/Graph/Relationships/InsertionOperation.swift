/// The insertion of a model, and of the models that are reachable from it.
struct InsertionOperation {
  let graph: ObjectGraph

  func run(_ root: any PersistentModel) {
    var waiting: [any PersistentModel] = []
    admit(root, &waiting)
    while let model = waiting.popLast() { admit(model, &waiting) }
  }

  /// - Parameter waiting: Gets the models that have to be registered together with this one.
  private func admit(_ model: any PersistentModel, _ waiting: inout [any PersistentModel]) {
    // Not retained: this graph retains the binding, and the binding its rules.
    let (status, owner, isMine) = model._$withState { ($0.status, $0.graphIdentity, $0.belongs(to: graph)) }
    if status == .deleted, isMine { return graph.undelete(model) }
    guard admit(model, status, isOwned: owner != nil, isMine), let binding = model._$withState({ $0.bindingReference })
    else { return }
    for rule in binding._withUnsafeGuaranteedRef({ $0.ruleReferences }) {
      rule._withUnsafeGuaranteedRef { admitTargets(of: $0, model, &waiting) }
    }
  }

  private func admitTargets(
    of rule: RelationshipRule, _ model: any PersistentModel, _ waiting: inout [any PersistentModel]
  ) {
    let property = rule.property
    if rule.isResolved(model, in: graph) { return property.linkBack(from: model) }
    localizeTargets(of: property, model)
    let count = waiting.count
    property.forEachLoadedTarget(of: model) { target in
      if target._$withState({ !$0.belongs(to: graph) || $0.status == .deleted }) { waiting.append(target) }
    }
    for target in waiting[count...] where target._$withState({ $0.status == .detached && !$0.isUnreadable }) {
      renew(target)
    }
    property.linkBack(from: model)
    if waiting.count > count + 1 { waiting[count...].reverse() }
  }

  /// Replaces targets of another context, which only an initializer can have set, by the models of the same rows in this
  /// context.
  private func localizeTargets(of property: any RelationshipProperty, _ model: any PersistentModel) {
    var strangers: [any PersistentModel] = []
    property.forEachLoadedTarget(of: model) { target in
      let (owner, isRow, isUnreadable) = target._$withState { ($0.graph, $0.status == .persistent, $0.isUnreadable) }
      if owner !== graph, owner != nil || isRow || isUnreadable { strangers.append(target) }
    }
    for target in strangers { property.replace(target, by: counterpart(of: target), in: model) }
  }

  /// Makes a model whose row is gone as its initializer would have left it: transient, with links without an inverse. The
  /// save inserts a new row: a saved deletion is final.
  func renew(_ model: any PersistentModel) {
    model._$withState {
      $0.status = .transient
      $0.survivor = nil
    }
    for property in ModelRuntime.of(model).relationships {
      // Nothing can be read any more; the current links are final.
      if !property.isLoaded(model) { property.fillWithDefault(model) }
      dropClaimed(from: property, model)
      property.markOneSided(model)
    }
  }

  /// Removes targets of a one-to-one or one-to-many that have another owner.
  private func dropClaimed(from property: any RelationshipProperty, _ model: any PersistentModel) {
    guard let inverse = property.inverse(for: model)?.toOne else { return }
    func isTaken(_ target: any PersistentModel) -> Bool {
      guard target._$withState({ $0.belongs(to: graph) }) else { return false }
      // A failed read is repeated, and reported, when the target is linked.
      let holder = try? inverse.targets(of: target).first
      return holder.map { $0 !== model } ?? false
    }
    let targets = property.loadedTargets(of: model)
    let kept = targets.filter { !isTaken($0) }
    if kept.count < targets.count { property.fill(model, with: kept) }
  }

  /// - Returns: Whether the model is new to this context, so that its targets have to be registered.
  private func admit(
    _ model: any PersistentModel, _ status: _ModelState.Status, isOwned: Bool, _ isMine: Bool
  ) -> Bool {
    if isOwned, !isMine {
      graph.reject(model, "The model belongs to another context.", "Fetch it in this context by its persistentModelID.")
      return false
    }
    switch status {
    case .persistent where !isOwned:
      graph.reject(model, "The model's context was released.", "Fetch it in this context by its persistentModelID.")
      return false
    case .pending, .persistent, .deleted:
      return false
    case .detached where model._$withState { $0.isUnreadable }:
      graph.rejectUnreadable(model)
      return false
    case .transient, .detached:
      if status == .detached { renew(model) }
      guard let binding = graph.binding(forNext: Swift.type(of: model)) else {
        let (message, hint) = graph.messageForUnknown(Swift.type(of: model))
        graph.reject(model, message, hint)
        return false
      }
      model._$withState { state in
        if state.key >= 0 { state.key = TemporaryKey.next() }
        if state.lastIdentifier != nil { state.lastIdentifier = nil }
        state.binding = binding
        state.age = 0
      }
      graph.journal.recordInsertion(of: model)
      if UndoRecorder.areThereAny { graph.undoRecorder?.recordInsertion(of: model) }
      linkAgain(graph.journal.takeLinks(toDeleted: model), to: model)
      return true
    }
  }

  /// Sets the inverses of to-ones whose target was deleted and is inserted again.
  private func linkAgain(_ links: [Journal.DanglingLink], to model: any PersistentModel) {
    var known: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    for link in links {
      let property = link.property
      guard let source = link.source, graph.isResolved(source), property.loadedTarget(of: source) === model,
        let inverse = property.inverse(for: source)
      else { continue }
      let sources =
        known[ObjectIdentifier(inverse)] ?? Set(inverse.loadedTargets(of: model).map { ObjectIdentifier($0) })
      known[ObjectIdentifier(inverse)] = sources
      if sources.contains(ObjectIdentifier(source)) { continue }
      if !RelationshipLinks.link(source, to: model, inverse, back: property) { property.markOneSided(source) }
    }
  }

  /// This context's model of the row of a model that belongs to another context.
  func counterpart(of model: any PersistentModel) -> (any PersistentModel)? {
    let (key, store, isUnreadable) = model._$withState { ($0.key, $0.store, $0.isUnreadable) }
    if isUnreadable {
      graph.rejectUnreadable(model)
      return nil
    }
    guard key > 0 else {
      graph.reject(
        model, "An unsaved model of another context was linked.", "Save it there first, or make it in this context.")
      return nil
    }
    guard let binding = graph.binding(for: Swift.type(of: model)), binding.store == store else {
      graph.reject(
        model, "A model of another store was linked. Related models have to be in one store.",
        "Make a copy of it in this context, or open one container for both.")
      return nil
    }
    do {
      return try graph.fault(key, binding)
    } catch {
      graph.reject(model, "A model of another context was linked, and cannot be read here: \(error)", "Link it again.")
      return nil
    }
  }
}
