import Foundation
import FoundationSupplements
import Testing

/// Collects the notifications of a manager, by the distinctive part of their names.
private final class Observation {
  private var tokens: [any NSObjectProtocol] = []
  private let trace: Trace

  init(of manager: UndoManager, _ trace: Trace) {
    self.trace = trace
    for name in [
      NSNotification.Name.NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
      .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
      .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
    ] {
      observe(name, manager) {
        let mark = $0.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true ? "!" : ""
        let name = $0.name.rawValue.dropFirst("NSUndoManager".count).dropLast("Notification".count)
        trace.add(name + mark)
      }
    }
  }

  init(_ name: NSNotification.Name, of manager: UndoManager, _ body: @escaping () -> Void) {
    trace = Trace()
    observe(name, manager) { _ in body() }
  }

  private func observe(_ name: NSNotification.Name, _ manager: UndoManager, _ body: @escaping (Notification) -> Void) {
    // The center calls immediately, in the isolation of the poster.
    nonisolated(unsafe) let body = body
    tokens.append(NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { body($0) })
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }
}

@Suite("Undo notifications")
struct UndoNotificationTests {
  private func posted(by manager: UndoManager, _ body: () -> Void) -> [String] {
    let trace = Trace()
    let observation = Observation(of: manager, trace)
    body()
    withExtendedLifetime(observation) {}
    return trace.entries
  }

  @Test("Notification names equal Apple's")
  func names() {
    #expect(NSNotification.Name.NSUndoManagerCheckpoint.rawValue == "NSUndoManagerCheckpointNotification")
    #expect(NSNotification.Name.NSUndoManagerDidRedoChange.rawValue == "NSUndoManagerDidRedoChangeNotification")
    #expect(NSUndoManagerGroupIsDiscardableKey == "NSUndoManagerGroupIsDiscardableKey")
    #expect(NSUndoCloseGroupingRunLoopOrdering == 350_000)
  }

  @Test("Opening and closing a group posts notifications, with checkpoints except at the first opening")
  func groups() {
    let note = Note(.byHand())
    #expect(posted(by: note.manager) { note.manager.beginUndoGrouping() } == ["DidOpenUndoGroup"])
    #expect(posted(by: note.manager) { note.manager.beginUndoGrouping() } == ["Checkpoint", "DidOpenUndoGroup"])
    #expect(posted(by: note.manager) { note.write("a") } == [])
    let closing = ["Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup"]
    #expect(posted(by: note.manager) { note.manager.endUndoGrouping() } == closing)
    #expect(posted(by: note.manager) { note.manager.endUndoGrouping() } == closing)
    #expect(posted(by: note.manager) { note.manager.endUndoGrouping() } == [])
  }

  @Test("Undo and redo post notifications after a checkpoint, and none for the group that they record")
  func changes() {
    let note = Note(.byHand())
    note.write("a")
    #expect(posted(by: note.manager) { note.manager.undo() } == ["Checkpoint", "WillUndoChange", "DidUndoChange"])
    #expect(posted(by: note.manager) { note.manager.undo() } == ["Checkpoint"])
    #expect(posted(by: note.manager) { note.manager.redo() } == ["Checkpoint", "WillRedoChange", "DidRedoChange"])
    #expect(posted(by: note.manager) { note.manager.redo() } == ["Checkpoint"])
    #expect(posted(by: note.manager) { _ = note.manager.canRedo } == ["Checkpoint"])
    #expect(posted(by: note.manager) { _ = note.manager.canUndo } == [])
  }

  @Test("Undo posts the end of the event's group first")
  func eventGroup() {
    let note = Note(UndoManager())
    #expect(posted(by: note.manager) { note.write("a") } == ["DidOpenUndoGroup"])
    let expected = [
      "Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup", "Checkpoint", "WillUndoChange", "DidUndoChange",
    ]
    #expect(posted(by: note.manager) { note.manager.undo() } == expected)
  }

  @Test("The notification of a group's end says whether all its actions are discardable")
  func discardable() {
    let note = Note(.byHand())
    func end(_ body: () -> Void) -> [String] {
      note.manager.beginUndoGrouping()
      body()
      return posted(by: note.manager) { note.manager.endUndoGrouping() }
    }
    let all = end {
      note.write("a")
      note.manager.setActionIsDiscardable(true)
      note.manager.group {
        note.write("b")
        note.manager.setActionIsDiscardable(true)
      }
    }
    #expect(all == ["Checkpoint", "WillCloseUndoGroup!", "DidCloseUndoGroup"])
    let some = end {
      note.write("a")
      note.manager.group {
        note.write("b")
        note.manager.setActionIsDiscardable(true)
      }
    }
    #expect(some == ["Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup"])
    #expect(end {} == ["Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup"])
  }

  @Test("Actions that an observer registers at the checkpoint are undone first")
  func registrationAtCheckpoint() {
    let note = Note(.byHand())
    note.write("a")
    var isDue = true
    let observation = Observation(.NSUndoManagerCheckpoint, of: note.manager) {
      if isDue { note.write("late") }
      isDue = false
    }
    note.manager.undo()
    #expect(note.text == "a" && note.manager.undoCount == 1)
    isDue = true
    #expect(!note.manager.canRedo)
    withExtendedLifetime(observation) {}
  }

  @Test("Queries by an observer of a checkpoint cause no further checkpoint")
  func checkpointAtCheckpoint() {
    let note = Note(.byHand())
    var count = 0
    let observation = Observation(.NSUndoManagerCheckpoint, of: note.manager) {
      count += 1
      _ = note.manager.canRedo
    }
    #expect(!note.manager.canRedo)
    #expect(count == 1)
    withExtendedLifetime(observation) {}
  }

  @Test(
    "Observers may call everything without endless recursion",
    arguments: [
      NSNotification.Name.NSUndoManagerCheckpoint, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
      .NSUndoManagerWillUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidUndoChange,
    ])
  func reentrantObservers(name: NSNotification.Name) {
    let calls: [(Note) -> Void] = [
      { _ = $0.manager.canRedo },
      { $0.manager.removeAllActions() },
      { $0.manager.removeAllActions(withTarget: $0) },
      { $0.write("x") },
      { $0.manager.beginUndoGrouping() },
      { $0.manager.endUndoGrouping() },
      { $0.manager.undoNestedGroup() },
      { $0.manager.undo() },
      { $0.manager.redo() },
    ]
    for byEvent in [true, false] {
      for call in calls {
        let note = Note(UndoManager())
        note.manager.groupsByEvent = byEvent
        var depth = 0
        let observation = Observation(name, of: note.manager) {
          depth += 1
          if depth < 3 { call(note) }
          depth -= 1
        }
        note.write("a")
        note.manager.group {
          note.write("b")
          note.manager.group { note.write("c") }
        }
        note.manager.undoNestedGroup()
        note.manager.redo()
        note.manager.undo()
        note.manager.redo()
        withExtendedLifetime(observation) {}
      }
    }
  }

  @Test("Undo is ignored during the notification of a group's end")
  func undoWhileClosing() {
    let note = Note(.byHand())
    note.write("a")
    let observation = Observation(.NSUndoManagerWillCloseUndoGroup, of: note.manager) { note.manager.undo() }
    note.manager.group { note.write("b") }
    #expect(note.text == "b" && note.manager.undoCount == 2)
    withExtendedLifetime(observation) {}
  }
}
