extension ModelContainer {
  /// The context of the main actor, with autosave on.
  ///
  /// It is the same object each time.
  @MainActor public var mainContext: ModelContext {
    if let context = heldMainContext { return context }
    let graph = core.mainGraph ?? ObjectGraph(self, isMain: true)
    core.mainGraph = graph
    let context = graph.context
    heldMainContext = context
    return context
  }
}
