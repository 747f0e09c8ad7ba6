import Foundation
import FoundationSupplements
import Testing

@Suite("Undo and redo")
struct UndoManagerTests {
  @Test("A new manager has nothing to undo and Apple's default values")
  func defaults() {
    let manager = UndoManager()
    #expect(!manager.canUndo && !manager.canRedo)
    #expect(manager.undoCount == 0 && manager.redoCount == 0)
    #expect(!manager.isUndoing && !manager.isRedoing)
    #expect(manager.isUndoRegistrationEnabled)
    #expect(manager.groupsByEvent)
    #expect(manager.groupingLevel == 0 && manager.levelsOfUndo == 0)
    #expect(manager.runLoopModes == [.default])
    #expect(manager.undoActionName == "" && manager.redoActionName == "")
    manager.undo()
    manager.redo()
    manager.undoNestedGroup()
    #expect(!manager.canUndo && !manager.canRedo)
  }

  @Test("A change can be undone and redone any number of times")
  func backAndForth() {
    let note = Note(.byHand())
    note.write("a")
    note.write("b")
    for _ in 0..<3 {
      #expect(note.manager.undoCount == 2 && !note.manager.canRedo)
      note.manager.undo()
      #expect(note.text == "a" && note.manager.redoCount == 1)
      note.manager.undo()
      #expect(note.text == "" && !note.manager.canUndo && note.manager.redoCount == 2)
      note.manager.redo()
      #expect(note.text == "a")
      note.manager.redo()
      #expect(note.text == "b")
    }
  }

  @Test("A new registration removes what could be redone")
  func redoIsForgotten() {
    let note = Note(.byHand())
    note.write("a")
    note.manager.undo()
    #expect(note.manager.canRedo)
    note.write("c")
    #expect(!note.manager.canRedo)
    note.manager.redo()
    #expect(note.text == "c")
  }

  @Test("The manager reports whether it is undoing or redoing")
  func states() {
    let manager = UndoManager.byHand()
    let trace = Trace()
    func register() {
      manager.registerUndo(withTarget: trace) { [unowned manager] in
        $0.add("\(manager.isUndoing) \(manager.isRedoing) \(manager.groupingLevel)")
        register()
      }
    }
    register()
    manager.undo()
    manager.redo()
    #expect(trace.entries == ["true false 1", "false true 1"])
    #expect(!manager.isUndoing && !manager.isRedoing)
    manager.removeAllActions()
  }

  @Test("Registrations are ignored until enabling balances disabling")
  func disabling() {
    let note = Note(.byHand())
    note.manager.enableUndoRegistration()
    note.manager.disableUndoRegistration()
    note.manager.disableUndoRegistration()
    note.write("a")
    note.manager.enableUndoRegistration()
    #expect(!note.manager.isUndoRegistrationEnabled)
    note.write("b")
    #expect(!note.manager.canUndo)
    note.manager.enableUndoRegistration()
    #expect(note.manager.isUndoRegistrationEnabled)
    note.write("c")
    note.manager.undo()
    #expect(note.text == "b")
  }

  @Test("Changes undone while registration is disabled cannot be redone")
  func undoWhileDisabled() {
    let note = Note(.byHand())
    note.write("a")
    note.manager.disableUndoRegistration()
    note.manager.undo()
    #expect(note.text == "" && !note.manager.canUndo && !note.manager.canRedo)
  }

  @Test("`levelsOfUndo` removes the oldest groups, and at once when it is lowered", arguments: [1, 2, 5, 50])
  func levels(limit: Int) {
    let note = Note(.byHand())
    note.manager.levelsOfUndo = limit
    for number in 1...200 { note.write("\(number)") }
    #expect(note.manager.undoCount == limit)
    for _ in 0..<limit { note.manager.undo() }
    #expect(note.text == "\(200 - limit)" && !note.manager.canUndo)
    #expect(note.manager.redoCount == limit)
    note.manager.levelsOfUndo = 1
    #expect(note.manager.redoCount == 1)
    note.manager.levelsOfUndo = 0
    for number in 1...200 { note.write("\(number)") }
    #expect(note.manager.undoCount == 200)
    note.manager.levelsOfUndo = limit
    #expect(note.manager.undoCount == limit)
    note.manager.undo()
    #expect(note.text == "199")
  }

