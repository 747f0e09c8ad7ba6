import Foundation
import Observation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Documents that other programs use, move or delete")
@MainActor
struct SharedDocumentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ type: DocumentType, _ texts: String...) throws -> PersistentDocument {
    try PersistentDocument(creatingAt: folder.file("First.\(type.filenameExtension)"), type: type) {
      for text in texts { $0.insert(Note(text: text)) }
    }
  }

  @Test("Two documents of one file show each other's saves")
  func shared() async throws {
    let one = try make(.note)
    let two = try PersistentDocument(openingAt: one.fileURL, type: .note)
    one.insert("a")
    try one.save()
    #expect(try await comesTrue { try two.texts == ["a"] })
    // The other document has saved it.
    #expect(!two.isEdited)
    two.insert("b")
    try two.save()
    #expect(try await comesTrue { try one.texts == ["a", "b"] })
    try one.close()
    #expect(try two.texts == ["a", "b"])
    try two.close()
    #expect(try FileManager.default.names(in: folder.url) == ["First.note"])
  }

  @Test(
    "A document that is open exclusively is refused to other editors and viewers",
    arguments: [DocumentType.note, .notebook])
  func exclusive(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    let document = try PersistentDocument(creatingAt: url, type: type, for: .exclusiveEditing)
    for access in [PersistentDocument.Access.editing, .exclusiveEditing, .viewing] {
      #expect(throws: SwiftDataError.documentInUse) { try PersistentDocument(openingAt: url, type: type, for: access) }
    }
    document.insert("a")
    try document.close()
    let shared = try PersistentDocument(openingAt: url, type: type)
    #expect(throws: SwiftDataError.documentInUse) {
      try PersistentDocument(openingAt: url, type: type, for: .exclusiveEditing)
    }
    #expect(try shared.texts == ["a"])
    try shared.close()
  }

  @Test(
    "A document that is being viewed cannot be reverted, moved or erased", arguments: [DocumentType.note, .notebook])
  func viewed(type: DocumentType) throws {
    let document = try make(type)
    let viewer = try PersistentDocument(openingAt: document.fileURL, type: type, for: .viewing)
    document.insert("a")
    try document.modelContext.save()
    #expect(throws: SwiftDataError.documentInUse) { try document.revert() }
    #expect(throws: SwiftDataError.documentInUse) {
      try document.move(to: folder.file("Second.\(type.filenameExtension)"))
    }
    #expect(throws: SwiftDataError.documentInUse) { try document.erase() }
    #expect(try viewer.texts == ["a"])
    try viewer.close()
    document.insert("b")
    try document.move(to: folder.file("Second.\(type.filenameExtension)"))
    #expect(try document.texts == ["a", "b"])
    try document.erase()
  }

  @Test("A document that another program reads cannot be moved, and loses nothing")
  func foreignReader() throws {
    let document = try make(.note, "a")
    let url = document.fileURL
    try StoreFiles.reading(at: url) {
      document.insert("b")
      #expect(throws: SwiftDataError.documentInUse) { try document.move(to: folder.file("Second.note")) }
    }
    #expect(document.fileURL == url)
    #expect(try document.texts == ["a", "b"])
    try document.move(to: folder.file("Second.note"))
    #expect(try document.texts == ["a", "b"])
    try document.close()
  }

  @Test("A document of an earlier version is not migrated while it is open elsewhere")
  func migratedByOthers() throws {
    let url = folder.file("First.album")
    let former = try PersistentDocument(creatingAt: url, type: .formerAlbum)
    #expect(throws: SwiftDataError.documentInUse) { try PersistentDocument(openingAt: url, type: .album) }
    former.modelContext.insert(AlbumsV1.Photo(name: "a"))
    try former.close()
    let document = try PersistentDocument(openingAt: url, type: .album)
    #expect(try document.photos.map(\.name) == ["a"])
    try document.close()
  }

  @Test("A store that replaced the one in an open package is not changed")
  func replacedStore() throws {
    let document = try make(.notebook, "mine")
    document.insert("unsaved")
    try document.modelContext.save()
    let other = try PersistentDocument(creatingAt: folder.file("Other.notebook"), type: .notebook) {
      $0.insert(Note(text: "theirs"))
    }
    try other.close()
    let store = document.fileURL.appendingPathComponent("Contents.store")
    try FileManager.default.moveItem(at: store, to: folder.file("former"))
    try FileManager.default.moveItem(at: other.fileURL.appendingPathComponent("Contents.store"), to: store)
    #expect(document.fileStatus != .unchanged)
    #expect(throws: SwiftDataError.documentMoved) { try document.save() }
    #expect(throws: SwiftDataError.documentMoved) { try document.revert() }
    #expect(throws: SwiftDataError.documentMoved) { try document.move(to: folder.file("Moved.notebook")) }
    #expect(throws: SwiftDataError.documentMoved) { try document.erase() }
    // The log of the open store still exists at its path.
    #expect(throws: SwiftDataError.documentInUse) {
      try PersistentDocument(openingAt: document.fileURL, type: .notebook)
    }
    try document.save(as: folder.file("Rescued.notebook"))
    #expect(try document.texts == ["mine", "unsaved"])
    try document.close()
  }

  @Test(
    "A save without changes fails when the document was moved, deleted or replaced", arguments: Interference.allCases)
  func savedBefore(_ interference: Interference) throws {
    let document = try make(.notebook, "a")
    document.insert("b")
    try document.modelContext.save()
    try interfere(interference, document.fileURL)
    #expect(throws: SwiftDataError.documentMoved) { try document.save() }
    #expect(throws: SwiftDataError.documentMoved) { try document.move(to: folder.file("Moved.notebook")) }
    #expect(throws: SwiftDataError.documentMoved) { try document.close() }
    #expect(document.isEdited)
    try document.save(as: folder.file("Rescued.notebook"))
    #expect(try document.texts == ["a", "b"])
    try document.close()
  }

  /// What another program does to the files of an open document.
  enum Interference: CaseIterable {
    case move, delete, replace
  }

  private func interfere(_ interference: Interference, _ url: URL) throws {
    let manager = FileManager.default
    let elsewhere = folder.file("Elsewhere.\(url.pathExtension)")
    switch interference {
    case .move: try manager.moveItem(at: url, to: elsewhere)
    case .delete: try manager.removeItem(at: url)
    case .replace:
      try manager.moveItem(at: url, to: elsewhere)
      let type: DocumentType = url.pathExtension == "note" ? .note : .notebook
      for file in ["-wal", "-shm"] { try? manager.removeItem(atPath: url.path + file) }
      try? manager.removeItem(at: folder.file(".First.note.lock"))
      try PersistentDocument(creatingAt: url, type: type) { $0.insert(Note(text: "other")) }.close()
      try manager.removeItem(at: elsewhere)
    }
  }

  @Test(
    "Saving a document that was moved, deleted or replaced fails and loses nothing",
    arguments: Interference.allCases, [DocumentType.note, .notebook])
  func interference(_ interference: Interference, type: DocumentType) async throws {
    let document = try make(type, "a")
    let url = document.fileURL
    document.modelContext.autosaveEnabled = false
    document.insert("b")
    try document.save()
    document.insert("c")
    let notes = try document.modelContext.fetch(FetchDescriptor<Note>())
    let isNotified = Mutex(false)
    withObservationTracking {
      _ = document.fileStatus
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    try interfere(interference, url)
    #expect(await comesTrue { isNotified.withLock { $0 } })
    switch interference {
    case .move:
      guard case .moved(let place) = document.fileStatus else {
        Issue.record("\(document.fileStatus)")
        return
      }
      #expect(place.lastPathComponent == "Elsewhere.\(url.pathExtension)")
    case .delete: #expect(document.fileStatus == .deleted)
    case .replace: #expect(document.fileStatus == .replaced)
    }
    let error = #expect(throws: SwiftDataError.self) { try document.save() }
    #expect(error == .documentMoved)
    #expect(error?.details?.hint?.contains("save(as:)") == true)
    #expect(throws: SwiftDataError.documentMoved) {
      try document.duplicate(to: folder.file("Copy.\(url.pathExtension)"))
    }
    #expect(throws: SwiftDataError.documentMoved) { try document.close() }
    #expect(throws: SwiftDataError.documentMoved) { try document.erase() }
    #expect(notes.map(\.text).sorted() == ["a", "b", "c"])

    let rescued = folder.file("Rescued.\(url.pathExtension)")
    try document.save(as: rescued)
    #expect(document.fileURL == rescued)
    #expect(document.fileStatus == .unchanged)
    #expect(try document.texts == ["a", "b", "c"])
    document.insert("d")
    try document.close()
    let opened = try PersistentDocument(openingAt: rescued, type: type)
    #expect(try opened.texts == ["a", "b", "c", "d"])
    try opened.close()
    if interference == .replace {
      let other = try PersistentDocument(openingAt: url, type: type)
      #expect(try other.texts == ["other"])
      try other.close()
    }
  }

  @Test("`save(as:)` saves large values of a document that was moved")
  func movedLargeValues() async throws {
    let url = folder.file("First.album")
    let document = try PersistentDocument(creatingAt: url, type: .album) {
      $0.insert(Photo(name: "a", image: largeValue(1)))
    }
    document.modelContext.autosaveEnabled = false
    document.modelContext.insert(Photo(name: "b", image: largeValue(2)))
    try FileManager.default.moveItem(at: url, to: folder.file("Elsewhere.album"))
    #expect(throws: SwiftDataError.documentMoved) { try document.save() }
    try document.save(as: folder.file("Rescued.album"))
    #expect(try document.photos.map(\.image) == [largeValue(1), largeValue(2)])
    try document.close()
  }

  @Test("After an autosave failed because the document was deleted, save(as:) saves the changes")
  func failedAutosave() async throws {
    let document = try make(.notebook, "a")
    try FileManager.default.removeItem(at: document.fileURL)
    document.insert("b")
    await MainQueue.turn()
    await MainQueue.turn()
    #expect((document.modelContext.autosaveFailure as? SwiftDataError)?.details?.storeFailureReason == .moved)
    #expect(document.isEdited)
    try document.save(as: folder.file("Rescued.notebook"))
    #expect(try document.texts == ["a", "b"])
    try document.close()
  }

  @Test("Saving a document on a full disk fails and loses nothing", .enabled(if: SmallDisk.isAvailable))
  func fullDisk() async throws {
    let place = folder.file("disk")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let disk = try SmallDisk(at: place, kilobytes: 512)
    defer { disk.remove() }
    let document = try PersistentDocument(creatingAt: place.appendingPathComponent("First.note"), type: .note)
    document.modelContext.autosaveEnabled = false
    document.insert(String(repeating: "x", count: 1_000_000))
    #expect(throws: SwiftDataError.storeFailure) { try document.save() }
    #expect(document.isEdited)
    #expect(throws: (any Error).self) { try document.save(as: place.appendingPathComponent("Second.note")) }
    #expect(document.fileURL.lastPathComponent == "First.note")
    #expect(try FileManager.default.names(in: place).filter { $0.contains("Second") } == [])
  }
}
