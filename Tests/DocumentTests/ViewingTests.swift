import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Viewing documents, and documents of older versions")
@MainActor
struct ViewingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A viewed document cannot be changed")
  func view() throws {
    let url = folder.file("First.notebook")
    try PersistentDocument(creatingAt: url, type: .notebook) { $0.insert(Note(text: "a")) }.close()
    let before = try StoreFiles.contents(of: folder.url)
    let document = try PersistentDocument(openingAt: url, type: .notebook, for: .viewing)
    #expect(try document.texts == ["a"])
    #expect(document.undoManager == nil)
    document.insert("b")
    #expect(throws: SwiftDataError.modelValidationFailure) { try document.save() }
    #expect(throws: SwiftDataError.modelValidationFailure) { try document.revert() }
    #expect(throws: SwiftDataError.modelValidationFailure) { try document.move(to: folder.file("Second.notebook")) }
    #expect(throws: SwiftDataError.modelValidationFailure) { try document.erase() }
    #expect(!document.isEdited)
    document.modelContext.rollback()
    try document.duplicate(to: folder.file("Second.notebook"))
    try document.close()
    try PersistentDocument(openingAt: folder.file("Second.notebook"), type: .notebook).erase()
    #expect(try StoreFiles.contents(of: folder.url) == before)
  }

  @Test("Viewing a document leaves no files beside it", arguments: [DocumentType.note, .notebook])
  func leaveNothing(type: DocumentType) throws {
    let url = folder.file("First.\(type.filenameExtension)")
    try PersistentDocument(creatingAt: url, type: type) { $0.insert(Note(text: "a")) }.close()
    let document = try PersistentDocument(openingAt: url, type: type, for: .viewing)
    #expect(try document.texts == ["a"])
    try document.close()
    let names = try FileManager.default.names(in: type.conformance == .package ? url : folder.url)
    #expect(names == [type.conformance == .package ? "Contents.store" : "First.note"])
  }

  @Test("A viewed document shows what an editor saves")
  func followed() async throws {
    let url = folder.file("First.note")
    let editor = try PersistentDocument(creatingAt: url, type: .note)
    let viewer = try PersistentDocument(openingAt: url, type: .note, for: .viewing)
    editor.insert("a")
    try editor.save()
    #expect(try await comesTrue { try viewer.texts == ["a"] })
    try viewer.close()
    try editor.close()
  }

  @Test("Opening for editing runs the migration plan")
  func migrate() throws {
    let url = folder.file("First.album")
    try PersistentDocument(creatingAt: url, type: .formerAlbum) { $0.insert(AlbumsV1.Photo(name: "a")) }.close()
    let document = try PersistentDocument(openingAt: url, type: .album)
    #expect(try document.photos.map(\.caption) == ["Caption of a"])
    #expect(!document.isEdited)
    try document.close()
    #expect(throws: SwiftDataError.documentVersionTooNew) { try PersistentDocument(openingAt: url, type: .formerAlbum) }
    let again = try PersistentDocument(openingAt: url, type: .album)
    #expect(try again.photos.map(\.name) == ["a"])
    try again.close()
  }

  @Test("Opening for viewing migrates a copy")
  func migrateCopy() throws {
    let url = folder.file("First.album")
    try PersistentDocument(creatingAt: url, type: .formerAlbum) { $0.insert(AlbumsV1.Photo(name: "a")) }.close()
    let before = try StoreFiles.contents(of: folder.url)
    let document = try PersistentDocument(openingAt: url, type: .album, for: .viewing)
    #expect(try document.photos.map(\.caption) == ["Caption of a"])
    try document.duplicate(to: folder.file("Second.album"))
    try document.close()
    let copy = try PersistentDocument(openingAt: folder.file("Second.album"), type: .album)
    #expect(try copy.photos.map(\.caption) == ["Caption of a"])
    try copy.erase()
    #expect(try StoreFiles.contents(of: folder.url) == before)
    let former = try PersistentDocument(openingAt: url, type: .formerAlbum)
    try former.close()
  }

  @Test("A document on a read-only disk can be viewed", .enabled(if: geteuid() != 0))
  func readOnly() throws {
    let url = folder.file("First.note")
    try PersistentDocument(creatingAt: url, type: .note) { $0.insert(Note(text: "a")) }.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
    let document = try PersistentDocument(openingAt: url, type: .note, for: .viewing)
    #expect(try document.texts == ["a"])
    try document.close()
  }
}
