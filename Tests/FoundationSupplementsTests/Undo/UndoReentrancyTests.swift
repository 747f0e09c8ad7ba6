import Foundation
import FoundationSupplements
import Testing

@Suite("Undo called from actions")
struct UndoReentrancyTests {
  private func undo(_ count: Int = 1, with action: @escaping (UndoManager, Note) -> Void) -> (UndoManager, Note) {
    let manager = UndoManager.byHand()
    let note = Note(manager)
    note.write("first")
    manager.group {
      note.write("a")
      manager.registerUndo(withTarget: note) { action($0.manager, $0) }
      note.write("b")
    }
    for _ in 0..<count { manager.undo() }
    return (manager, note)
  }

  @Test("Undo and redo called by an action are ignored")
  func undoWithinUndo() {
    let (manager, note) = undo { manager, _ in
      manager.undo()
      manager.redo()
      manager.undoNestedGroup()
      manager.endEventGroup()
    }
    #expect(note.text == "first" && manager.undoCount == 1 && manager.redoCount == 1)
    manager.redo()
    #expect(note.text == "b")
  }

  @Test("Removing all actions from an action ends the undo")
  func removeAll() {
    let (manager, note) = undo { manager, _ in manager.removeAllActions() }
    #expect(note.text == "a" && !manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
    note.write("c")
    manager.undo()
    #expect(note.text == "a")
  }

  @Test("Removing a target's actions from an action keeps the other actions")
  func removeTarget() {
    let (manager, note) = undo { $0.removeAllActions(withTarget: $1) }
    #expect(note.text == "a" && !manager.canUndo && !manager.canRedo)
  }

  @Test("`levelsOfUndo` can be set from an action")
  func limit() {
    let (manager, note) = undo { manager, _ in manager.levelsOfUndo = 1 }
    #expect(note.text == "first" && manager.undoCount == 1 && manager.redoCount == 1)
  }

  @Test("A target may be released while its group is undone")
  func releasedTarget() {
    let manager = UndoManager.byHand()
    let log = Trace()
    var target: Note? = Note(manager)
    manager.group {
      if let target { manager.registerUndo(withTarget: target) { _ in log.add("performed") } }
      manager.registerUndo(withTarget: log) { _ in target = nil }
    }
    manager.undo()
    #expect(log.entries.isEmpty)
  }

  @Test("The manager may be released from an action")
  func releasedManager() {
    final class Owner {
      var manager: UndoManager? = .byHand()
      var count = 0
    }
    let owner = Owner()
    weak let manager = owner.manager
    owner.manager?.group {
      owner.manager?.registerUndo(withTarget: owner) { $0.count += 1 }
      owner.manager?.registerUndo(withTarget: owner) { $0.manager = nil }
    }
    owner.manager?.undo()
    #expect(owner.count == 1 && manager == nil)
  }

  @Test("Objects released with actions and values may call the manager")
  func callsFromDeinitializers() {
    let manager = UndoManager.byHand()
    let note = Note(manager)
    var made = 0
    var gone = 0
    func released() -> Released {
      made += 1
      return Released { [unowned manager] in
        gone += 1
        manager.removeAllActions(withTarget: note)
        _ = manager.canRedo
        manager.setActionName("x")
        manager.setActionIsDiscardable(true)
        manager.levelsOfUndo = 2
      }
    }
    func register() {
      let held = released()
      manager.registerUndo(withTarget: manager) { _ in withExtendedLifetime(held) {} }
    }
    let key = UndoManager.UserInfoKey("key")
    for _ in 0..<5 { register() }
    manager.undo()
    register()
    for _ in 0..<3 {
      manager.group {
        manager.setActionUserInfoValue(released(), forKey: key)
        manager.group {
          register()
          manager.setActionUserInfoValue(released(), forKey: key)
          manager.setActionUserInfoValue(released(), forKey: key)
        }
        manager.group {
          register()
          manager.setActionUserInfoValue(released(), forKey: key)
        }
        manager.setActionUserInfoValue(nil, forKey: key)
      }
      manager.setActionUserInfoValue(released(), forKey: key)
      manager.setActionUserInfoValue(nil, forKey: key)
      manager.beginUndoGrouping()
      manager.group { register() }
      manager.undoNestedGroup()
      manager.undo()
    }
    register()
    manager.levelsOfUndo = 1
    manager.removeAllActions(withTarget: manager)
    register()
    manager.removeAllActions()
    #expect(made > 20 && gone == made)
  }

  @Test("A deinitializer may remove its object's actions")
  func removalInDeinitializer() {
    final class Target {
      let manager: UndoManager

      init(_ manager: UndoManager) {
        self.manager = manager
      }

      deinit { manager.removeAllActions(withTarget: self) }
    }
    let manager = UndoManager.byHand()
    var target: Target? = Target(manager)
    if let target { manager.registerUndo(withTarget: target) { _ in } }
    #expect(manager.canUndo)
    target = nil
    #expect(!manager.canUndo)
  }
}
