/// Reads the committed models that a descriptor without an order selects, in pages, in the order of their keys.
struct ModelPages<T: PersistentModel> {
  private let graph: ObjectGraph
  private var descriptor: FetchDescriptor<T>
  private let plan: any FetchPlan
  private let binding: EntityBinding

  /// - Parameter plan: A plan for pages, without a residue.
  init(
    _ graph: ObjectGraph, _ descriptor: FetchDescriptor<T>, _ plan: any FetchPlan, _ binding: EntityBinding
  ) {
    self.graph = graph
    self.descriptor = descriptor
    // Pending changes are not applied to pages.
    self.descriptor.includePendingChanges = false
    self.plan = plan
    self.binding = binding
  }

  /// - Throws: An error also if rows are not in the order of their keys: the pages would never end.
  func models(in page: FetchRestriction.KeyPage) throws -> [T] {
    let models = try graph.rows(descriptor, plan, FetchRestriction(limit: .page(page)), binding)
    if let end = models.last?._$withState({ $0.key }), end <= page.after {
      throw SwiftDataError.modelValidationFailure.with(
        entity: binding.entity.name, message: "Row \(end) of \(binding.entity.name) was read twice or out of order.",
        hint: "The table is damaged. Restore a copy of the store, or have the database check its integrity.")
    }
    return models
  }
}

extension ModelPages {
  /// All models of a class, with exclusive access to their graph for each page.
  struct OfAll {
    private let graph: ObjectGraph
    private let pages: ModelPages
    /// The highest key of a row.
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
