public import Foundation

extension ModelContainer {
  /// A notification that is posted when others have committed to a store of the container: other processes, and other
  /// containers of this one.
  ///
  /// Its object is the container. Its user info has the place of the last transaction of others that was found, of each
  /// store that has new ones: a `[String: any HistoryToken]` by the identifiers of the stores, under
  /// ``ModelContext/NotificationKey/historyTokens`` and under the raw value of that key. Transactions that are found
  /// together have one notification, and it comes some milliseconds after the commit. What the container's own contexts
  /// save, and what ``erase()`` and ``ModelContext/deleteHistory(_:)`` do, has none.
  ///
  /// The contexts of the container are notified first, and merge the changes as <doc:Concurrency> says. A handler runs on
  /// a queue that serves only these notifications of the container: on any thread, one at a time. It can fetch and save
  /// with a context of its own; changes that are found meanwhile are posted when it returns. It must not use the main
  /// context, nor the contexts of actors.
  ///
  /// Only SQLite stores in files that keep a history know what others commit: see <doc:History>. Nothing is posted for
  /// stores in memory, for custom stores, and for a closed container.
  public static let remoteChange = Notification.Name("SwiftData.ModelContainer.remoteChange")
}
