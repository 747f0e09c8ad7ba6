#if canImport(Darwin) || FoundationUndoManager
  package import Foundation
#else
  import Foundation
#endif

/// What contexts and documents ask of an undo manager, from Apple's public interface alone: for a manager of Foundation.
// @unchecked: it belongs to the isolation of the manager, which posts its notifications there.
package final class UndoTracker: @unchecked Sendable {
  private let manager: UndoManager
  private var observations: [any NSObjectProtocol] = []
  /// How often groups have begun and ended, also for undo and redo.
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

  /// A number of what was done, which undo and redo do not bring back; `nil` while a group is open.
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
