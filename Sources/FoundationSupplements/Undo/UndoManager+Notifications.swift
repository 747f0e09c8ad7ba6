#if !canImport(Darwin) && !FoundationUndoManager
  public import Foundation

  // swift-format-ignore: AlwaysUseLowerCamelCase
  extension NSNotification.Name {
    /// Posted before a nested group begins, before any group ends, before undo and redo, and when
    /// ``UndoManager/canRedo`` is asked: the time to register what is not yet registered.
    ///
    /// What observers do does not lead to another checkpoint before all have been told.
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

  /// The key, in the user info of the notifications that a group ends, of `true` if all its actions are discardable.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

  /// The place at which Apple's class ends the group of an event among all that a run loop does at the end of a turn.
  /// It is without effect here.
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
