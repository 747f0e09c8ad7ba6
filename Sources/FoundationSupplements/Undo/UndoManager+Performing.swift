import Foundation

#if !canImport(Darwin)
  extension UndoManager {
    /// Performs the pending group, and records what its actions register.
    final func perform(_ change: Change) {
      guard let labels = pending?.labels else { return }
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
      if let group = recorded.group { record(group, from: change) }
      withExtendedLifetime((recorded, labels)) {}
      endEventGroupLater()
      post(change == .undo ? .NSUndoManagerDidUndoChange : .NSUndoManagerDidRedoChange)
    }

    private func record(_ group: UndoGroup, from change: Change) {
      switch change {
      case .undo: redoStack.push(group)
      case .redo: undoStack.push(group)
      }
      trim()
    }
  }
#endif
