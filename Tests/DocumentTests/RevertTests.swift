import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Reverting documents")
@MainActor
struct RevertTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func endTurn() async {
    await MainQueue.turn()
    await MainQueue.turn()
  }

  @Test("Revert discards autosaved changes", arguments: [DocumentType.note, .notebook])
  func automatic(type: DocumentType) async throws {
    let url = folder.file("First.\(type.filenameExtension)")
    let document = try PersistentDocument(creatingAt: url, type: type) { $0.insert(Note(text: "a")) }
    document.insert("b")
    try document.save()
    for text in ["c", "d"] {
      document.insert(text)
      await endTurn()
    }
    document.insert("unsaved")
    let context = document.modelContext
    try document.revert()
    #expect(document.modelContext !== context)
    #expect(try document.texts == ["a", "b"])
    #expect(!document.isEdited)
    #expect(document.undoManager?.canUndo == false)
    document.insert("e")
    await endTurn()
    try document.revert()
    #expect(try document.texts == ["a", "b"])
    try document.close()
    #expect(try FileManager.default.names(in: folder.url) == [url.lastPathComponent])
    let opened = try PersistentDocument(openingAt: url, type: type)
    #expect(try opened.texts == ["a", "b"])
    try opened.close()
  }

  @Test("Reverting unsaved changes keeps the context")
  func unsaved() throws {
    let document = try PersistentDocument(creatingAt: folder.file("First.note"), type: .note) {
      $0.insert(Note(text: "a"))
    }
    let context = document.modelContext
    document.insert("b")
    try document.revert()
    #expect(document.modelContext === context)
    #expect(try document.texts == ["a"])
    #expect(!document.isEdited)
    try document.revert()
    try document.close()
  }

  @Test("Revert restores large values")
  func largeValues() async throws {
    let url = folder.file("First.album")
    let document = try PersistentDocument(creatingAt: url, type: .album) {
      $0.insert(Photo(name: "a", image: largeValue(1)))
      $0.insert(Photo(name: "b", image: largeValue(2)))
    }
    let photos = try document.photos
    photos[0].image = largeValue(3)
    document.modelContext.delete(photos[1])
    await endTurn()
    document.modelContext.insert(Photo(name: "c", image: largeValue(4)))
    await endTurn()
    #expect(!document.modelContext.hasChanges)
    try document.revert()
    #expect(try document.photos.map(\.image) == [largeValue(1), largeValue(2)])
    try document.close()
    let files = url.appendingPathComponent(".Contents.store_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.names(in: files).count == 2)
  }

  @Test("Revert discards saves of a transaction, a batch deletion and another context")
  func otherSaves() async throws {
    let document = try PersistentDocument(creatingAt: folder.file("First.note"), type: .note) {
      $0.insert(Note(text: "a"))
    }
    try document.modelContext.transaction { document.insert("b") }
    try document.modelContext.delete(model: Note.self)
    try document.modelContext.save()
    let context = ModelContext(document.modelContainer)
    context.insert(Note(text: "c"))
    try context.save()
    #expect(try document.texts == ["c"])
    try document.revert()
    #expect(try document.texts == ["a"])
    try document.close()
  }

  @Test("Without keepsLastSave only unsaved changes are reverted")
  func withoutLastSave() async throws {
    var type = DocumentType.note
    type.keepsLastSave = false
    let document = try PersistentDocument(creatingAt: folder.file("First.note"), type: type)
    document.insert("a")
    try document.revert()
    #expect(try document.texts == [])
    document.insert("b")
    await endTurn()
    #expect(throws: DataStoreError.unsupportedFeature) { try document.revert() }
    #expect(try document.texts == ["b"])
    try document.close()
  }

  @Test("Revert is refused while the document is open elsewhere, and changes nothing")
  func shared() async throws {
    let url = folder.file("First.note")
    let document = try PersistentDocument(creatingAt: url, type: .note)
    document.insert("a")
    await endTurn()
    let other = try PersistentDocument(openingAt: url, type: .note)
    #expect(throws: SwiftDataError.documentInUse) { try document.revert() }
    #expect(try document.texts == ["a"])
    try other.close()
    try document.revert()
    #expect(try document.texts == [])
    try document.close()
  }
}
