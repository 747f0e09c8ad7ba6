import Foundation
import FoundationSupplements
import Testing

@Suite("Descriptions of undo")
struct UndoDescriptionTests {
  private let key = UndoManager.UserInfoKey("key")

  @Test("The titles of menu items have the name of the action")
  func titles() {
    let note = Note(.byHand())
    #expect(note.manager.undoMenuItemTitle == "Undo" && note.manager.redoMenuItemTitle == "Redo")
    #expect(note.manager.undoMenuTitle(forUndoActionName: "Typing") == "Undo Typing")
    #expect(note.manager.redoMenuTitle(forUndoActionName: "Typing") == "Redo Typing")
    #expect(note.manager.undoMenuTitle(forUndoActionName: "") == "Undo")
    #expect(note.manager.redoMenuTitle(forUndoActionName: "") == "Redo")
    note.write("a")
    note.manager.setActionName("Typing")
    #expect(note.manager.undoMenuItemTitle == "Undo Typing" && note.manager.redoMenuItemTitle == "Redo")
    note.manager.undo()
    #expect(note.manager.undoMenuItemTitle == "Undo" && note.manager.redoMenuItemTitle == "Redo Typing")
  }

  @Test("Names and values move to redo and back with their groups")
  func throughUndoAndRedo() {
    let note = Note(.byHand())
    for name in ["One", "Two"] {
      note.write(name)
      note.manager.setActionName(name)
      note.manager.setActionUserInfoValue(name.count, forKey: key)
    }
    note.manager.undo()
    #expect(note.manager.undoActionName == "One" && note.manager.redoActionName == "Two")
    #expect(note.manager.undoActionUserInfoValue(forKey: key) as? Int == 3)
    #expect(note.manager.redoActionUserInfoValue(forKey: key) as? Int == 3)
    note.manager.undo()
    #expect(note.manager.undoActionName == "" && note.manager.redoActionName == "One")
    note.manager.redo()
    note.manager.redo()
    #expect(note.manager.undoActionName == "Two" && note.manager.redoActionName == "")
    #expect(note.manager.redoActionUserInfoValue(forKey: key) == nil)
  }

  @Test("A name belongs to the open group, and an empty one removes it")
  func openGroup() {
    let note = Note(UndoManager())
    note.write("a")
    note.manager.setActionName("Typing")
    #expect(note.manager.groupingLevel == 1 && note.manager.undoActionName == "Typing")
    note.manager.setActionName("")
    #expect(note.manager.undoActionName == "")
    note.manager.setActionName("Typing")
    note.manager.endUndoGrouping()
    note.manager.setActionName("Writing")
    #expect(note.manager.undoActionName == "Writing")
    note.manager.setActionUserInfoValue(1, forKey: key)
    note.manager.setActionUserInfoValue(nil, forKey: key)
    #expect(note.manager.undoActionUserInfoValue(forKey: key) == nil)
  }

  @Test("A nested group's name becomes the outer group's unless that has its own")
  func nestedNames() {
    let note = Note(.byHand())
    func nested(_ name: String) {
      note.manager.group {
        note.write(name)
        note.manager.setActionName(name)
        note.manager.setActionUserInfoValue(name, forKey: key)
      }
    }
    note.manager.beginUndoGrouping()
    note.manager.beginUndoGrouping()
    note.write("x")
    note.manager.setActionName("Inner")
    #expect(note.manager.undoActionName == "Inner")
    note.manager.endUndoGrouping()
    nested("Last")
    note.manager.endUndoGrouping()
    #expect(note.manager.undoActionName == "Last")
    #expect(note.manager.undoActionUserInfoValue(forKey: key) as? String == "Last")

    note.manager.group {
      note.manager.setActionName("Own")
      nested("Inner")
    }
    #expect(note.manager.undoActionName == "Own")
    #expect(note.manager.undoActionUserInfoValue(forKey: key) as? String == "Inner")
  }

  @Test("A nested group that is undone by itself keeps its name")
  func nestedUndo() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.setActionName("Outer")
    note.manager.group {
      note.write("b")
      note.manager.setActionName("Inner")
    }
    note.manager.undoNestedGroup()
    #expect(note.manager.undoActionName == "Outer" && note.manager.redoActionName == "Inner")
  }

  @Test("A performed action may rename the group that it registers")
  func namedWhileUndoing() {
    let manager = UndoManager.byHand()
    let note = Note(manager)
    manager.group {
      manager.registerUndo(withTarget: note) {
        $0.write("b")
        $0.manager.setActionName("Other")
      }
      manager.setActionName("One")
    }
    manager.undo()
    #expect(manager.redoActionName == "Other" && manager.undoActionName == "")
  }

  @Test("A group is discardable if the last mark of each of its actions is")
  func discardable() {
    let note = Note(.byHand())
    note.manager.setActionIsDiscardable(true)
    #expect(!note.manager.undoActionIsDiscardable && !note.manager.redoActionIsDiscardable)
    note.write("a")
    #expect(!note.manager.undoActionIsDiscardable)
    note.manager.setActionIsDiscardable(true)
    note.manager.setActionIsDiscardable(true)
    #expect(note.manager.undoActionIsDiscardable)
    note.manager.setActionIsDiscardable(false)
    #expect(!note.manager.undoActionIsDiscardable)
    note.manager.group {
      note.write("a")
      note.manager.group {
        note.manager.group { note.write("b") }
        note.manager.setActionIsDiscardable(true)
      }
      #expect(!note.manager.undoActionIsDiscardable)
    }
    #expect(!note.manager.undoActionIsDiscardable)
    note.manager.undo()
    #expect(!note.manager.redoActionIsDiscardable)
  }

  @Test("A performed action may mark the action it registers")
  func discardableRedo() {
    let manager = UndoManager.byHand()
    let log = Trace()
    func scroll() {
      manager.registerUndo(withTarget: log) { _ in scroll() }
      manager.setActionIsDiscardable(true)
    }
    scroll()
    manager.undo()
    #expect(manager.redoActionIsDiscardable && !manager.undoActionIsDiscardable)
    manager.redo()
    #expect(manager.undoActionIsDiscardable)
    manager.removeAllActions()
  }

  @Test("Undoing a nested non-discardable group by itself can make the outer group discardable")
  func discardableAfterNestedUndo() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.setActionIsDiscardable(true)
    note.manager.group { note.write("b") }
    #expect(!note.manager.undoActionIsDiscardable)
    note.manager.undoNestedGroup()
    #expect(note.manager.undoActionIsDiscardable)
  }

  @Test("Removing a target's actions leaves a group discardable if the other actions are")
  func discardableWithoutTarget() {
    let manager = UndoManager.byHand()
    let note = Note(manager)
    let view = Trace()
    manager.group {
      manager.group { note.write("a") }
      manager.registerUndo(withTarget: view) { _ in }
      manager.setActionIsDiscardable(true)
    }
    #expect(!manager.undoActionIsDiscardable)
    manager.removeAllActions(withTarget: note)
    #expect(manager.undoActionIsDiscardable)
  }
}
