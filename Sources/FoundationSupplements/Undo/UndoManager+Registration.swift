#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    /// Registers an action that reverts a change.
    ///
    /// During undo the action is registered for redo. During redo it is registered for undo. Otherwise it is a new change, and
    /// clears the redo stack.
    ///
    /// When no group is open and ``groupsByEvent`` is `false`, the action makes a group by itself, where Apple's class raises
    /// an exception.
    /// raises an exception.
    ///
    /// - Parameters:
    ///   - target: The object to change, held weakly.
    ///   - handler: Reverts the change. It is retained until it is performed or removed, so it should not capture the manager
    ///     or the target. It may call the manager in any way, and release it.
    public func registerUndo<Target: AnyObject>(
      withTarget target: Target, handler: @escaping (Target) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      let isUngrouped = opened.depth == 0 && !groupsByEvent
      if opened.depth == 0 { openGroup(forEvent: !isUngrouped) }
      // An observer may have ended the group.
      if opened.depth == 0 { opened.begin(forEvent: !isUngrouped) }
      opened.append(TargetedUndoAction(target, handler))
      if change == nil { forgetRedo() }
      if isUngrouped { closeGroups(above: 0) }
    }

    private func forgetRedo() {
      guard redoStack.count > 0 else { return }
      let forgotten = redoStack
      redoStack = UndoStack()
      withExtendedLifetime(forgotten) {}
    }
  }
#endif
