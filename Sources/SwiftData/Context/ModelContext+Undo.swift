public import FoundationSupplements

extension ModelContext {
  /// The undo manager that the context registers its changes with.
  ///
  /// The value is `nil` at first, and then nothing is registered. From when it is set, each change of the context's models
  /// can be undone and done again with the manager: insertions, deletions with everything that delete rules took along,
  /// attributes, and relationships with the order of their members. What is changed between two moments at which the
  /// manager begins or ends a group, is undone together; with ``UndoManager/groupsByEvent`` that is what is changed in one
  /// turn of the main queue, or up to ``processPendingChanges()``.
  ///
  /// To undo is to change the models once more, which the next save writes. It works across saves: a model whose deletion
  /// was saved and is undone is the same object, and has the identifier that it had before once that is saved. What other
  /// contexts have saved meanwhile stays, as far as it is not the very value that is undone.
  ///
  /// These remove all actions of the context from the manager:
  ///
  /// - ``rollback()``, which removes those of others as well, as in Apple's framework
  /// - a deletion by ``delete(model:where:includeSubclasses:)`` that finds something, as no model knows what the rows had
  /// - a save that updates a row because an inserted model has its unique values
  ///
  /// ``update(_:where:_:)`` cannot be undone and removes nothing.
  ///
  /// The manager belongs to the isolation of the context. It does not keep the context, and knows of no models any more
  /// once that is gone. The context keeps all models of registered actions in memory; ``UndoManager/levelsOfUndo`` limits
  /// them.
  public var undoManager: UndoManager? {
    get { undoRecorder?.manager }
    set {
      if newValue === undoRecorder?.manager { return }
      undoRecorder?.removeAll()
      undoRecorder = newValue.map { UndoRecorder($0, graph) }
      graph.undoRecorder = undoRecorder
    }
  }
}
