import Dispatch
import Foundation
import Support

// Actions, and values attached to groups, retain objects whose deinitializers may call the manager. So none is released while a
// property of the manager is being changed: the function retains them until the change is made.
#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    final func openGroup(forEvent: Bool) {
      if opened.depth > 0 { postCheckpoint() }
      opened.begin(forEvent: forEvent)
      groupChangeCount &+= 1
      post(.NSUndoManagerDidOpenUndoGroup)
      if forEvent { endEventGroupLater() }
    }

    /// Ends the innermost group, unless it has to stay open, and the groups that observers of the notification leave open.
    final func closeGroup() {
      let level = opened.depth
      guard level > lowestLevel else { return }
      let outerLevel = lowestLevel
      lowestLevel = level
      postCheckpoint()
      post(.NSUndoManagerWillCloseUndoGroup, discardable: opened.innermostIsDiscardable)
      lowestLevel = outerLevel
      // An observer may have removed all actions, and the group with them.
      guard opened.depth >= level else { return }
      while opened.depth > level { closeGroupQuietly() }
      closeGroupQuietly()
      post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Ends the groups above a level. Groups that observers open meanwhile end without notifications.
    final func closeGroups(above level: Int) {
      for _ in 0..<max(0, opened.depth - level) { closeGroup() }
      while opened.depth > level { closeGroupQuietly() }
    }

    private func closeGroupQuietly() {
      let ended = opened.end()
      groupChangeCount &+= 1
      if let group = ended.group { undoStack.push(leadingToNewState(group)) }
      trim()
      withExtendedLifetime(ended) {}
    }

    final func leadingToNewState(_ group: UndoGroup) -> UndoGroup {
      var group = group
      lastState += 1
      group.state = lastState
      return group
    }

    /// Assigns a new number to the state without any group, because actions were removed.
    final func forgetStates() {
      lastState += 1
      earliestState = lastState
    }

    final func trim() {
      guard levelsOfUndo > 0 else { return }
      let forgotten = (undoStack.trim(to: levelsOfUndo), redoStack.trim(to: levelsOfUndo))
      if let last = forgotten.0.last { earliestState = last.state }
      withExtendedLifetime(forgotten) {}
    }

    /// Ends the event group, if it is the only open group.
    ///
    /// For an executor with turns of its own, such as a context on its own actor. The call is ignored during undo and redo.
    package final func endEventGroup() {
      if lowestLevel == 0, opened.isOnlyEvent { closeGroup() }
    }

    /// Schedules the end of the event group at the end of the turn, if this is the main queue.
    final func endEventGroupLater() {
      guard opened.isOnlyEvent, !endOfTurnIsScheduled, MainQueue.isCurrent else { return }
      endOfTurnIsScheduled = true
      let waiting = Waiting(manager: self)
      DispatchQueue.main.async { waiting.endTurn() }
    }
  }

  // Created and used only on the main queue, on which the manager was called.
  private struct Waiting: @unchecked Sendable {
    weak var manager: UndoManager?

    func endTurn() {
      guard let manager else { return }
      manager.endOfTurnIsScheduled = false
      manager.endEventGroup()
    }
  }
#endif
