#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    /// A key of the values that are attached to an undo or redo group.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) {
        self.rawValue = rawValue
      }

      public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
      }
    }

    /// The open groups that are undone or redone next, if they have an action.
    final func unfinished(_ change: Change) -> OpenUndoGroups? {
      let isRecordedForRedo = self.change == .undo
      if opened.hasActions, (change == .redo) == isRecordedForRedo { return opened }
      return change == .undo && suspended.hasActions ? suspended : nil
    }

    private func last(_ change: Change) -> UndoGroup? {
      change == .undo ? undoStack.last : redoStack.last
    }

    final func labels(_ change: Change) -> UndoLabels {
      unfinished(change)?.labels ?? last(change)?.labels ?? UndoLabels()
    }

    final func isDiscardable(_ change: Change) -> Bool {
      unfinished(change)?.isDiscardable ?? last(change)?.isDiscardable ?? false
    }

    final func setLabel(_ set: (inout UndoLabels) -> Void) {
      // Retains the replaced values; see UndoManager+Grouping.swift.
      let before = (opened.innermost, undoStack.last?.labels)
      if opened.depth > 0 { opened.setLabels(set) } else { undoStack.setLabels(set) }
      withExtendedLifetime(before) {}
    }
  }

  /// The name of a group, and the values that are attached to it.
  struct UndoLabels {
    var name: String?
    var values: [UndoManager.UserInfoKey: Any] = [:]

    /// These labels, completed by the other labels.
    func completed(by others: UndoLabels) -> UndoLabels {
      UndoLabels(
        name: name ?? others.name,
        values: others.values.isEmpty ? values : others.values.merging(values) { $1 })
    }
  }
#endif
