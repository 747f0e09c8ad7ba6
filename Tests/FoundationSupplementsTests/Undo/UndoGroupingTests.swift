import Dispatch
import Foundation
import FoundationSupplements
import Testing

@Suite("Undo groups")
struct UndoGroupingTests {
  private func trace(_ manager: UndoManager, _ trace: Trace, _ entries: String...) {
    for entry in entries { manager.registerUndo(withTarget: trace) { $0.add(entry) } }
  }

  @Test("The actions of a group are undone together in reverse order, including those of nested groups")
  func order() {
    let manager = UndoManager.byHand()
    let log = Trace()
    manager.group {
      trace(manager, log, "1")
      manager.group {
        trace(manager, log, "2", "3")
        manager.group { trace(manager, log, "4") }
      }
      trace(manager, log, "5")
    }
    #expect(manager.undoCount == 1)
    manager.undo()
    #expect(log.entries == ["5", "4", "3", "2", "1"])
  }

  @Test("Explicit groups are counted, and unmatched ends are ignored")
  func levels() {
    let manager = UndoManager.byHand()
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
    manager.beginUndoGrouping()
    manager.beginUndoGrouping()
    #expect(manager.groupingLevel == 2)
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
  }

  @Test("Empty groups are omitted")
  func emptyGroups() {
    let note = Note(.byHand())
    note.manager.group { note.manager.group {} }
    #expect(!note.manager.canUndo)
    note.write("a")
    note.manager.group { note.manager.group {} }
    note.manager.undo()
    #expect(note.text == "")
  }

  @Test("Without groups by event, an action outside of a group is its own group")
  func single() {
    let note = Note(.byHand())
    note.write("a")
    #expect(note.manager.groupingLevel == 0 && note.manager.undoCount == 1)
    note.write("b")
    #expect(note.manager.undoCount == 2)
  }

  @Test("Undo ends all open groups")
  func undoEndsGroups() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.beginUndoGrouping()
    note.write("b")
    #expect(note.manager.canUndo && note.manager.undoCount == 1)
    note.manager.undo()
    #expect(note.text == "" && note.manager.groupingLevel == 0)
    note.manager.redo()
    #expect(note.text == "b")
  }

  @Test("Redo ends all open groups")
  func redoEndsGroups() {
    let note = Note(.byHand())
    note.write("a")
    note.manager.undo()
    note.manager.beginUndoGrouping()
    note.manager.redo()
    #expect(note.text == "a" && note.manager.groupingLevel == 0 && note.manager.undoCount == 1)
  }

  @Test("An ended nested group is undone by itself, and redone into the open group")
  func nested() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.group {
      note.write("b")
      note.manager.group { note.write("c") }
    }
    note.manager.undoNestedGroup()
    #expect(note.text == "a" && note.manager.groupingLevel == 1 && note.manager.redoCount == 1)
    note.manager.redo()
    #expect(note.text == "c" && note.manager.groupingLevel == 0 && note.manager.undoCount == 2)
    note.manager.undo()
    #expect(note.text == "a")
    note.manager.undo()
    #expect(note.text == "")
  }

  @Test("An open nested group is ended and undone")
  func nestedOpen() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.beginUndoGrouping()
    note.manager.group { note.write("b") }
    note.write("c")
    note.manager.undoNestedGroup()
    #expect(note.text == "a" && note.manager.groupingLevel == 1)
    note.manager.undoNestedGroup()
    #expect(note.text == "" && note.manager.groupingLevel == 0)
    #expect(note.manager.redoCount == 2)
  }

  @Test("Without open groups a nested undo is one at the top level")
  func nestedAtTop() {
    let note = Note(.byHand())
    note.manager.group {
      note.write("a")
      note.manager.group { note.write("b") }
    }
    note.manager.undoNestedGroup()
    #expect(note.text == "" && note.manager.redoCount == 1)
  }

  @Test("A hundred thousand nested groups are undone, redone, removed and released")
  func deep() {
    let depth = 100_000
    var note: Note? = Note(.byHand())
    if let note {
      for number in 1...depth {
        note.manager.beginUndoGrouping()
        note.write("\(number)")
      }
      #expect(note.manager.groupingLevel == depth)
      note.manager.removeAllActions(withTarget: Trace())
      for _ in 1...depth { note.manager.endUndoGrouping() }
      #expect(note.manager.undoCount == 1)
      note.manager.undo()
      #expect(note.text == "")
      note.manager.redo()
      #expect(note.text == "\(depth)")
      for _ in 1...depth { note.manager.beginUndoGrouping() }
      note.write("x")
      note.manager.undo()
      #expect(note.text == "\(depth)")
      for _ in 1...depth { note.manager.beginUndoGrouping() }
      note.write("x")
      for _ in 1...depth { note.manager.endUndoGrouping() }
    }
    weak let manager = note?.manager
    note = nil
    #expect(manager == nil)
  }

  @Test("Performed actions may leave groups open and end too many")
  func unbalancedActions() {
    let manager = UndoManager.byHand()
    let note = Note(manager)
    let log = Trace()
    manager.group {
      note.write("a")
      manager.registerUndo(withTarget: note) { _ in
        manager.endUndoGrouping()
        manager.endUndoGrouping()
        log.add("\(manager.groupingLevel)")
        manager.beginUndoGrouping()
        note.write("b")
        manager.beginUndoGrouping()
        log.add("\(manager.groupingLevel)")
      }
    }
    manager.undo()
    #expect(log.entries == ["1", "3"])
    #expect(note.text == "" && manager.groupingLevel == 0 && manager.redoCount == 1)
    manager.redo()
    #expect(note.text == "a" && manager.undoCount == 1)
    manager.removeAllActions()
  }
}

