public import Foundation

extension ModelContext {
  /// A notification that is posted when a save begins.
  ///
  /// Its object is the context, and it has no user info. ``save()`` posts it before it writes, unless there is nothing to
  /// save, and ``update(_:where:_:)`` before it selects rows. It is posted synchronously, in the isolation of the context.
  /// A handler may fetch and save; its unsaved changes become part of the save, but not of an update.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// A notification that is posted when a save has succeeded, and when all rows may have changed.
  ///
  /// Its object is the context, and its user info has the identifiers of the models that were inserted, updated and
  /// deleted, and the save's token in the history of each store: see ``NotificationKey``. ``save()`` and
  /// ``update(_:where:_:)`` post it before they return, in the isolation of the context. A ``transaction(block:)`` posts it
  /// when other contexts can save again. A handler may fetch and save.
  ///
  /// A context that has models also posts it after it has merged a change notification that any of their rows may have
  /// changed or be gone: after ``ModelContainer/erase()``, and after commits of other processes with unknown changes,
  /// because the history was deleted before it was read, or is damaged, or the file was replaced. The identifiers of these
  /// models are then under ``NotificationKey/invalidatedAllIdentifiers``, and the other arrays are empty. As with saves of
  /// other contexts, the context merges this at its next use or, for the main context, when the main queue is free.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// A notification that is posted when an autosave has failed.
  ///
  /// Its object is the context, and its user info has the error under ``NotificationKey/autosaveError``. It is posted in the
  /// isolation of the context after the save. An observer may fetch, save or roll back. If it makes a change, the save is
  /// tried again at the end of the next turn.
  ///
  /// A property that could not be read is a failure too: the context does not autosave changes that may depend on the
  /// fallback value, until a fetch or a save has thrown the error. An addition of OpenSwiftData.
  public static let autosaveDidFail = Notification.Name("SwiftData.ModelContext.autosaveDidFail")

  /// The keys of the user info of ``didSave``, of ``autosaveDidFail``, and of ``ModelContainer/remoteChange``.
  ///
  /// Apple does not document whether the key of a value is the case or its raw value, and programs use either, so each
  /// value is stored under both.
  public enum NotificationKey: String {
    /// Never set.
    case queryGeneration
    /// A `[PersistentIdentifier]` of all models that the context had of the stores whose rows may all have changed or be
    /// gone. Absent after a save.
    case invalidatedAllIdentifiers
    /// A `[PersistentIdentifier]` of the models that the save has inserted.
    case insertedIdentifiers = "inserted"
    /// A `[PersistentIdentifier]` of the models that the save has updated. For an update of rows it has each row.
    case updatedIdentifiers = "updated"
    /// A `[PersistentIdentifier]` of the models that the save has deleted.
    case deletedIdentifiers = "deleted"
    /// A `[String: any HistoryToken]`, by the identifiers of the stores that keep a history. It is empty if none does, and
    /// together with ``invalidatedAllIdentifiers``.
    case historyTokens
    /// The error of a save that the context has made by itself, an `any Error`, in the user info of ``autosaveDidFail``. An
    /// addition of OpenSwiftData.
    case autosaveError
  }
}
