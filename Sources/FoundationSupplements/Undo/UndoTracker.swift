#if canImport(Darwin) || FoundationUndoManager
  package import Foundation
#else
  import Foundation
#endif

/// Tracks the groups and the state of a Foundation undo manager for contexts and documents, by its public interface.
// @unchecked: the tracker belongs to the isolation of the manager, which posts its notifications there.
package final class UndoTracker: @unchecked Sendable {
  private let manager: UndoManager
  private var observations: [any NSObjectProtocol] = []
  /// The number of times that a group, an undo or a redo has begun or ended.
  package private(set) var groupChangeCount = 0

  package init(_ manager: UndoManager) {
    self.manager = manager
    observations = [
      .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange,
      .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
    ].map { (name: Notification.Name) in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { [weak self] _ in
        self?.groupChangeCount &+= 1
      }
    }
  }

  deinit {
    for observation in observations { NotificationCenter.default.removeObserver(observation) }
  }

  /// Identifies the state of the undo stack. Undo and redo give a new identifier; `nil` while a group is open.
  package var stateIdentifier: UInt64? { manager.groupingLevel > 0 ? nil : UInt64(groupChangeCount) }

  /// Ends the group of the event, if it is open and no other group is open in it.
  package func endEventGroup() {
    guard manager.groupsByEvent, manager.groupingLevel == 1, !manager.isUndoing, !manager.isRedoing else { return }
    manager.endUndoGrouping()
  }
}

extension UndoManager {
  #if canImport(Darwin) || FoundationUndoManager
    package typealias Tracker = UndoTracker

    package func tracker() -> UndoTracker { UndoTracker(self) }
  #else
    package typealias Tracker = UndoManager

    package func tracker() -> UndoManager { self }
  #endif
}
