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
