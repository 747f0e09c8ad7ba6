#if !canImport(Darwin) && !FoundationUndoManager
  extension UndoManager {
    /// Registers how a change is taken back.
    ///
    /// While a change is undone the action is registered for redo. While one is redone it is registered for undo.
    /// Elsewhere it is new, and there is nothing to redo any more.
    ///
    /// When no group is open and ``groupsByEvent`` is `false`, the action makes a group by itself, where Apple's class
    /// raises an exception.
    ///
    /// - Parameters:
    ///   - target: The object to change, held weakly.
    ///   - handler: Takes the change back. It is held until it is performed or forgotten, so it should not capture the
    ///     manager or the target. It may call the manager in any way, and release it.
    public func registerUndo<Target: AnyObject>(
      withTarget target: Target, handler: @escaping (Target) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      let isUngrouped = opened.depth == 0 && !groupsByEvent
      if opened.depth == 0 { openGroup(forEvent: !isUngrouped) }
      // An observer may have ended it.
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
