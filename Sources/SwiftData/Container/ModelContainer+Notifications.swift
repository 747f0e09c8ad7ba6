public import Foundation

extension ModelContainer {
  /// A notification that is posted when another process, or another container of this process, has committed to a store of
  /// the container.
  ///
  /// Its object is the container. Its user info has, for each store with new transactions, the token of the last one that was
  /// found: a `[String: any HistoryToken]` by the identifiers of the stores, under
  /// ``ModelContext/NotificationKey/historyTokens`` and under the raw value of that key. Transactions that are found together
  /// have one notification, some milliseconds after the commit. Saves of the container's own contexts, ``erase()`` and
  /// ``ModelContext/deleteHistory(_:)`` post none.
  ///
  /// The contexts of the container are notified first, and merge the changes as <doc:Concurrency> says. A handler runs on
  /// a serial queue for these notifications of the container, on any thread. It can fetch and save
  /// with a context of its own; changes that are found meanwhile are posted when it returns. It must not use the main
  /// context, nor the contexts of actors.
  ///
  /// Only SQLite stores in files with a history detect the commits of others: see <doc:History>. Nothing is posted for
  /// stores in memory, for custom stores, and for a closed container.
  public static let remoteChange = Notification.Name("SwiftData.ModelContainer.remoteChange")
}
