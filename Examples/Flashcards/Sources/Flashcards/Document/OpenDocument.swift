import Foundation
import SwiftData

/// The one document of the program, and the operations on it.
///
/// Models stay on the main actor. Each operation is one undo step, and is saved when it returns.
@MainActor
final class OpenDocument {
  let document: PersistentDocument
  /// Called after each operation.
  var didChange: () -> Void = {}

  var context: ModelContext { document.modelContext }
  private let undoManager: UndoManager

  /// Opens the document, or makes one with a small sample.
  init(url: URL) throws {
    document =
      FileManager.default.fileExists(atPath: url.path)
      ? try PersistentDocument(openingAt: url, type: .flashcards)
      : try PersistentDocument(creatingAt: url, type: .flashcards) { try Sample.insert(into: $0) }
    // Nil only in a read-only document.
    guard let manager = document.undoManager else { throw DataStoreError.unsupportedFeature }
    undoManager = manager
    undoManager.groupsByEvent = false
    undoManager.levelsOfUndo = 100
  }

  // MARK: Changes

  /// Makes a change that is undone as one step, and saves it.
  ///
  /// When the save fails, the change is rolled back, which also clears the undo stack.
  func change<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    undoManager.beginUndoGrouping()
    undoManager.setActionName(name)
    let value: Value
    do {
      defer { undoManager.endUndoGrouping() }
      value = try body()
    } catch {
      context.rollback()
      throw error
    }
    try saveOrRollBack()
    return value
  }

  private func saveOrRollBack() throws {
    do {
      try context.save()
    } catch {
      context.rollback()
      didChange()
      throw error
    }
    didChange()
  }

  // MARK: Commands

  func undo() throws {
    guard undoManager.canUndo else { return }
    undoManager.undo()
    try saveOrRollBack()
  }

  func redo() throws {
    guard undoManager.canRedo else { return }
    undoManager.redo()
    try saveOrRollBack()
  }

  func save() throws {
    try document.save()
    didChange()
  }

  /// Saves the document and closes it.
  func close() throws {
    try document.close()
  }

  /// The state that the buttons of a page show.
  var state: DocumentState {
    DocumentState(
      undo: undoManager.canUndo ? undoManager.undoMenuItemTitle : nil,
      redo: undoManager.canRedo ? undoManager.redoMenuItemTitle : nil,
      isEdited: document.isEdited)
  }
}

/// The state of a document that a page shows beside its cards.
struct DocumentState: Hashable, Encodable {
  /// The title of the undo button; nil when there is nothing to undo.
  var undo: String?
  var redo: String?
  var isEdited: Bool
}
