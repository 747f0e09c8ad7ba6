public import Foundation

extension ModelContext {
  /// A notification that is posted when a save begins.
  ///
  /// Its object is the context. ``save()`` posts it before it writes, unless there is nothing to save.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// A notification that is posted when a save has succeeded.
  ///
  /// Its object is the context, and its user info has the identifiers of the models that were inserted, updated and
  /// deleted, and the place of the save in the history of each store. ``save()`` posts it before it returns.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// A notification that is posted when a save that the context makes by itself has failed.
  ///
  /// Its object is the context, and its user info has the error under ``autosaveErrorKey``. It is posted in the isolation
  /// of the context once the save is over. An observer may fetch, save or roll back. When it changes something, the save
  /// is tried again at the end of the next turn.
  ///
  /// A property that could not be read is a failure too: the context does not save by itself what may come of the value
  /// that stood in for it, until a fetch or a save has thrown the error. An addition of OpenSwiftData.
  public static let autosaveDidFail = Notification.Name("SwiftData.ModelContext.autosaveDidFail")
  /// The key of the error in the user info of ``autosaveDidFail``. An addition of OpenSwiftData.
  public static let autosaveErrorKey = "autosaveError"

  /// The keys of the user info of ``didSave``.
  ///
  /// The values of `insertedIdentifiers`, `updatedIdentifiers` and `deletedIdentifiers` are arrays of
  /// ``PersistentIdentifier``. That of `historyTokens` is a `[String: any HistoryToken]`, by the identifiers of the stores
  /// that keep a history. Apple does not document whether the key of a value is the case or its raw value, and programs
  /// use either, so each value is stored under both. This release sets no other values.
  public enum NotificationKey: String {
    case queryGeneration
    case invalidatedAllIdentifiers
    case insertedIdentifiers = "inserted"
    case updatedIdentifiers = "updated"
    case deletedIdentifiers = "deleted"
    case historyTokens
  }
}
