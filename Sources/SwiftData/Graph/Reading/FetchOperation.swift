/// One fetch of a context: the store's result, with the unsaved changes of the context applied. The caller has merged the
/// changes of other contexts.
struct FetchOperation<Model: PersistentModel> {
  let graph: ObjectGraph
  let descriptor: FetchDescriptor<Model>
  let binding: EntityBinding
  /// The store's plan, which serves all requests of the fetch.
  let plan: any FetchPlan
  /// The kind of the first request to the store.
  private let result: FetchResultType
  /// Nil when the store's result is complete.
  private var overlay: PendingOverlay<Model>?

  /// - Parameter result: The kind of the first request to the store.
  /// - Throws: An error if neither the store nor the context supports the fetch.
  init(_ descriptor: FetchDescriptor<Model>, for result: FetchResultType, in graph: ObjectGraph) throws {
    self.graph = graph
    self.descriptor = descriptor
    binding = try graph.requireBinding(for: Model.self)
    plan = try graph.fetchPlan(descriptor, for: result, binding)
    self.result = result
    overlay = try madeOverlay()
  }

  /// The overlay for the residue that the plan has so far.
  private func madeOverlay() throws -> PendingOverlay<Model>? {
    // Selection and order of models depend only on some of their values.
    try PendingOverlay(
      graph, binding, descriptor, residue: plan.residue,
      dependingOn: result == .aggregates ? .max : descriptor.ownProperties)
  }

  /// Whether the store's result is complete, as far as the plan's residue is known.
  var isAnsweredByStore: Bool { overlay == nil }

  /// The models that the descriptor selects, with its relationships prefetched.
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

  /// Passes the keys of the rows to `receive`, if the store's result is complete.
  ///
  /// - Returns: Whether it is complete. If not, some keys may have been passed.
  func keys(receive: (RowKey) throws -> Void) throws -> Bool {
    try isAnsweredByStore && plan.keys(receive: receive)
  }

  /// The models that the descriptor selects.
  func models() throws -> [Model] {
    var overlay = overlay
    /// Makes a new overlay if the plan has extended its residue while it ran.
    func update() throws {
      guard plan.residue != overlay?.residue ?? FetchResidue() else { return }
      overlay = try madeOverlay()
    }
    /// Whether unsaved values would be visible although the descriptor excludes them.
    func showsTooMuch() -> Bool { overlay != nil && graph.hasChanges && !descriptor.includePendingChanges }

    try update()
    if !showsTooMuch() {
      let stored = try graph.rows(descriptor, plan, overlay?.restriction ?? FetchRestriction(), binding)
      try update()
      guard let overlay else { return stored }
      if !showsTooMuch() {
        let models = try overlay.apply(to: stored)
        // Evaluation in memory may have accessed a property that cannot be read, and got a fallback value.
        try graph.throwAccessFailure()
        return models
      }
    }
    // Another context has the committed values.
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
      // The request has extended the plan's residue.
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
