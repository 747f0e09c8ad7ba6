#if FoundationUndoManager
  public import Foundation
  import FoundationSupplements
#else
  public import FoundationSupplements
#endif

extension ModelContext {
  /// The undo manager that the context registers its changes with.
  ///
  /// The value is `nil` by default, and then nothing is registered. After it is set, each change of the context's models
  /// can be undone and redone with the manager: insertions, deletions with their cascades, attributes, and relationships
  /// with the order of their members. Changes between two events at which the manager begins or ends a group are undone
  /// together; with `groupsByEvent` these are the changes in one turn of the main queue, or up to
  /// ``processPendingChanges()``.
  ///
  /// An undo changes the models again, and the next save writes that. It works across saves: a model whose saved deletion
  /// is undone is the same object, and has its previous identifier once the undo is saved. Changes that other contexts have
  /// saved meanwhile stay, except for the values that are undone.
  ///
  /// These remove all actions of the context from the manager:
  ///
  /// - ``rollback()``, which removes the actions of other targets as well, as in Apple's framework
  /// - a deletion by ``delete(model:where:includeSubclasses:)`` that selects rows, because no model has the rows' values
  /// - a save that updates a row because an inserted model has its unique values
  ///
  /// ``update(_:where:_:)`` cannot be undone and removes nothing.
  ///
  /// The manager belongs to the isolation of the context. It does not retain the context, and its actions release their
  /// models when the context is released. The context retains all models of registered actions;
  /// `levelsOfUndo` limits them.
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
