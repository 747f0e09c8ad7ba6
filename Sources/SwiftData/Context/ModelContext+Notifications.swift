public import Foundation

extension ModelContext {
  /// A notification that is posted when a save begins.
  ///
  /// Its object is the context, and it has no user info. ``save()`` posts it before it writes, unless there is nothing to
  /// save, and ``update(_:where:_:)`` before it looks for rows. It is posted where they are called, in the isolation of
  /// the context. A handler may fetch and save; what it leaves unsaved is a part of the save, and not of an update.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// A notification that is posted when a save has succeeded, and when all rows may have changed.
  ///
  /// Its object is the context, and its user info has the identifiers of the models that were inserted, updated and
  /// deleted, and the place of the save in the history of each store: see ``NotificationKey``. ``save()`` and
  /// ``update(_:where:_:)`` post it before they return, in the isolation of the context. A ``transaction(block:)`` posts
  /// it when others can save again. A handler may fetch and save.
  ///
  /// A context that has models also posts it when it has taken in word that any of their rows may have changed or be gone:
  /// after ``ModelContainer/erase()``, and where others have committed to the store and nobody can say what, because the
  /// history was deleted before it was read, or is damaged, or the file was replaced. The identifiers of these models are
  /// then under ``NotificationKey/invalidatedAllIdentifiers``, and the other arrays are empty. The context takes in such
  /// word as it does saves of others, at its next use or, for the main context, when the main queue is free.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// A notification that is posted when a save that the context makes by itself has failed.
  ///
  /// Its object is the context, and its user info has the error under ``NotificationKey/autosaveError``. It is posted in the
  /// isolation of the context once the save is over. An observer may fetch, save or roll back. When it changes something, the
  /// save is tried again at the end of the next turn.
  ///
  /// A property that could not be read is a failure too: the context does not save by itself what may come of the value
  /// that stood in for it, until a fetch or a save has thrown the error. An addition of OpenSwiftData.
  public static let autosaveDidFail = Notification.Name("SwiftData.ModelContext.autosaveDidFail")

  /// The keys of the user info of ``didSave``, of ``autosaveDidFail``, and of ``ModelContainer/remoteChange``.
  ///
  /// Apple does not document whether the key of a value is the case or its raw value, and programs use either, so each
  /// value is stored under both.
  public enum NotificationKey: String {
    /// Never set.
    case queryGeneration
    /// A `[PersistentIdentifier]` of all models that the context had of the stores concerned when it heard that any row may
    /// have changed or be gone. Absent after a save.
    case invalidatedAllIdentifiers
    /// A `[PersistentIdentifier]` of the models that the save has inserted.
    case insertedIdentifiers = "inserted"
    /// A `[PersistentIdentifier]` of the models that the save has updated. An update of rows has one for each row.
    case updatedIdentifiers = "updated"
    /// A `[PersistentIdentifier]` of the models that the save has deleted.
    case deletedIdentifiers = "deleted"
    /// A `[String: any HistoryToken]`, by the identifiers of the stores that keep a history. It is empty where none does, and
    /// with ``invalidatedAllIdentifiers``.
    case historyTokens
    /// The error of a save that the context has made by itself, an `any Error`, in the user info of ``autosaveDidFail``. An
    /// addition of OpenSwiftData.
    case autosaveError
  }
}
