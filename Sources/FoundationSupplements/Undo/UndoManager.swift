#if !canImport(Darwin) && !FoundationUndoManager
  public import Foundation

  /// A record of what takes changes back, in the order of the changes.
  ///
  /// Foundation has this class on Apple's systems only. Whoever changes something registers the action that takes the
  /// change back. ``undo()`` performs the actions of the last group, latest first. What they register on their way
  /// makes the group that ``redo()`` performs.
  ///
  /// One manager belongs to one isolation, as a model context does; its newest version in Apple's SDK belongs to the
  /// main actor, and code that is written for that one compiles with this one.
  ///
  /// What differs from Apple's class:
  ///
  /// - A target is held weakly. An action whose target is gone does nothing, where Apple's class stops the program.
  /// - Calls that Apple's class answers with an exception do the nearest sensible thing, as the description of each
  ///   says.
  /// - A group that has no action in it is left out when it ends.
  /// - There are no invocations: `registerUndo(withTarget:selector:object:)` and `prepare(withInvocationTarget:)` need
  ///   the runtime of Objective-C.
  /// - The titles of menu items are in English.
  open class UndoManager: NSObject {
    enum Change {
      case undo
      case redo
    }

    final var undoStack = UndoStack()
    final var redoStack = UndoStack()
    /// The groups that are open. While a change is taken back they are those of the group that records it.
    final var opened = OpenUndoGroups()
    /// The groups that were open when ``undoNestedGroup()`` began to take back one that had ended in them.
    final var suspended = OpenUndoGroups()
    /// What is left of the group that is being undone or redone.
    final var pending: UndoGroup?
    final var change: Change?
    /// The level that must stay open: that of the group that records a change, or whose end is being announced.
    /// Nothing is undone or redone while there is one.
    final var lowestLevel = 0
    final var isAtCheckpoint = false
    final var endOfTurnIsScheduled = false
    /// How often groups have begun and ended: what is registered between two of these is undone together.
    package final var groupChangeCount = 0
    private final var disablings = 0
    /// The highest number that was given to a state.
    final var lastState: UInt64 = 0
    /// The state before the first group that can be undone.
    final var earliestState: UInt64 = 0

    /// A number of what is done and not undone: undo goes back to the number before the change, and redo to the one after
    /// it. Nil while a group is open that has actions.
    package final var stateIdentifier: UInt64? {
      opened.hasActions || suspended.hasActions ? nil : undoStack.last?.state ?? earliestState
    }

    public override init() {
      super.init()
    }

    // MARK: Groups

    /// Whether a group is opened by itself for each turn of the main run loop or main queue. `true` at first.
    ///
    /// The group of an event begins with the first registration, or the first group begun by hand, while no group is
    /// open. Groups begun by hand are nested in it, so they are undone together with all else of the turn. It ends
    ///
    /// - on the main thread or main queue, when what is already waiting on the main queue has had its turn. If a group
    ///   that was begun by hand is open then, the turn in which that one ends counts;
    /// - at the next ``undo()`` or ``redo()``, and at an ``endUndoGrouping()`` while no other group is open.
    ///
    /// Elsewhere than on the main queue, and in a program that runs neither the main queue nor the main run loop, the
    /// latter is all that ends it.
    open var groupsByEvent = true

    /// The modes of the run loop in which Apple's class ends the group of an event. They are kept, but without effect:
    /// the group ends in whatever mode the main queue is served.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// The number of groups at the top level that are kept for undo, and for redo; 0, as it is at first, for no limit.
    ///
    /// The oldest groups give way, at once when the limit is lowered.
    open var levelsOfUndo = 0 {
      didSet { trim() }
    }

    /// The number of groups that are open, one in the other. While a change is undone or redone, these are the group
    /// that records it, which counts as the first, and the ones that the actions begin.
    open var groupingLevel: Int { opened.depth }

    /// Begins a group, nested in the one that is open if there is one.
    ///
    /// With ``groupsByEvent`` the group of the event is opened first when no group is open, which makes two.
    open func beginUndoGrouping() {
      if opened.depth == 0, groupsByEvent { openGroup(forEvent: true) }
      openGroup(forEvent: false)
    }

    /// Ends the group that was begun last, be it the one of the event.
    ///
    /// The call is ignored when no group is open, where Apple's class raises an exception, and when an action is being
    /// undone or redone that has not begun a group itself.
    open func endUndoGrouping() {
      closeGroup()
      endEventGroupLater()
    }

    // MARK: Registration

    /// Whether registrations are taken, rather than ignored.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Ignores registrations until ``enableUndoRegistration()`` is called as many times as this was.
    open func disableUndoRegistration() {
      disablings += 1
    }

    /// Takes one call of ``disableUndoRegistration()`` back.
    ///
    /// The call is ignored when there is none, where Apple's class raises an exception.
    open func enableUndoRegistration() {
      disablings = max(0, disablings - 1)
    }

    /// Forgets all actions and enables registration.
    ///
    /// Groups that are open are gone with what is in them, without a notification, and what is left of an undo or redo
    /// that is under way is not performed.
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

    /// Forgets the actions that were registered with a target, also those yet to come in an undo or redo that is under
    /// way. Groups that have no action left are left out.
    ///
    /// Actions whose targets are gone are forgotten as well, so an object may call this in its `deinit`. The time is
    /// proportional to the number of all actions.
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

    /// Whether there is an action to undo, in a group that has ended or one that is open.
    open var canUndo: Bool { undoCount > 0 }

    /// Whether there is an action to redo. Observers of the checkpoint that this posts may register what they have not
    /// yet registered, which leaves nothing to redo.
    open var canRedo: Bool {
      postCheckpoint()
      return redoCount > 0
    }

    /// How many times ``undo()`` finds something to undo. Open groups with an action in them count as one.
    open var undoCount: Int { undoStack.count + (unfinished(.undo) == nil ? 0 : 1) }

    /// How many times ``redo()`` finds something to redo.
    open var redoCount: Int { redoStack.count + (unfinished(.redo) == nil ? 0 : 1) }

    /// Whether ``undo()`` or ``undoNestedGroup()`` is performing actions, which includes the announcement that it will.
    open var isUndoing: Bool { change == .undo }

    /// Whether ``redo()`` is performing actions, which includes the announcement that it will.
    open var isRedoing: Bool { change == .redo }

    /// Ends all open groups and undoes the last group at the top level.
    ///
    /// Apple's class raises an exception when more than one group is open. The call is ignored while something is
    /// undone or redone, and while the end of a group is being announced.
    open func undo() {
      guard lowestLevel == 0 else { return }
      closeGroups(above: 0)
      undoNestedGroup()
    }

    /// Undoes the last group, be it nested. What its actions register becomes one group to redo.
    ///
    /// While groups are open, this is the group that ended last in the innermost of them, provided that nothing was
    /// registered after it; else the innermost group is ended and undone. Calls are ignored when they are for
    /// ``undo()``; Apple's class raises an exception.
    open func undoNestedGroup() {
      guard lowestLevel == 0 else { return }
      postCheckpoint()
      for _ in 0..<opened.depth where !opened.endsWithNestedGroup { closeGroup() }
      pending = opened.takeNestedGroup() ?? undoStack.pop()
      perform(.undo)
    }

    /// Ends all open groups and redoes the group that was undone last. What its actions register becomes one group to
    /// undo.
    ///
    /// The call is ignored when it is for ``undo()``; Apple's class raises an exception.
    open func redo() {
      guard lowestLevel == 0 else { return }
      postCheckpoint()
      closeGroups(above: 0)
      pending = redoStack.pop()
      perform(.redo)
    }

    // MARK: Descriptions of the actions

    /// Names what the open group does, or when none is open the last group to undo, as a menu is to show it. An empty
    /// text takes the name away.
    ///
    /// A group without a name has that of the last group with one that was nested in it. The name goes over to the
    /// group to redo when the group is undone, and back, unless the actions set another.
    open func setActionName(_ actionName: String) {
      setLabel { $0.name = actionName.isEmpty ? nil : actionName }
    }

    /// The name of what ``undo()`` undoes; empty when it has none or there is nothing to undo.
    open var undoActionName: String { labels(.undo).name ?? "" }

    /// The name of what ``redo()`` redoes; empty when it has none or there is nothing to redo.
    open var redoActionName: String { labels(.redo).name ?? "" }

    /// The title of a menu item that undoes, such as "Undo Typing".
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of a menu item that redoes, such as "Redo Typing".
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu item that undoes what has the name; that of one without a name when it is empty.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item that redoes what has the name; that of one without a name when it is empty.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    /// Sets whether nobody would miss the action that was registered last, such as one that scrolls, if it were lost.
    ///
    /// It is the last action of the open group, or when none is open of the last group to undo. The action to redo that
    /// it registers has its own mark, which is `false` at first.
    open func setActionIsDiscardable(_ discardable: Bool) {
      if opened.depth > 0 {
        opened.setLastActionIsDiscardable(discardable)
      } else {
        undoStack.setLastActionIsDiscardable(discardable)
      }
    }

    /// Whether there is something to undo, and all actions of it are discardable.
    open var undoActionIsDiscardable: Bool { isDiscardable(.undo) }

    /// Whether there is something to redo, and all actions of it are discardable.
    open var redoActionIsDiscardable: Bool { isDiscardable(.redo) }

    /// Attaches a value to the group that ``setActionName(_:)`` names, or takes it away if it is `nil`.
    ///
    /// Like the name it goes over from nested groups to the one around them, and from undo to redo.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
      setLabel { $0.values[key] = info }
    }

    /// The value that is attached to what ``undo()`` undoes.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
      labels(.undo).values[key]
    }

    /// The value that is attached to what ``redo()`` redoes.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
      labels(.redo).values[key]
    }
  }
#endif
