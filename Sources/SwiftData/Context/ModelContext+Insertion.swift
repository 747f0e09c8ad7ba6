extension ModelContext {
  /// Inserts `model` and all models that are reachable through its relationships, so that the next ``save()`` writes them.
  ///
  /// A model of this context is not changed. If `model` was marked for deletion, the mark is removed, also from the models
  /// that were marked by the rule `.cascade` because of `model`. A model whose type is not in the container's schema, or
  /// that belongs to another context, is not inserted, and the next save throws.
  ///
  /// A model whose deletion was saved is inserted with its current values. The save gives it its previous identifier,
  /// unless another row has that by now; until then its identifier is temporary.
  public func insert<T: PersistentModel>(_ model: T) {
    if graph.isResolved(model) { return graph.scheduleAutosaveIfNeeded() }
    graph.exclusively { graph.register(model) }
    graph.didChange()
  }
}
