extension ModelContext {
  /// Registers `model` and everything it leads to, to be saved with the next ``save()``.
  ///
  /// A model that is registered already stays as it is. One that was marked for deletion is kept after all, and with it
  /// what the rule `.cascade` had marked because of it. A model
  /// whose type the container does not know, or that belongs to another context, is reported by the next save.
  public func insert<T: PersistentModel>(_ model: T) {
    if graph.isSettled(model) { return graph.scheduleAutosaveIfNeeded() }
    graph.alone { graph.register(model) }
    graph.didChange()
  }
}
