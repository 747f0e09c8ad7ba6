import Foundation

/// Applies a context's pending changes to the store's result of a fetch, and evaluates the residue.
struct PendingOverlay<Model: PersistentModel> {
  private let descriptor: FetchDescriptor<Model>
  private let predicate: CheckedPredicate<Model>?
  private let inserted: [Model]
  private let changed: [Model]
  /// The changed request to the store, so that its result can be completed here.
  let restriction: FetchRestriction
  private let order: RowOrder<Model>

  /// The parts of the descriptor that the store does not evaluate.
  let residue: FetchResidue
  /// Whether changed models are selected by their pending values.
  let includesPending: Bool

  /// Nil when the store's result is complete.
  ///
  /// - Parameters:
  ///   - residue: The parts of the descriptor that the store does not evaluate.
  ///   - properties: The properties that the result depends on, in the format of `_ModelState.dirty`.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` for a predicate that would have to be evaluated in memory and is
  ///   nested too deep for that.
  init?(
    _ graph: ObjectGraph, _ binding: EntityBinding, _ descriptor: FetchDescriptor<Model>, residue: FetchResidue,
    dependingOn properties: @autoclosure () -> UInt64
  ) throws {
    self.residue = residue
    includesPending = descriptor.includePendingChanges && graph.hasChanges
    guard includesPending || !residue.isEmpty else { return nil }
    self.descriptor = descriptor
    order = RowOrder(descriptor, binding)
    predicate = descriptor.predicate.map(CheckedPredicate.init)
    guard includesPending else {
      if residue.filters { try predicate?.checkDepth() }
      inserted = []
      changed = []
      restriction = FetchRestriction(limit: .none)
      return
    }
    let unsaved = binding.map.unsaved
    inserted = graph.insertedModels(Model.self, meeting: descriptor.predicate, binding)
    // The store's result is correct for models that were changed in other properties.
    let isConcerned = unsaved.changedProperties != 0 && properties() & unsaved.changedProperties != 0
    changed = isConcerned ? graph.journal.changedModels.compactMap { binding.isInTree($0) ? $0 as? Model : nil } : []
    // A change of a related model can change the value of the predicate.
    let reachesOthers = descriptor.predicate.map { graph.hasPending(PredicateInspection.visitedTypes($0)) } ?? false
    var restriction = FetchRestriction()
    let sortsByOthers = graph.hasPending(descriptor.typesVisitedBySorting)
    if inserted.isEmpty, changed.isEmpty, !unsaved.hasDeleted, !reachesOthers, !sortsByOthers, residue.isEmpty {
      return nil
    }
    try predicate?.checkDepth()
    restriction.ignoresPredicate = reachesOthers
    if reachesOthers || sortsByOthers || !residue.isEmpty {
      restriction.limit = .none
    } else if let limit = descriptor.limit {
      let deletedCount =
        graph.journal.deleted.models.count(where: binding.isInTree)
        + graph.journal.deletedRows.rows(of: binding.map).count
      restriction.limit = .atMost(
        [limit, descriptor.fetchOffset ?? 0, changed.count, deletedCount].reduce(0) { sum, count in
          let (sum, isOverflow) = sum.addingReportingOverflow(count)
          return isOverflow ? .max : sum
        })
    } else {
      restriction.limit = .none
    }
    self.restriction = restriction
  }

  func apply(to stored: [Model]) throws -> [Model] {
    var models: [Model] = []
    for model in stored {
      let (status, isChanged) = model._$withState { ($0.status, $0.changes != nil) }
      if includesPending, status != .persistent { continue }
      if !(residue.filters || restriction.ignoresPredicate || (includesPending && isChanged)) {
        models.append(model)
      } else if try matches(model) {
        models.append(model)
      }
    }
    let known = Set(models.map { ObjectIdentifier($0) })
    for model in changed where !known.contains(ObjectIdentifier(model)) {
      if try matches(model) { models.append(model) }
    }
    models += try inserted.filter(matches)
    return page(of: sorted(models))
  }

  private func matches(_ model: Model) throws -> Bool {
    try predicate?.evaluate(model) ?? true
  }

  private func sorted(_ models: [Model]) -> [Model] {
    let keys = models.map { model in model._$withState { $0.key } }
    let positions = models.indices.sorted { left, right in
      order.precedes(models[left], models[right], keys: (keys[left], keys[right]))
    }
    return positions.map { models[$0] }
  }

  private func page(of models: [Model]) -> [Model] {
    let rest = models.dropFirst(max(0, descriptor.fetchOffset ?? 0))
    return Array(descriptor.limit.map { rest.prefix(max(0, $0)) } ?? rest)
  }
}

extension ObjectGraph {
  /// The inserted models of a class that may meet a predicate, in the order of their insertion.
  fileprivate func insertedModels<Model: PersistentModel>(
    _ type: Model.Type, meeting predicate: Predicate<Model>?, _ binding: EntityBinding
  ) -> [Model] {
    let unsaved = binding.map.unsaved
    if !unsaved.hasInserted { return [] }
    if let predicate, journal.inserted.count >= InsertedIndex.minimumCount,
      let demand = EqualityDemand.first(of: predicate),
      let property = KeyPathResolution.propertyIndex(demand.attribute, binding.runtime).map(_ModelState.bit)
    {
      var index = unsaved.inserted
      if index?.generation != journal.inserted.generation {
        index = InsertedIndex(generation: journal.inserted.generation)
        unsaved.inserted = index
        updateChangeReporting()
      }
      return index?.models(meeting: demand, of: property, before: journal.inserted.positionCount) { position in
        journal.inserted.model(at: position) as? Model
      } ?? []
    }
    return journal.inserted.models.compactMap { binding.isInTree($0) ? $0 as? Model : nil }
  }
}

extension EntityBinding {
  /// Whether a model is of the same inheritance tree.
  fileprivate func isInTree(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.withBinding { $0.map === map } } == true
  }
}
