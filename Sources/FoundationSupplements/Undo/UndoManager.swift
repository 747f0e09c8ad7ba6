#if !canImport(Darwin) && !FoundationUndoManager
  public import Foundation

  /// A stack of actions that revert changes, in the order of the changes.
  ///
  /// Foundation has this class on Apple's systems only. Code that changes something registers the action that reverts the
  /// change. ``undo()`` performs the actions of the last group, latest first. Actions that are registered meanwhile form the
  /// group that ``redo()`` performs.
  ///
  /// One manager belongs to one isolation, as a model context does; its newest version in Apple's SDK belongs to the
  /// main actor, and code that is written for that one compiles with this one.
  ///
  /// What differs from Apple's class:
  ///
  /// - A target is held weakly. An action whose target is released does nothing, where Apple's class stops the program.
  /// - Where Apple's class raises an exception, calls do the nearest sensible thing, as the description of each says.
  /// - A group without an action is discarded when it ends.
  /// - There are no invocations: `registerUndo(withTarget:selector:object:)` and `prepare(withInvocationTarget:)` need the
  ///   runtime of Objective-C.
  /// - The titles of menu items are in English.
  open class UndoManager: NSObject {
    enum Change {
      case undo
      case redo
    }

    final var undoStack = UndoStack()
    final var redoStack = UndoStack()
    /// The open groups. During undo and redo they are nested in the group that records the change.
    final var opened = OpenUndoGroups()
    /// The groups that were open when ``undoNestedGroup()`` began to undo a group nested in them.
    final var suspended = OpenUndoGroups()
    /// The remaining actions of the group that is being undone or redone.
    final var pending: UndoGroup?
    final var change: Change?
    /// The level that must stay open: that of the group that records a change, or whose end is being announced. There is no
    /// undo or redo while it is set.
    final var lowestLevel = 0
    final var isAtCheckpoint = false
    final var endOfTurnIsScheduled = false
    /// The number of times that groups have begun and ended: actions that are registered between two of these are undone
    /// together.
    package final var groupChangeCount = 0
    private final var disablings = 0
    /// The highest number of a state.
    final var lastState: UInt64 = 0
    /// The state before the first group that can be undone.
    final var earliestState: UInt64 = 0

    /// The number of the current state: undo returns to the number before the change, and redo to the one after it. Nil while a
    /// group with actions is open.
    package final var stateIdentifier: UInt64? {
      opened.hasActions || suspended.hasActions ? nil : undoStack.last?.state ?? earliestState
    }

    public override init() {
      super.init()
    }

    // MARK: Groups

    /// Whether a group is opened automatically for each turn of the main run loop or main queue. The default is `true`.
    ///
    /// The event group begins with the first registration, or the first explicit group, while no group is open. Explicit groups
    /// are nested in it, so they are undone together with the rest of the turn. It ends
    ///
    /// - on the main thread or main queue, after the work that is already waiting on the main queue. If an explicit group is
    ///   open then, it ends in the turn in which that group ends;
    /// - at the next ``undo()`` or ``redo()``, and at an ``endUndoGrouping()`` while no other group is open.
    ///
    /// Elsewhere than on the main queue, and in a program that runs neither the main queue nor the main run loop, only the
    /// latter ends it.
    open var groupsByEvent = true

    /// The run loop modes in which Apple's class ends the event group. They are stored, but have no effect: the group ends in
    /// whatever mode the main queue is served.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// The maximum number of top-level groups for undo, and for redo; 0, the default, for no limit.
    ///
    /// The oldest groups are removed first, at once when the limit is lowered.
    open var levelsOfUndo = 0 {
      didSet { trim() }
    }

    /// The number of open groups, nested in one another. During undo and redo, it counts the group that records the change and
    /// the groups that the actions begin.
    open var groupingLevel: Int { opened.depth }

    /// Begins a group, nested in the open group if there is one.
    ///
    /// With ``groupsByEvent`` the event group is opened first when no group is open, which makes two.
    open func beginUndoGrouping() {
      if opened.depth == 0, groupsByEvent { openGroup(forEvent: true) }
      openGroup(forEvent: false)
    }

    /// Ends the innermost group, which may be the event group.
    ///
    /// The call is ignored when no group is open, where Apple's class raises an exception, and when an action during undo or
    /// redo has not begun a group itself.
    open func endUndoGrouping() {
      closeGroup()
      endEventGroupLater()
    }

    // MARK: Registration

    /// Whether registrations are recorded; otherwise they are ignored.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Ignores registrations until ``enableUndoRegistration()`` was called as often as this method.
    open func disableUndoRegistration() {
      disablings += 1
    }

    /// Reverts one call of ``disableUndoRegistration()``.
    ///
    /// The call is ignored when there is none, where Apple's class raises an exception.
    open func enableUndoRegistration() {
      disablings = max(0, disablings - 1)
    }

    /// Removes all actions and enables registration.
    ///
    /// Open groups are removed with their contents, without a notification, and the remaining actions of a running undo or redo
    /// are not performed.
    open func removeAllActions() {
      let forgotten = (undoStack, redoStack, opened, suspended, pending)
      undoStack = UndoStack()
      redoStack = UndoStack()
      opened = OpenUndoGroups()
      suspended = OpenUndoGroups()
      pending = nil
      disablings = 0
      forgetStates()
      if change != nil { opened.begin() }
      withExtendedLifetime(forgotten) {}
    }

    /// Removes the actions that were registered with a target, including the remaining ones of a running undo or redo. Groups
    /// without other actions are removed.
    ///
    /// Actions of released targets are removed as well, so an object may call this in its `deinit`. The time is proportional to
    /// the number of all actions.
    open func removeAllActions(withTarget target: Any) {
      let target = target as AnyObject
      let before = (undoStack, redoStack, opened, suspended, pending)
      undoStack = before.0.removing(target)
      redoStack = before.1.removing(target)
      opened = before.2.removing(target)
      suspended = before.3.removing(target)
      pending = before.4?.removing(target)
      if undoStack.count != before.0.count || opened.hasActions != before.2.hasActions { forgetStates() }
      withExtendedLifetime(before) {}
    }

    // MARK: Undo and redo

    /// Whether there is an action to undo, in an ended or an open group.
    open var canUndo: Bool { undoCount > 0 }

    /// Whether there is an action to redo. Observers of the checkpoint that this posts may register pending changes, which
    /// clears the redo stack.
    open var canRedo: Bool {
      postCheckpoint()
      return redoCount > 0
    }

    /// The number of times that ``undo()`` can be called with an effect. Open groups with an action count as one.
    open var undoCount: Int { undoStack.count + (unfinished(.undo) == nil ? 0 : 1) }

    /// The number of times that ``redo()`` can be called with an effect.
    open var redoCount: Int { redoStack.count + (unfinished(.redo) == nil ? 0 : 1) }

    /// Whether ``undo()`` or ``undoNestedGroup()`` is running, including its notifications.
    open var isUndoing: Bool { change == .undo }

    /// Whether ``redo()`` is running, including its notifications.
    open var isRedoing: Bool { change == .redo }

    /// Ends all open groups and undoes the last top-level group.
    ///
    /// Apple's class raises an exception when more than one group is open. The call is ignored during undo and redo, and while
    /// the end of a group is being announced.
    open func undo() {
      guard lowestLevel == 0 else { return }
      closeGroups(above: 0)
      undoNestedGroup()
    }

    /// Undoes the last group, which may be nested. Actions that are registered meanwhile become one group to redo.
    ///
    /// While groups are open, this is the group that ended last in the innermost of them, provided that nothing was registered
    /// after it; else the innermost group is ended and undone. Calls are ignored as for ``undo()``; Apple's class raises an
    /// exception.
    open func undoNestedGroup() {
      guard lowestLevel == 0 else { return }
      postCheckpoint()
      for _ in 0..<opened.depth where !opened.endsWithNestedGroup { closeGroup() }
      pending = opened.takeNestedGroup() ?? undoStack.pop()
      perform(.undo)
    }

    /// Ends all open groups and redoes the group that was undone last. Actions that are registered meanwhile become one group
    /// to undo.
    ///
    /// The call is ignored as for ``undo()``; Apple's class raises an exception.
    open func redo() {
      guard lowestLevel == 0 else { return }
      postCheckpoint()
      closeGroups(above: 0)
      pending = redoStack.pop()
      perform(.redo)
    }

    // MARK: Descriptions of the actions

    /// Sets the name of the open group, or when none is open of the last group to undo, for a menu. An empty text removes the
    /// name.
    ///
    /// A group without a name uses the name of the last nested group that has one. Undo passes the name to the group to redo,
    /// and redo passes it back, unless the actions set another.
    open func setActionName(_ actionName: String) {
      setLabel { $0.name = actionName.isEmpty ? nil : actionName }
    }

    /// The name of the group that ``undo()`` undoes; empty when it has none or there is nothing to undo.
    open var undoActionName: String { labels(.undo).name ?? "" }

    /// The name of the group that ``redo()`` redoes; empty when it has none or there is nothing to redo.
    open var redoActionName: String { labels(.redo).name ?? "" }

    /// The title of a menu item that undoes, such as "Undo Typing".
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of a menu item that redoes, such as "Redo Typing".
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of an undo menu item for a name; without the name when it is empty.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a redo menu item for a name; without the name when it is empty.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    /// Sets whether the action that was registered last may be lost, such as one that scrolls.
    ///
    /// It is the last action of the open group, or when none is open of the last group to undo. The redo action that it
    /// registers is not discardable by default.
    open func setActionIsDiscardable(_ discardable: Bool) {
      if opened.depth > 0 {
        opened.setLastActionIsDiscardable(discardable)
      } else {
        undoStack.setLastActionIsDiscardable(discardable)
      }
    }

    /// Whether there is something to undo, and all of its actions are discardable.
    open var undoActionIsDiscardable: Bool { isDiscardable(.undo) }

    /// Whether there is something to redo, and all of its actions are discardable.
    open var redoActionIsDiscardable: Bool { isDiscardable(.redo) }

    /// Attaches a value to the group that ``setActionName(_:)`` names, or removes it if it is `nil`.
    ///
    /// Like the name, outer groups inherit it from nested ones, and undo and redo pass it on.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
      setLabel { $0.values[key] = info }
    }

    /// The value that is attached to the group that ``undo()`` undoes.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
      labels(.undo).values[key]
    }

    /// The value that is attached to the group that ``redo()`` redoes.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
      labels(.redo).values[key]
    }
  }
#endif
