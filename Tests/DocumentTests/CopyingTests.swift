import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Duplicating, moving and erasing documents")
@MainActor
struct CopyingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ type: DocumentType, _ name: String = "First") throws -> PersistentDocument {
    try PersistentDocument(creatingAt: folder.file("\(name).\(type.filenameExtension)"), type: type) {
      $0.insert(Note(text: "a"))
    }
  }

  @Test("A duplicate contains everything, and later changes are separate", arguments: [DocumentType.note, .notebook])
  func duplicate(type: DocumentType) throws {
    let document = try make(type)
    document.insert("b")
    let url = folder.file("Second.\(type.filenameExtension)")
    try document.duplicate(to: url)
    document.insert("c")
    let copy = try PersistentDocument(openingAt: url, type: type)
    #expect(try copy.texts == ["a", "b"])
    copy.insert("d")
    try copy.close()
    #expect(try document.texts == ["a", "b", "c"])
    #expect(throws: SwiftDataError.documentExists) { try document.duplicate(to: url) }
    #expect(throws: SwiftDataError.invalidDocument) { try document.duplicate(to: folder.file("Third.txt")) }
    try document.close()
    #expect(try FileManager.default.names(in: folder.url).count == 2)
  }

  @Test("After save(as:) the document is edited at the new URL", arguments: [DocumentType.note, .notebook])
  func saveAs(type: DocumentType) throws {
    let document = try make(type)
    let former = document.fileURL
    document.insert("b")
    let url = folder.file("Second.\(type.filenameExtension)")
    try document.save(as: url)
    #expect(document.fileURL == url)
    #expect(document.displayName == "Second")
    #expect(!document.isEdited)
    document.insert("c")
    try document.save()
    #expect(throws: SwiftDataError.documentExists) { try document.save(as: former) }
    #expect(try document.texts == ["a", "b", "c"])
    try document.close()
    let other = try PersistentDocument(openingAt: former, type: type)
    #expect(try other.texts == ["a", "b"])
    try other.close()
  }

  @Test("A moved document is edited at the new URL", arguments: [DocumentType.note, .notebook])
  func move(type: DocumentType) throws {
    let document = try make(type)
    let former = document.fileURL
    document.insert("b")
    let url = folder.file("Second.\(type.filenameExtension)")
    try document.move(to: url)
    document.insert("c")
    try document.save()
    #expect(try document.texts == ["a", "b", "c"])
    #expect(!FileManager.default.fileExists(atPath: former.path))
    let third = try make(type, "Third")
    #expect(throws: SwiftDataError.documentExists) { try document.move(to: third.fileURL) }
    #expect(document.fileURL == url)
    #expect(try document.texts == ["a", "b", "c"])
    try third.close()
    try document.close()
    #expect(try FileManager.default.names(in: folder.url).count == 2)
  }

  @Test("A document cannot be moved to another file system, and stays open", .enabled(if: SmallDisk.isAvailable))
  func moveFar() throws {
    let place = folder.file("disk")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let disk = try SmallDisk(at: place, kilobytes: 4096)
    defer { disk.remove() }
    let document = try make(.notebook)
    let url = document.fileURL
    #expect(throws: SwiftDataError.storeFailure) {
      try document.move(to: place.appendingPathComponent("Second.notebook"))
    }
    #expect(document.fileURL == url)
    #expect(try document.texts == ["a"])
    try document.save(as: place.appendingPathComponent("Second.notebook"))
    #expect(try document.texts == ["a"])
    try document.close()
  }

  @Test("Copies of a package have its permissions and other files")
  func otherFiles() async throws {
    let document = try make(.notebook)
    let manager = FileManager.default
    let store = document.fileURL.appendingPathComponent("Contents.store")
    try Data("picture".utf8).write(to: document.fileURL.appendingPathComponent("preview.png"))
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: document.fileURL.path)
    try document.duplicate(to: folder.file("Second.notebook"))
    try document.save(as: folder.file("Third.notebook"))
    document.insert("b")
    try document.modelContext.save()
    try document.revert()
    try document.close()
    for name in ["Second", "Third"] {
      let copy = folder.file("\(name).notebook")
      #expect(try manager.names(in: copy) == ["Contents.store", "preview.png"])
      #expect(try manager.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == 0o700)
      let file = copy.appendingPathComponent("Contents.store").path
      #expect(try manager.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("A symbolic link opens the document itself", arguments: [DocumentType.note, .notebook])
  func link(type: DocumentType) throws {
    let real = try make(type, "Real")
    let url = real.fileURL
    try real.close()
    let link = folder.file("Link.\(type.filenameExtension)")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let document = try PersistentDocument(openingAt: link, type: type, for: .exclusiveEditing)
    #expect(document.fileURL.path == url.path)
    #expect(throws: SwiftDataError.documentInUse) { try PersistentDocument(openingAt: url, type: type) }
    document.insert("b")
    try document.modelContext.save()
    try document.revert()
    #expect(try document.texts == ["a"])
    try document.erase()
    #expect(try FileManager.default.names(in: folder.url) == [link.lastPathComponent])
  }

  @Test("A move that fails leaves the document where it is")
  func failedMove() throws {
    let document = try make(.notebook)
    let url = document.fileURL
    document.insert("b")
    for place in ["nowhere/Second.notebook", "First.notebook/Inside.notebook"] {
      #expect(throws: SwiftDataError.storeFailure) { try document.move(to: folder.file(place)) }
      #expect(document.fileURL == url)
      #expect(try document.texts == ["a", "b"])
    }
    try document.close()
  }

  @Test("A document cannot be closed, reverted or moved in a transaction, and stays open")
  func transaction() throws {
    let document = try make(.note)
    document.insert("b")
    try document.modelContext.save()
    try document.modelContext.transaction {
      document.insert("c")
      #expect(throws: SwiftDataError.storeFailure) { try document.close() }
      #expect(!document.isClosed)
      #expect(throws: SwiftDataError.storeFailure) { try document.revert() }
    }
    #expect(try document.texts == ["a", "b", "c"])
    try document.revert()
    #expect(try document.texts == ["a"])
    try document.close()
  }

  @Test("A duplicate contains large values")
  func largeValues() throws {
    let document = try PersistentDocument(creatingAt: folder.file("First.album"), type: .album) {
      $0.insert(Photo(name: "a", image: largeValue(1)))
    }
    let url = folder.file("Second.album")
    try document.duplicate(to: url)
    try document.erase()
    let copy = try PersistentDocument(openingAt: url, type: .album)
    #expect(try copy.photos.map(\.image) == [largeValue(1)])
    try copy.close()
  }

  @Test("Erasing a document removes all of its files", arguments: [DocumentType.note, .notebook])
  func erase(type: DocumentType) throws {
    let document = try make(type)
    document.insert("b")
    try document.save()
    let other = try PersistentDocument(openingAt: document.fileURL, type: type)
    #expect(throws: SwiftDataError.documentInUse) { try document.erase() }
    try other.close()
    try document.erase()
    #expect(document.isClosed)
    #expect(try FileManager.default.names(in: folder.url) == [])
    #expect(throws: SwiftDataError.storeFailure) { try document.save() }
  }
}
