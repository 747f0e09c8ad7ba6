/// One save of a context: validates the changes, and plans, writes and completes the save for each store.
struct SaveOperation {
  let graph: ObjectGraph

  /// - Returns: What was saved.
  func run() throws -> ChangeNotice {
    try graph.withoutUndo(write)
  }

  private func write() throws -> ChangeNotice {
    defer { graph.checkInvariants() }
    try SaveValidation(graph: graph).run()
    try graph.throwAccessFailure()
    var first: Written?
    var writtenStores: [String] = []
    for (index, session) in graph.sessions.enumerated() {
      do {
        guard let written = try write(to: session, index) else { continue }
        writtenStores.append(session.storeName)
        if let first { first.notice.add(written.notice) } else { first = written }
        SaveCompletion(graph: graph, written: written).run()
        graph.journal.closeBatchDeletions(bySession: index)
        if let failure = written.outcome.failure { throw failure }
      } catch {
        throw writtenStores.isEmpty ? error : Self.error(error, withSavedStores: writtenStores)
      }
    }
    graph.journal.closeSave()
    graph.updateChangeReporting()
    return first?.notice ?? ChangeNotice()
  }

  /// - Returns: What was written; nil if there is nothing to write to this store.
  private func write(to session: any StoreSession, _ index: Int) throws -> Written? {
    if session.keepsBothSides {
      dropDismissed(inSession: index)
      try resolveOtherSides(inSession: index)
    }
    let planning = SavePlanning(graph: graph, session: index)
    var plan = planning.plan()
    if session.keepsBothSides, !plan.deletedRows.isEmpty, plan.batchDeletion == nil {
      // With other changes to save, the store gets the models.
      try graph.loadRows(plan.deletedRows)
      plan = planning.plan()
    }
    if plan.isEmpty { return nil }
    do {
      return try execute(plan, by: session)
    } catch let error as DataStoreError {
      if plan.batchDeletion == nil { throw error }
      // The store cannot delete by this predicate.
      graph.journal.closeBatchDeletions(bySession: index)
      try graph.loadRows(plan.deletedRows)
      return try execute(planning.plan(), by: session)
    }
  }

  /// What one store has written. Other contexts get its change notification.
  final class Written {
    let plan: SavePlan
    fileprivate(set) var outcome: SaveOutcome
    fileprivate(set) var notice: ChangeNotice
    /// To-manys that change without a change in the plan.
    let unmarked: [UnmarkedSide]

    fileprivate init(_ plan: SavePlan, _ outcome: SaveOutcome, _ notice: ChangeNotice, _ unmarked: [UnmarkedSide]) {
      self.plan = plan
      self.outcome = outcome
      self.notice = notice
      self.unmarked = unmarked
    }
  }

  private func execute(_ plan: SavePlan, by session: any StoreSession) throws -> Written? {
    let unmarked = UnmarkedSide.sides(of: plan.memberships)
    var written: Written?
    graph.saving.beginWriting(plan)
    graph.updateChangeReporting()
    defer {
      graph.saving.endWriting()
      graph.updateChangeReporting()
    }
    do {
      try session.save(plan) { outcome in
        let notice = notice(of: plan, outcome, unmarked, by: session)
        graph.core.broadcast(notice, from: graph.inbox)
        written = Written(plan, outcome, notice, unmarked)
      }
      if let failure = plan.failure {
        if !graph.saving.isAutosaving { graph.failures.closeRead() }
        written?.outcome.failure = failure
      }
      return written
    } catch {
      guard let failure = plan.failure else { throw error }
      if !graph.saving.isAutosaving { graph.failures.closeRead() }
      throw failure
    }
  }

  /// Adds to an error the names of the stores that were written.
  private static func error(_ error: any Error, withSavedStores names: [String]) -> SwiftDataError {
    let described =
      error as? SwiftDataError
      ?? .modelValidationFailure.with(
        message: "A part of the changes was saved, and the rest was not.", underlying: error)
    var details = described.details ?? SwiftDataError.Details()
    details.savedStores = names
    return described.with(details)
  }

  /// Sets one-way relationships to nil whose target was deleted before its first save, and may be in another context by
  /// now: otherwise a snapshot would refer to it.
  private func dropDismissed(inSession index: Int) {
    if !graph.journal.hasDismissed { return }
    for model in graph.journal.inserted.models + graph.journal.changedModels {
      guard let binding = model._$withState({ $0.binding }), binding.sessionIndex == index else { continue }
      for rule in binding.relationshipRules where rule.isOneWay {
        for target in rule.property.loadedTargets(of: model)
        where target._$withState({ $0.status == .transient || $0.isLive && !$0.belongs(to: graph) }) {
          rule.property.replace(target, by: nil, in: model)
          rule.property.recordChange(of: model)
        }
      }
    }
  }

  /// Reads the members of the committed targets of changed to-ones, so that a target that loses a member counts as changed
  /// even if its members were not read.
  private func resolveOtherSides(inSession index: Int) throws {
    for model in graph.journal.changedModels {
      let (binding, changes) = model._$withState { ($0.binding, $0.changes) }
      guard let binding, binding.sessionIndex == index, let changes else { continue }
      for rule in binding.toOnes {
        guard let previous = changes.previousTarget(rule.property.index), previous.target == nil, previous.key > 0,
          let inverse = rule.inverse?.toMany, let destination = rule.destination
        else { continue }
        // Reading the members applies the unlink.
        if let target = try graph.find(previous.key, destination) { _ = try inverse.targets(of: target) }
      }
    }
  }
}
