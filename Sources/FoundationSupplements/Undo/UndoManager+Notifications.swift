#if !canImport(Darwin) && !FoundationUndoManager
  public import Foundation

  // swift-format-ignore: AlwaysUseLowerCamelCase
  extension NSNotification.Name {
    /// Posted before a nested group begins, before any group ends, before undo and redo, and when ``UndoManager/canRedo`` is
    /// read: the time to register pending changes.
    ///
    /// Calls by observers post no other checkpoint until all observers have been notified.
    public static let NSUndoManagerCheckpoint = Self("NSUndoManagerCheckpointNotification")

    /// Posted after a group has begun, except the one that records a change while it is undone or redone.
    public static let NSUndoManagerDidOpenUndoGroup = Self("NSUndoManagerDidOpenUndoGroupNotification")

    /// Posted before a group ends. Its user info has a ``NSUndoManagerGroupIsDiscardableKey`` if the group has actions
    /// and all are discardable.
    public static let NSUndoManagerWillCloseUndoGroup = Self("NSUndoManagerWillCloseUndoGroupNotification")

    /// Posted after a group has ended, with a user info as before it.
    public static let NSUndoManagerDidCloseUndoGroup = Self("NSUndoManagerDidCloseUndoGroupNotification")

    /// Posted before the actions of a group are undone.
    public static let NSUndoManagerWillUndoChange = Self("NSUndoManagerWillUndoChangeNotification")

    /// Posted after the actions of a group were undone.
    public static let NSUndoManagerDidUndoChange = Self("NSUndoManagerDidUndoChangeNotification")

    /// Posted before the actions of a group are redone.
    public static let NSUndoManagerWillRedoChange = Self("NSUndoManagerWillRedoChangeNotification")

    /// Posted after the actions of a group were redone.
    public static let NSUndoManagerDidRedoChange = Self("NSUndoManagerDidRedoChangeNotification")
  }

  /// The key of `true` in the user info of the notifications for the end of a group whose actions are all discardable.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

  /// The order in which Apple's class ends the event group at the end of a run loop's turn. It has no effect here.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public let NSUndoCloseGroupingRunLoopOrdering = 350_000

  extension UndoManager {
    final func postCheckpoint() {
      guard !isAtCheckpoint else { return }
      isAtCheckpoint = true
      post(.NSUndoManagerCheckpoint)
      isAtCheckpoint = false
    }

    final func post(_ name: Notification.Name, discardable: Bool = false) {
      let info: [AnyHashable: Any]? = discardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
      NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }
  }
#endif
