import Foundation
import FoundationSupplements
import Testing

@Suite("Undo managers that are tracked by their public interface")
struct UndoTrackerTests {
  @Test("A state has a number of its own, which neither undo nor redo returns to")
  func numbers() throws {
    let note = Note(.byHand())
    let tracker = UndoTracker(note.manager)
    var numbers = [try #require(tracker.stateIdentifier)]
    note.manager.group { note.write("a") }
    numbers.append(try #require(tracker.stateIdentifier))
    #expect(tracker.stateIdentifier == numbers.last)
    note.manager.undo()
    numbers.append(try #require(tracker.stateIdentifier))
    note.manager.redo()
    numbers.append(try #require(tracker.stateIdentifier))
    #expect(Set(numbers).count == numbers.count)
    note.manager.beginUndoGrouping()
    #expect(tracker.stateIdentifier == nil)
    note.write("b")
    note.manager.removeAllActions()
    #expect(try !numbers.contains(#require(tracker.stateIdentifier)))
  }

  @Test("Groups that begin or end, undo and redo change the count of groups")
  func groupChanges() {
    let note = Note(.byHand())
    let tracker = UndoTracker(note.manager)
    var counts = [tracker.groupChangeCount]
    note.manager.beginUndoGrouping()
    counts.append(tracker.groupChangeCount)
    note.write("a")
    #expect(tracker.groupChangeCount == counts.last)
    note.manager.endUndoGrouping()
    counts.append(tracker.groupChangeCount)
    note.manager.undo()
    counts.append(tracker.groupChangeCount)
    note.manager.redo()
    counts.append(tracker.groupChangeCount)
    #expect(Set(counts).count == counts.count)
  }

  @Test("The group of an event ends when the tracker ends it, and a group begun by hand does not")
  func eventGroup() async {
    let levels = await Task.detached {
      let note = Note(UndoManager())
      let tracker = UndoTracker(note.manager)
      note.write("a")
      tracker.endEventGroup()
      var levels = [note.manager.groupingLevel]
      note.manager.beginUndoGrouping()
      tracker.endEventGroup()
      levels.append(note.manager.groupingLevel)
      return levels
    }.value
    #expect(levels == [0, 2])
  }

  @Test("A tracker keeps no manager once it is released")
  func released() {
    weak var manager: UndoManager?
    do {
      let note = Note(.byHand())
      manager = note.manager
      let tracker = UndoTracker(note.manager)
      note.manager.group { note.write("a") }
      #expect(tracker.stateIdentifier != nil)
    }
    #expect(manager == nil)
  }
}
