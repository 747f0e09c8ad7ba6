import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Creating and opening documents")
@MainActor
struct CreatingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A new document contains what prepareDocument inserted", arguments: [DocumentType.note, .notebook])
  func create(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    let document = try PersistentDocument(creatingAt: url, type: type) { $0.insert(Note(text: "prepared")) }
    #expect(try document.texts == ["prepared"])
    #expect(!document.isEdited)
    #expect(document.displayName == "First")
    #expect(document.fileURL == url)
    #expect(document.modelContext === document.modelContainer.mainContext)
    try document.close()

    let opened = try PersistentDocument(openingAt: url, type: type)
    #expect(try opened.texts == ["prepared"])
    try opened.close()
  }

  @Test("A closed document is one file", arguments: [DocumentType.note, .notebook])
  func close(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    let document = try PersistentDocument(creatingAt: url, type: type)
    document.insert("one")
    try document.save()
    document.insert("two")
    try document.close()
    #expect(document.isClosed)
    #expect(try FileManager.default.names(in: folder.url) == [url.lastPathComponent])
    if type.conformance == .package { #expect(try FileManager.default.names(in: url) == ["Contents.store"]) }
    let copy = folder.file("Copy.\(type.filenameExtension)")
    try FileManager.default.copyItem(at: url, to: copy)
    let opened = try PersistentDocument(openingAt: copy, type: type)
    #expect(try opened.texts == ["one", "two"])
    try opened.close()
  }

  @Test("Closing without saving discards unsaved changes")
  func discard() throws {
    let url = folder.file("First.note")
    let document = try PersistentDocument(creatingAt: url, type: .note)
    document.insert("discarded")
    try document.close(saving: false)
    let opened = try PersistentDocument(openingAt: url, type: .note)
    #expect(try opened.texts == [])
    try opened.close()
    try opened.close()
  }

  @Test("A failed preparation leaves no document", arguments: [DocumentType.note, .notebook])
  func failingPreparation(type: DocumentType) throws {
    struct Refusal: Error {}
    let url = folder.file("First.\(type.filenameExtension)")
    #expect(throws: Refusal.self) {
      try PersistentDocument(creatingAt: url, type: type) {
        $0.insert(Note(text: "lost"))
        throw Refusal()
      }
    }
    #expect(try FileManager.default.names(in: folder.url) == [])
  }

  @Test("Creating a document refuses an existing file", arguments: [DocumentType.note, .notebook])
  func existingFile(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    try Data("text".utf8).write(to: url)
    #expect(throws: SwiftDataError.documentExists) { try PersistentDocument(creatingAt: url, type: type) }
    #expect(try Data(contentsOf: url) == Data("text".utf8))
    #expect(try FileManager.default.names(in: folder.url) == [url.lastPathComponent])
  }

  @Test("A document on another actor has a context of its own, saved explicitly")
  func otherActor() async throws {
    actor Editor {
      func edit(_ url: URL) throws -> [String] {
        let document = try PersistentDocument(creatingAt: url, type: .note)
        document.insert("elsewhere")
        #expect(document.isEdited)
        document.undoManager?.undo()
        #expect(!document.isEdited)
        document.undoManager?.redo()
        try document.save()
        #expect(!document.isEdited)
        let texts = try document.texts
        try document.close()
        return texts
      }
    }
    #expect(try await Editor().edit(folder.file("First.note")) == ["elsewhere"])
  }

  @Test("Creating a package replaces an empty folder that another process left")
  func emptyFolder() throws {
    let url = folder.file("First.notebook")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let document = try PersistentDocument(creatingAt: url, type: .notebook)
    try document.close()
  }

  @Test("Documents can be created in one folder concurrently")
  func together() async throws {
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            let url = folder.file("\(number)-\(round).note")
            #expect(throws: Never.self) { try PersistentDocument(creatingAt: url, type: .note).close() }
          }
        }
      }
    }
    #expect(try FileManager.default.names(in: folder.url).count == 80)
  }

  @Test("Opening removes the temporary folders of processes that ended", arguments: [DocumentType.note, .notebook])
  func leftovers(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    try PersistentDocument(creatingAt: url, type: type).close()
    let leftover = folder.file(".swiftdata-scratch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: leftover, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: leftover.appendingPathComponent("Contents.store"))
    let other = folder.file(".other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let document = try PersistentDocument(openingAt: url, type: type)
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
    #expect(FileManager.default.fileExists(atPath: other.path))
    try document.close()
  }
}