@Suite("Undo groups by event")
struct UndoEventGroupTests {
  @MainActor private func endOfTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test("The registrations of a turn of the main queue are undone together")
  @MainActor func turns() async {
    let note = Note(UndoManager())
    note.write("a")
    note.write("b")
    #expect(note.manager.groupingLevel == 1)
    await endOfTurn()
    #expect(note.manager.groupingLevel == 0)
    note.write("c")
    await endOfTurn()
    #expect(note.manager.undoCount == 2)
    note.manager.undo()
    #expect(note.text == "b")
    note.manager.undo()
    #expect(note.text == "")
  }

  @Test("Explicit groups are nested in the event's group")
  @MainActor func byHandWithin() async {
    let note = Note(UndoManager())
    note.manager.beginUndoGrouping()
    #expect(note.manager.groupingLevel == 2)
    note.write("a")
    note.manager.endUndoGrouping()
    note.manager.group { note.write("b") }
    #expect(note.manager.groupingLevel == 1)
    await endOfTurn()
    #expect(note.manager.groupingLevel == 0 && note.manager.undoCount == 1)
    note.manager.undo()
    #expect(note.text == "")
  }

  @Test("An explicit group keeps the event's group open beyond the turn")
  @MainActor func byHandBeyond() async {
    let note = Note(UndoManager())
    note.manager.beginUndoGrouping()
    note.write("a")
    await endOfTurn()
    #expect(note.manager.groupingLevel == 2)
    note.write("b")
    note.manager.endUndoGrouping()
    #expect(note.manager.groupingLevel == 1)
    await endOfTurn()
    #expect(note.manager.groupingLevel == 0 && note.manager.undoCount == 1)
  }

  @Test("An explicit end closes the event's group")
  @MainActor func endedByHand() async {
    let note = Note(UndoManager())
    note.write("a")
    note.manager.endUndoGrouping()
    note.write("b")
    #expect(note.manager.groupingLevel == 1 && note.manager.undoCount == 2)
    await endOfTurn()
    note.manager.undo()
    #expect(note.text == "a")
  }

  @Test("Undo within the turn ends the group, and later registrations make another one")
  @MainActor func undoWithinTurn() async {
    let note = Note(UndoManager())
    note.write("a")
    note.manager.undo()
    #expect(note.text == "" && note.manager.groupingLevel == 0)
    note.write("b")
    await endOfTurn()
    #expect(note.manager.groupingLevel == 0)
    note.write("c")
    await endOfTurn()
    #expect(note.manager.undoCount == 2)
  }

  @Test("A nested undo leaves the event's group open until the turn ends")
  @MainActor func nestedUndo() async {
    let note = Note(UndoManager())
    note.write("a")
    note.manager.group { note.write("b") }
    note.manager.undoNestedGroup()
    #expect(note.text == "a" && note.manager.groupingLevel == 1)
    await endOfTurn()
    #expect(note.manager.groupingLevel == 0 && note.manager.undoCount == 1 && note.manager.redoCount == 1)
  }

  @Test("The end of the turn does not retain the manager")
  @MainActor func released() async {
    weak var manager: UndoManager?
    do {
      let note = Note(UndoManager())
      manager = note.manager
      note.write("a")
    }
    #expect(manager == nil)
    await endOfTurn()
  }

  @Test("On another queue the group stays open until an undo, or until endEventGroup")
  func elsewhere() async {
    let levels = await Task.detached {
      let note = Note(UndoManager())
      note.write("a")
      await MainActor.run {}
      var levels = [note.manager.groupingLevel]
      note.manager.endEventGroup()
      levels.append(note.manager.groupingLevel)
      note.manager.endEventGroup()
      note.manager.beginUndoGrouping()
      note.write("b")
      note.manager.endEventGroup()
      levels.append(note.manager.groupingLevel)
      note.manager.endUndoGrouping()
      note.manager.endEventGroup()
      levels.append(note.manager.groupingLevel)
      note.manager.undo()
      return levels + [note.text == "a" ? 1 : 0, note.manager.undoCount]
    }.value
    #expect(levels == [1, 0, 2, 0, 1, 1])
  }

  @Test("Groups are not ended for an event if they are explicit only")
  func notByEvent() {
    let note = Note(.byHand())
    note.manager.beginUndoGrouping()
    note.write("a")
    note.manager.endEventGroup()
    #expect(note.manager.groupingLevel == 1)
  }
}
