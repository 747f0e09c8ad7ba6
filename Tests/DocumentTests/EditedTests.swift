import Foundation
import Observation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("`isEdited` of a document")
@MainActor
struct EditedTests {
  private let folder: TemporaryFolder
  private let document: PersistentDocument

  init() throws {
    folder = try TemporaryFolder()
    document = try PersistentDocument(creatingAt: folder.file("First.note"), type: .note) {
      $0.insert(Note(text: "a"))
    }
  }

  /// Ends the undo group of the event, and lets the context save.
  private func endTurn() async {
    await MainQueue.turn()
    await MainQueue.turn()
  }

  @Test("An autosaved change keeps the document edited until it is saved explicitly")
  func autosave() async throws {
    document.insert("b")
    #expect(document.isEdited)
    await endTurn()
    #expect(!document.modelContext.hasChanges)
    #expect(document.isEdited)
    try document.save()
    #expect(!document.isEdited)
    try document.close()
  }

  @Test("Undoing back to the last save clears isEdited, and redoing sets it", arguments: [true, false])
  func undo(isAutosaved: Bool) async throws {
    document.modelContext.autosaveEnabled = isAutosaved
    let note = try #require(try document.modelContext.fetch(FetchDescriptor<Note>()).first)
    note.text = "b"
    await endTurn()
    note.text = "c"
    await endTurn()
    document.undoManager?.undo()
    #expect(document.isEdited)
    document.undoManager?.undo()
    #expect(!document.isEdited)
    await endTurn()
    #expect(!document.isEdited)
    document.undoManager?.redo()
    #expect(document.isEdited)
    try document.save()
    #expect(!document.isEdited)
    document.undoManager?.undo()
    #expect(document.isEdited)
    document.undoManager?.redo()
    #expect(!document.isEdited)
    await endTurn()
    #expect(!document.isEdited)
    try document.close()
  }

  @Test("Another change after an undo beyond the last save keeps the document edited")
  func branch() async throws {
    document.insert("b")
    await endTurn()
    try document.save()
    document.undoManager?.undo()
    await endTurn()
    document.insert("c")
    await endTurn()
    #expect(document.isEdited)
    document.undoManager?.undo()
    #expect(document.isEdited)
    document.undoManager?.undo()
    #expect(document.isEdited)
    try document.close()
  }

  @Test("Another context's save sets isEdited and notifies observers")
  func otherContext() async throws {
    let isNotified = Mutex(false)
    withObservationTracking {
      _ = document.isEdited
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    let context = ModelContext(document.modelContainer)
    context.insert(Note(text: "b"))
    try context.save()
    #expect(document.isEdited)
    #expect(isNotified.withLock { $0 })
    try document.save()
    #expect(!document.isEdited)
    try document.close()
  }

  @Test("Observers of isEdited are notified of changes, undo and saves")
  func observers() async throws {
    let count = Mutex(0)
    func observe() {
      withObservationTracking {
        _ = document.isEdited
      } onChange: {
        count.withLock { $0 += 1 }
      }
    }
    observe()
    document.insert("b")
    await endTurn()
    #expect(count.withLock { $0 } == 1)
    observe()
    document.undoManager?.undo()
    #expect(count.withLock { $0 } == 2)
    document.undoManager?.redo()
    observe()
    try document.save()
    #expect(count.withLock { $0 } == 3)
    try document.close()
  }

  @Test("A document is edited exactly when its text differs from the explicitly saved one")
  func random() throws {
    var random = SeededGenerator(seed: TestOptions.seed)
    let note = try #require(try document.modelContext.fetch(FetchDescriptor<Note>()).first)
    let manager = try #require(document.undoManager)
    manager.groupsByEvent = false
    manager.levelsOfUndo = 20
    var saved = note.text
    for number in 0..<1000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: note.text = "\(number)"
      case 3..<6: manager.undo()
      case 6..<8: manager.redo()
      case 8: try document.modelContext.save()
      default:
        try document.save()
        saved = note.text
      }
      #expect(document.isEdited == (note.text != saved), "after step \(number) with the seed \(TestOptions.seed)")
    }
    try document.close()
  }

  @Test("A save inside an undo group leaves the document edited until it is saved after the group")
  func saveInGroup() throws {
    let manager = try #require(document.undoManager)
    manager.beginUndoGrouping()
    document.insert("b")
    try document.save()
    document.insert("c")
    #expect(document.isEdited)
    manager.endUndoGrouping()
    #expect(document.isEdited)
    try document.save()
    #expect(!document.isEdited)
    try document.close()
  }

  @Test("A document stays edited after undoing as far as levelsOfUndo permits")
  func levels() async throws {
    document.undoManager?.levelsOfUndo = 2
    try document.save()
    for text in ["b", "c", "d", "e"] {
      document.insert(text)
      await endTurn()
    }
    document.undoManager?.undo()
    document.undoManager?.undo()
    #expect(document.undoManager?.canUndo == false)
    #expect(document.isEdited)
    try document.close()
  }
}
