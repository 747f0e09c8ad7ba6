/// Reads the saved models that a descriptor without an order selects, page by page, in the order of their keys.
struct ModelPages<T: PersistentModel> {
  private let graph: ObjectGraph
  private var descriptor: FetchDescriptor<T>
  private let plan: any FetchPlan
  private let binding: EntityBinding

  /// - Parameter plan: One for pages, which selects without a residue.
  init(
    _ graph: ObjectGraph, _ descriptor: FetchDescriptor<T>, _ plan: any FetchPlan, _ binding: EntityBinding
  ) {
    self.graph = graph
    self.descriptor = descriptor
    // Pages have no pending changes laid over.
    self.descriptor.includePendingChanges = false
    self.plan = plan
    self.binding = binding
  }

  /// - Throws: An error too when rows did not come in the order of their keys: pages would never end.
  func models(in page: FetchRestriction.KeyPage) throws -> [T] {
    let models = try graph.rows(descriptor, plan, FetchRestriction(limit: .page(page)), binding)
    if let end = models.last?._$withState({ $0.key }), end <= page.after {
      throw SwiftDataError.modelValidationFailure.with(
        entity: binding.entity.name, message: "Row \(end) of \(binding.entity.name) came again or out of its order.",
        hint: "The table is damaged. Restore a copy of the store, or have the database check its integrity.")
    }
    return models
  }
}

extension ModelPages {
  /// All models of a class, in an exclusive call of their graph's for each page.
  struct OfAll {
    private let graph: ObjectGraph
    private let pages: ModelPages
    /// The key that no model's is beyond.
    let lastKey: Int64

    init(_ graph: ObjectGraph) throws {
      self.graph = graph
      (pages, lastKey) = try graph.exclusively {
        let descriptor = FetchDescriptor<T>()
        let binding = try graph.requireBinding(for: T.self)
        let plan = try graph.fetchPlan(descriptor, for: .pages, binding)
        return (ModelPages(graph, descriptor, plan, binding), try binding.session.lastKey(of: binding.entity) ?? 0)
      }
    }

    func models(in page: FetchRestriction.KeyPage) throws -> [T] {
      try graph.exclusively {
        try graph.prepareToRead(FetchDescriptor<T>())
        return try pages.models(in: page)
      }
    }
  }
}
