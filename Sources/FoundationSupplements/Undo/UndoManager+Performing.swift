import Foundation

#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    /// Performs the pending group, and records the actions that are registered meanwhile.
    final func perform(_ change: Change) {
      guard let labels = pending?.labels, let state = pending?.state else { return }
      self.change = change
      lowestLevel = 1
      groupChangeCount &+= 1
      suspended = opened
      opened = OpenUndoGroups()
      opened.begin(labels: labels)
      post(change == .undo ? .NSUndoManagerWillUndoChange : .NSUndoManagerWillRedoChange)
      while let entry = pending?.entries.popLast() { entry.action?.perform() }
      closeGroups(above: 1)

      let recorded = opened.end()
      opened = suspended
      suspended = OpenUndoGroups()
      pending = nil
      lowestLevel = 0
      groupChangeCount &+= 1
      self.change = nil
      if let group = recorded.group { record(group, leadingTo: state, from: change) }
      withExtendedLifetime((recorded, labels)) {}
      endEventGroupLater()
      post(change == .undo ? .NSUndoManagerDidUndoChange : .NSUndoManagerDidRedoChange)
    }

    private func record(_ group: UndoGroup, leadingTo state: UInt64, from change: Change) {
      var group = state == 0 ? leadingToNewState(group) : group
      if state != 0 { group.state = state }
      switch change {
      case .undo: redoStack.push(group)
      case .redo: undoStack.push(group)
      }
      trim()
    }
  }
#endif
