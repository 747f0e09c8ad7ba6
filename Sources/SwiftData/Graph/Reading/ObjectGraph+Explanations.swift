extension ObjectGraph {
  /// See ``ModelContext/explain(_:)``.
  func explain<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchExplanation {
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    let plan = try fetchPlan(descriptor, for: .rows, binding)
    var overlay = try PendingOverlay(self, binding, descriptor, residue: plan.residue)
    var explanation = try plan.explanation(overlay?.restriction ?? FetchRestriction())
    if plan.residue != overlay?.residue ?? FetchResidue() {
      // Asking has shown that the store leaves more to the context than it had said.
      overlay = try PendingOverlay(self, binding, descriptor, residue: plan.residue)
      explanation = try plan.explanation(overlay?.restriction ?? FetchRestriction())
    }
    if let overlay, overlay.includesPending {
      let reason =
        overlay.restriction.ignoresPredicate
        ? "the predicate asks for values of models that have some, so that it is evaluated in memory"
        : "models of \(binding.entity.name) have some"
      explanation.inMemory.append(.init(.unsavedChanges, reason: reason))
    }
    return explanation
  }
}
