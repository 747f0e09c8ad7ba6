extension ModelContext {
  /// Inserts `model` and all models that its relationships lead to, so that the next ``save()`` writes them.
  ///
  /// A model that this context has already stays as it is. When `model` was marked for deletion, the mark is removed,
  /// also from the models that were marked because the rule `.cascade` was applied to `model`. A model whose type the
  /// container does not know, or that belongs to another context, is not inserted, and the next save throws.
  ///
  /// A model whose deletion was saved is inserted as it is now. The save gives it the identifier that it had before,
  /// unless a row has that by now; until then its identifier is a temporary one.
  public func insert<T: PersistentModel>(_ model: T) {
    if graph.isResolved(model) { return graph.scheduleAutosaveIfNeeded() }
    graph.exclusively { graph.register(model) }
    graph.didChange()
  }
}
