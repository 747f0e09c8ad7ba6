import Dispatch
import Foundation
import Support

// Actions, and values attached to groups, hold objects whose deinitializers may call the manager. So none is released
// while a property of the manager is being changed: what goes is held by the function until the change is made.
#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    final func openGroup(forEvent: Bool) {
      if opened.depth > 0 { postCheckpoint() }
      opened.begin(forEvent: forEvent)
      groupChangeCount &+= 1
      post(.NSUndoManagerDidOpenUndoGroup)
      if forEvent { endEventGroupLater() }
    }

    /// Ends the innermost group, unless it is to stay open. The groups that observers of the announcement leave open
    /// end with it.
    final func closeGroup() {
      let level = opened.depth
      guard level > lowestLevel else { return }
      let outerLevel = lowestLevel
      lowestLevel = level
      postCheckpoint()
      post(.NSUndoManagerWillCloseUndoGroup, discardable: opened.innermostIsDiscardable)
      lowestLevel = outerLevel
      // An observer may have forgotten all actions, and with them the group.
      guard opened.depth >= level else { return }
      while opened.depth > level { closeGroupQuietly() }
      closeGroupQuietly()
      post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Ends the groups above a level, those that observers open meanwhile without an announcement.
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

    /// Takes the state without any group for another one, because actions were forgotten.
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

    /// Ends the group of the event, if it is open and no other group is open in it.
    ///
    /// For one that has its own turns, such as a context on an actor of its own. The call is ignored while something is
    /// undone or redone.
    package final func endEventGroup() {
      if lowestLevel == 0, opened.isOnlyEvent { closeGroup() }
    }

    /// Lets the group of the event end with the turn of the main queue, if this is one.
    final func endEventGroupLater() {
      guard opened.isOnlyEvent, !endOfTurnIsScheduled, MainQueue.isCurrent else { return }
      endOfTurnIsScheduled = true
      let waiting = Waiting(manager: self)
      DispatchQueue.main.async { waiting.endTurn() }
    }
  }

  // Made and used on the main queue only, on which the manager was called; between the two it is not touched.
  private struct Waiting: @unchecked Sendable {
    weak var manager: UndoManager?

    func endTurn() {
      guard let manager else { return }
      manager.endOfTurnIsScheduled = false
      manager.endEventGroup()
    }
  }
#endif
