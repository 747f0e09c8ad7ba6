public import Foundation

extension ModelContext {
  /// Posted with the context as its object when a save begins.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// Posted with the context as its object when a save is done; its user info has the identifiers that changed.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// The keys of a notification's user info.
  ///
  /// Apple does not document whether the user info is keyed by the case or by its raw value, and programs are seen to do
  /// either, so each value is there under both. The identifiers are an array.
  public enum NotificationKey: String {
    case queryGeneration
    case invalidatedAllIdentifiers
    case insertedIdentifiers = "inserted"
    case updatedIdentifiers = "updated"
    case deletedIdentifiers = "deleted"
    case historyTokens
  }
}
