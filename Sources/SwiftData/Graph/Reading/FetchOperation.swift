/// One fetch of a context: what the store answers, with the unsaved changes of the context laid over it. The caller has
/// merged what other contexts have saved.
struct FetchOperation<Model: PersistentModel> {
  let graph: ObjectGraph
  let descriptor: FetchDescriptor<Model>
  let binding: EntityBinding
  /// The store's plan, which serves all that is asked of it.
  let plan: any FetchPlan
  /// What the store is asked for first.
  private let result: FetchResultType
  /// Nil when the store's answer is the whole answer.
  private var overlay: PendingOverlay<Model>?

  /// - Parameter result: What the store is asked for first.
  /// - Throws: What the store, or the context in its place, cannot do.
  init(_ descriptor: FetchDescriptor<Model>, for result: FetchResultType, in graph: ObjectGraph) throws {
    self.graph = graph
    self.descriptor = descriptor
    binding = try graph.requireBinding(for: Model.self)
    plan = try graph.fetchPlan(descriptor, for: result, binding)
    self.result = result
    overlay = try madeOverlay()
  }

  /// The overlay for what the store leaves to the context, as far as it knows by now.
  private func madeOverlay() throws -> PendingOverlay<Model>? {
    // Which models are selected, and in which order, does not depend on all of their values.
    try PendingOverlay(
      graph, binding, descriptor, residue: plan.residue,
      dependingOn: result == .aggregates ? .max : descriptor.ownProperties)
  }

  /// Whether the store's answer is the whole answer, as far as the store knows by now.
  var isAnsweredByStore: Bool { overlay == nil }

  /// The models that the descriptor selects, with what it names for prefetching.
  func run() throws -> [Model] {
    let models = try models()
    try graph.faulting.prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
    return models
  }

  func count() throws -> Int {
    if isAnsweredByStore, let count = try plan.count() { return count }
    return try models().count
  }

  func identifiers() throws -> [PersistentIdentifier] {
    var identifiers: [PersistentIdentifier] = []
    if try keys(receive: { identifiers.append(graph.identifier(of: $0)) }) { return identifiers }
    return try models().map(\.anyIdentifier)
  }

  /// Hands over the keys of the rows, if the store's answer is the whole answer.
  ///
  /// - Returns: Whether that is so. Some may have been handed over when it is not.
  func keys(receive: (RowKey) throws -> Void) throws -> Bool {
    try isAnsweredByStore && plan.keys(receive: receive)
  }

  /// The models that the descriptor selects.
  func models() throws -> [Model] {
    var overlay = overlay
    /// Makes a new overlay when the plan has added to its residue while it ran.
    func update() throws {
      guard plan.residue != overlay?.residue ?? FetchResidue() else { return }
      overlay = try madeOverlay()
    }
    /// Whether unsaved values would be seen although the descriptor leaves them out.
    func showsTooMuch() -> Bool { overlay != nil && graph.hasChanges && !descriptor.includePendingChanges }

    try update()
    if !showsTooMuch() {
      let stored = try graph.rows(descriptor, plan, overlay?.restriction ?? FetchRestriction(), binding)
      try update()
      guard let overlay else { return stored }
      if !showsTooMuch() {
        let models = try overlay.apply(to: stored)
        // Evaluation in memory may have accessed a property that cannot be read, and got a placeholder for it.
        try graph.throwAccessFailure()
        return models
      }
    }
    // Another context has the saved ones.
    let rows = try graph.withOtherContext { try $0.savedRows(descriptor) }
    let models = try graph.models(rows.rows(at: 0..<rows.count), descriptor)
    try graph.throwAccessFailure()
    return models
  }

  /// See ``ModelContext/explain(_:)``.
  func explanation() throws -> FetchExplanation {
    var overlay = overlay
    var explanation = try plan.explanation(overlay?.restriction ?? FetchRestriction())
    if plan.residue != overlay?.residue ?? FetchResidue() {
      // Asking has shown that the store leaves more to the context than it had said.
      overlay = try madeOverlay()
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