  @Test("Removing all actions leaves nothing, and enables registration")
  func removeAll() {
    let note = Note(UndoManager())
    note.manager.disableUndoRegistration()
    note.manager.beginUndoGrouping()
    note.manager.removeAllActions()
    #expect(note.manager.isUndoRegistrationEnabled && note.manager.groupingLevel == 0)
    note.write("a")
    note.manager.undo()
    note.write("b")
    note.manager.removeAllActions()
    #expect(!note.manager.canUndo && !note.manager.canRedo)
    note.manager.undo()
    #expect(note.text == "b")
  }

  @Test("Removing a target's actions keeps those of other targets")
  func removeTarget() {
    let manager = UndoManager.byHand()
    let kept = Note(manager)
    let forgotten = Note(manager)
    manager.group {
      manager.group { forgotten.write("1") }
      kept.write("1")
      manager.group {
        forgotten.write("2")
        kept.write("2")
      }
      forgotten.write("3")
    }
    forgotten.write("4")
    manager.undo()
    #expect(forgotten.text == "3" && manager.redoCount == 1 && manager.undoCount == 1)
    manager.removeAllActions(withTarget: forgotten)
    #expect(manager.redoCount == 0 && manager.undoCount == 1)
    manager.undo()
    #expect(kept.text == "" && forgotten.text == "3")
    manager.redo()
    #expect(kept.text == "2")
  }

  @Test("Removing a target's actions empties open groups and leaves them open")
  func removeTargetOfOpenGroup() {
    let note = Note(.byHand())
    let other = Note(note.manager)
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.beginUndoGrouping()
    other.write("x")
    note.write("b")
    note.manager.removeAllActions(withTarget: note)
    #expect(note.manager.groupingLevel == 2 && note.manager.canUndo)
    note.manager.endUndoGrouping()
    note.manager.endUndoGrouping()
    note.manager.undo()
    #expect(note.text == "b" && other.text == "")
    note.manager.beginUndoGrouping()
    note.write("c")
    note.manager.removeAllActions(withTarget: note)
    #expect(!note.manager.canUndo)
    note.manager.endUndoGrouping()
    #expect(!note.manager.canUndo)
  }

  @Test("An action whose target was released does nothing")
  func deletedTarget() {
    let manager = UndoManager.byHand()
    let kept = Note(manager)
    var gone: Note? = Note(manager)
    let trace = Trace()
    manager.group {
      kept.write("a")
      if let gone { manager.registerUndo(withTarget: gone) { _ in trace.add("performed") } }
    }
    weak let reference = gone
    gone = nil
    #expect(reference == nil)
    manager.undo()
    #expect(kept.text == "" && trace.entries.isEmpty)
  }

  @Test("The manager retains no targets, and nothing outlives it")
  func leaks() {
    weak var manager: UndoManager?
    weak var note: Note?
    weak var captured: Trace?
    do {
      let made = UndoManager()
      let target = Note(made)
      let trace = Trace()
      manager = made
      note = target
      captured = trace
      target.write("a")
      made.setActionUserInfoValue(trace, forKey: .init("trace"))
      made.registerUndo(withTarget: target) { _ in trace.add("") }
      made.undo()
      made.redo()
      made.beginUndoGrouping()
      made.registerUndo(withTarget: target) { _ in trace.add("") }
      #expect(captured != nil)
    }
    #expect(manager == nil && note == nil && captured == nil)
  }

  @Test("A million registrations can be undone as one group and redone")
  func manyActions() {
    let note = Note(UndoManager())
    let start = ContinuousClock.now
    for number in 1...1_000_000 { note.write(number.isMultiple(of: 2) ? "a" : "b") }
    note.manager.undo()
    #expect(note.text == "" && !note.manager.canUndo)
    note.manager.redo()
    #expect(note.text == "a")
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test("A subclass sees the calls and can refuse them")
  func subclass() {
    final class Refusing: UndoManager {
      override func undo() {}
      override func undoMenuTitle(forUndoActionName actionName: String) -> String { "<\(actionName)>" }
    }
    let note = Note(Refusing())
    note.write("a")
    note.manager.setActionName("Write")
    note.manager.undo()
    #expect(note.text == "a" && note.manager.undoMenuItemTitle == "<Write>")
  }

  @Test("Code on the main actor registers actions of its isolation")
  @MainActor func mainActor() {
    @MainActor final class Model {
      var value = 0
      let manager = UndoManager()

      func set(_ new: Int) {
        let old = value
        value = new
        manager.registerUndo(withTarget: self) { $0.set(old) }
      }
    }
    let model = Model()
    model.set(1)
    model.manager.undo()
    #expect(model.value == 0)
    model.manager.redo()
    #expect(model.value == 1)
  }
}
